# SPDX-License-Identifier: MIT
"""The attributes of OIL: which are taken, which mean nothing here, which are refused.

Those that are taken are an IMPLEMENTATION as OIL itself writes one. An attribute in the other
tables is named by its way from the kind of object, with a parameter behind its attribute.
"""

TAKEN = """\
IMPLEMENTATION plafond {
  OS {
    ENUM [STANDARD, EXTENDED] STATUS = STANDARD;
    BOOLEAN STARTUPHOOK = FALSE;
    BOOLEAN SHUTDOWNHOOK = FALSE;
    BOOLEAN ERRORHOOK = FALSE;
    BOOLEAN PRETASKHOOK = FALSE;
    BOOLEAN POSTTASKHOOK = FALSE;
    BOOLEAN PROTECTIONHOOK = FALSE : "AUTOSAR's";
    BOOLEAN USEGETSERVICEID = FALSE : "ErrorHook has it always";
    BOOLEAN USEPARAMETERACCESS = FALSE : "whether ErrorHook has those of the service";
    BOOLEAN USERESSCHEDULER = TRUE : "then all tasks may lock RES_SCHEDULER";
    BOOLEAN STACKMONITORING = FALSE : "whether a fault of a stack is E_OS_STACKFAULT";
    BOOLEAN CONSOLE = FALSE : "whether tasks have WriteConsole()";
    STRING APP_SRC[] : "C files beside this one, in user mode: TASK(NAME)";
    STRING TRUSTED_SRC[] : "those that run in the kernel: hooks, and ISR(NAME)";
    STRING MIXED_SRC[] : "those that hold both, and run in both modes";
    STRING INCLUDE[] : "folders of headers beside this file";
    STRING FLAG[] : "of the compiler, for these C files";
    ENUM [SHOWN, ERRORS, NONE] WARNINGS = SHOWN : "of the compiler, about these C files";
  };
  APPDATA {
    STRING APP_SRC[] : "as of OS";
    STRING TRUSTED_SRC[] : "as of OS";
    STRING MIXED_SRC[] : "as of OS";
  };
  APPMODE { };
  TASK {
    UINT32 PRIORITY = NO_DEFAULT : "larger is more urgent";
    ENUM [NON, FULL] SCHEDULE = FULL;
    UINT32 [1..255] ACTIVATION = 1;
    BOOLEAN [TRUE { APPMODE_TYPE APPMODE[]; }, FALSE] AUTOSTART = FALSE;
    RESOURCE_TYPE RESOURCE[];
    EVENT_TYPE EVENT[];
    MESSAGE_TYPE MESSAGE[] : "any task may send and receive all of them";
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "others than its own that may use it";
    STRING APP_SRC[] : "as of OS";
    UINT32 WITH_AUTO [0..1048576] STACKSIZE = AUTO : "bytes; 4096 at least";
    UINT32 [0..3] CPU_ID : "the core that it is on, as ERIKA has it; without it 0, or CORE";
    BOOLEAN [
      TRUE {
        FLOAT EXECUTIONBUDGET : "seconds";
        FLOAT TIMEFRAME : "seconds";
        FLOAT MAXALLINTERRUPTLOCKTIME : "seconds";
        FLOAT MAXOSINTERRUPTLOCKTIME : "seconds";
        ENUM [
          RESOURCELOCK {
            RESOURCE_TYPE RESOURCE = NO_DEFAULT;
            FLOAT RESOURCELOCKTIME = NO_DEFAULT : "seconds";
          }
        ] LOCKINGTIME[];
        ENUM [
          RESOURCELOCK {
            RESOURCE_TYPE RESOURCE = NO_DEFAULT;
            FLOAT RESOURCELOCKTIME = NO_DEFAULT : "seconds";
          }
        ] RESOURCE[] : "as LOCKINGTIME: ERIKA's tool has it here";
      },
      FALSE
    ] TIMING_PROTECTION = FALSE;
  };
  RESOURCE {
    ENUM [STANDARD, LINKED { RESOURCE_TYPE LINKEDRESOURCE; }, INTERNAL]
      RESOURCEPROPERTY = STANDARD;
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
  };
  EVENT {
    UINT64 WITH_AUTO [1..18446744073709551615] MASK = AUTO
      : "AUTO: a bit that is free in each task that has the event";
  };
  COUNTER {
    UINT32 WITH_AUTO [1..4294967294] MAXALLOWEDVALUE = AUTO : "AUTO: 65535";
    UINT32 WITH_AUTO [1..4294967294] TICKSPERBASE = AUTO : "AUTO: 1";
    UINT32 WITH_AUTO [1..4294967294] MINCYCLE = AUTO : "AUTO: as many ticks as 10us take";
    FLOAT WITH_AUTO SECONDSPERTICK = AUTO : "AUTO: IncrementCounter() counts, and no timer";
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
    UINT32 [0..3] CPU_ID : "as of TASK; its alarms and schedule tables are on that core, too";
  };
  ALARM {
    COUNTER_TYPE COUNTER;
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
    ENUM [
      ACTIVATETASK { TASK_TYPE TASK; },
      SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; },
      ALARMCALLBACK { STRING ALARMCALLBACKNAME = NO_DEFAULT; },
      INCREMENTCOUNTER { COUNTER_TYPE COUNTER; }
    ] ACTION = NO_DEFAULT;
    BOOLEAN [
      TRUE {
        ENUM [ABSOLUTE, RELATIVE] TYPE = ABSOLUTE : "SetAbsAlarm() or SetRelAlarm()";
        UINT32 ALARMTIME = NO_DEFAULT : "ticks; 0: after the highest value";
        UINT32 CYCLETIME = NO_DEFAULT : "ticks; 0: once";
        APPMODE_TYPE APPMODE[];
      },
      FALSE
    ] AUTOSTART = FALSE;
  };
  SCHEDULETABLE {
    COUNTER_TYPE COUNTER;
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
    UINT32 LENGTH : "ticks; this, or DURATION";
    UINT32 DURATION;
    BOOLEAN PERIODIC : "whether it repeats; this, or REPEATING, or neither: no";
    BOOLEAN REPEATING;
    ENUM [
      NONE,
      FALSE,
      ABSOLUTE { UINT32 START = NO_DEFAULT; APPMODE_TYPE APPMODE[]; },
      RELATIVE { UINT32 OFFSET = NO_DEFAULT; APPMODE_TYPE APPMODE[]; },
      SYNCHRON { APPMODE_TYPE APPMODE[]; }
    ] AUTOSTART = NONE;
    BOOLEAN [
      TRUE { ENUM [IMPLICIT, EXPLICIT] SYNC_STRATEGY = NO_DEFAULT; UINT32 PRECISION; },
      FALSE
    ] LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION = FALSE;
    STRUCT {
      UINT32 OFFSET = NO_DEFAULT : "ticks from the beginning; the points in any order";
      ENUM [
        ACTIVATETASK { TASK_TYPE TASK; },
        SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; }
      ] ACTION[];
      BOOLEAN [
        TRUE {
          UINT32 MAX_ADVANCE = 0 : "by so much the way to it may become longer";
          UINT32 MAX_RETARD = 0 : "and by so much shorter";
        },
        FALSE
      ] ADJUSTABLE = FALSE;
    } EXPIRY_POINT[];
  };
  ISR {
    UINT32 [1, 2] CATEGORY = 2;
    UINT32 [0..987] INTERRUPT = NO_DEFAULT : "its number on the board";
    UINT32 PRIORITY : "larger is more urgent, and nests; without it, above all others";
    RESOURCE_TYPE RESOURCE[];
    MESSAGE_TYPE MESSAGE[] : "as of TASK";
    BOOLEAN TIMING_PROTECTION = FALSE;
    UINT32 [0..3] CPU_ID : "as of TASK";
  };
  SPINLOCK {
    APPLICATION_TYPE ACCESSING_APPLICATION[] : "whose tasks may lock it";
    SPINLOCK_TYPE SUCCESSOR[] : "one at most: it may be locked inside";
  };
  APPLICATION {
    UINT32 [0..3] CORE : "that of all its objects, as Trampoline has it";
    BOOLEAN [
      TRUE {
        BOOLEAN [TRUE { STRING NAME = NO_DEFAULT; }, FALSE] TRUSTED_FUNCTION[]
          : "TRUSTED_NAME of a trusted file";
      },
      FALSE
    ] TRUSTED = FALSE
      : "it may have interrupts, callbacks, functions and hooks, and terminate others";
    BOOLEAN STARTUPHOOK = FALSE;
    BOOLEAN SHUTDOWNHOOK = FALSE;
    BOOLEAN ERRORHOOK = FALSE;
    BOOLEAN [TRUE { TASK_TYPE RESTARTTASK; }, FALSE] HAS_RESTARTTASK = FALSE;
    BOOLEAN TIMING_PROTECTION = FALSE;
    TASK_TYPE TASK[];
    ISR_TYPE ISR[];
    ALARM_TYPE ALARM[];
    COUNTER_TYPE COUNTER[];
    SCHEDULETABLE_TYPE SCHEDULETABLE[];
    RESOURCE_TYPE RESOURCE[] : "those that are its own; a resource need not be one\'s";
    STRING APP_SRC[] : "C files of its own: all their data are for its tasks alone";
  };
  IOC {
    STRING TYPE = NO_DEFAULT : "as C writes it; the attributes of an IOC are our own";
    STRING HEADER[] : "C headers beside this file; they have the type";
    TASK_TYPE SENDER[] : "one, or several";
    TASK_TYPE RECEIVER;
    UINT32 [1..255] QUEUE : "messages of each sender; without it, the last value is kept";
    UINT64 INIT : "the value until the first one is written";
  };
  MESSAGE {
    ENUM [
      SEND_STATIC_INTERNAL { STRING CDATATYPE = NO_DEFAULT : "256 bytes at most"; },
      SEND_ZERO_INTERNAL,
      RECEIVE_UNQUEUED_INTERNAL {
        MESSAGE_TYPE SENDINGMESSAGE;
        ENUM [ALWAYS] FILTER = ALWAYS;
        UINT64 INITIALVALUE = 0;
      },
      RECEIVE_QUEUED_INTERNAL {
        MESSAGE_TYPE SENDINGMESSAGE;
        ENUM [ALWAYS] FILTER = ALWAYS;
        UINT64 [0] INITIALVALUE = 0 : "a queue begins empty";
        UINT32 [1..255] QUEUESIZE = NO_DEFAULT;
      },
      RECEIVE_ZERO_INTERNAL { MESSAGE_TYPE SENDINGMESSAGE; }
    ] MESSAGEPROPERTY = NO_DEFAULT;
    ENUM [
      NONE,
      ACTIVATETASK { TASK_TYPE TASK; },
      SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; },
      COMCALLBACK {
        STRING CALLBACKROUTINENAME = NO_DEFAULT;
        MESSAGE_TYPE MESSAGE[] : "as of TASK";
      },
      FLAG { STRING FLAGNAME = NO_DEFAULT; }
    ] NOTIFICATION = NONE;
    UINT32 [0..3] CPU_ID : "of one that is sent: its senders\' and receivers\'; without it 0";
  };
  COM {
    BOOLEAN COMERRORHOOK = FALSE;
    BOOLEAN COMUSEGETSERVICEID = FALSE : "COMErrorHook has it always";
    BOOLEAN COMUSEPARAMETERACCESS = FALSE : "as USEPARAMETERACCESS of OS";
    BOOLEAN COMSTARTCOMEXTENSION = FALSE : "whether StartCOM calls StartCOMExtension";
    STRING COMAPPMODE[] : "none: there is one, of the number 0";
    STRING TYPES_HEADER[] : "C headers beside this file, with the types of messages";
  };
};
"""
OWN_BUILD = "the image is built with flags and tools of its own"
OWN_BOARD = "`plafond build --board` says what the image is for"
OWN_CLASS = "an image has what its description needs"
OWN_NUMBER = "INTERRUPT is the number on the board"
OWN_STACK = "each task has a stack of its own, and STACKSIZE its size"
OWN_TICK = "SECONDSPERTICK says how fast a counter counts, where it counts by itself"
# And why each means nothing here; with all that stands in its braces, but APP_SRC.
IGNORED = {
    "OS.APP_NAME": "the image is named after the description",
    "OS.ASFLAGS": OWN_BUILD,
    "OS.BOARD_DATA": OWN_BOARD,
    "OS.BUILD": OWN_BUILD,
    "OS.CC": OWN_CLASS,
    "OS.CFLAGS": "they are of another compiler: FLAG and INCLUDE are those of the C files",
    "OS.CPU_DATA": OWN_BOARD,
    "OS.DEBUG": OWN_BUILD,
    "OS.DOW": OWN_BUILD,
    "OS.EE_OPT": OWN_BUILD,
    "OS.KERNEL_TYPE": OWN_CLASS,
    "OS.LDFLAGS": OWN_BUILD,
    "OS.LIB": OWN_BUILD,
    "OS.MCU_DATA": OWN_BOARD,
    "OS.MEMMAP": OWN_BOARD,
    "OS.NUMBER_OF_CORES": "CPU_ID of objects and CORE of applications say which cores there are",
    "OS.PAINT_REGISTERS": OWN_BUILD,
    "OS.PAINT_STACK": OWN_BUILD,
    "OS.SCALABILITYCLASS": OWN_CLASS,
    "OS.SOC_DATA": OWN_BOARD,
    "OS.SYSTEM_CALL": OWN_BUILD,
    "OS.TRACE": "`plafond run` records its own trace",
    "OS.TRAMPOLINE_BASE_PATH": OWN_BUILD,
    "OS.USEDYNAMICAPI": "all objects are those of the description",
    "OS.USEEXTENSIONAPI": "tasks have OSEK's services",
    "TASK.STACK": OWN_STACK,
    "TASK.TYPE": "a task with events is an extended one",
    "COUNTER.DEVICE": OWN_TICK,
    "COUNTER.SOFTCOUNTER": OWN_TICK,
    "COUNTER.SOURCE": OWN_TICK,
    "COUNTER.TYPE": OWN_TICK,
    "ISR.DEVICE": OWN_NUMBER,
    "ISR.ENTRY": OWN_NUMBER,
    "ISR.HANDLER": "the routine is ISR(NAME)",
    "ISR.SOURCE": OWN_NUMBER,
    "ISR.STACKSIZE": "routines run on the kernel's stack",
    "MESSAGE.NOTIFICATIONERROR": "what is sent inside a system arrives",
    "COM.COMSTATUS": "STATUS of OS says how much the services check",
    "COM.COMTIMEBASE": "no message has a period",
}
NO_NETWORK = "no network: messages are sent and received inside one system"
OF_TASKS = "no limits here: TIMING_PROTECTION of a TASK has them"
NO_ROUTINE_TIMES = "no limits of a routine: interrupts wait while it runs, so nothing could end it"
# And what is expected instead.
REFUSED = {
    "APPLICATION.CPU_ID": "CORE",
    "APPLICATION.IOC": "SENDER and RECEIVER of the IOC: they are tasks",
    "IOC.DATATYPENAME": "TYPE",
    "IOC.SEMANTICS": "QUEUE, or none: then the last value is kept",
}
# The same for values, by attribute and value.
REFUSED_VALUES: dict[tuple[str, object], str] = {
    ("APPLICATION.TIMING_PROTECTION", "TRUE"): OF_TASKS,
    ("ISR.TIMING_PROTECTION", "TRUE"): NO_ROUTINE_TIMES,
    **{
        ("MESSAGE.MESSAGEPROPERTY", f"{verb}_{form}_EXTERNAL"): f"an internal one: {NO_NETWORK}"
        for verb, form in (
            ("SEND", "STATIC"),
            ("SEND", "DYNAMIC"),
            ("SEND", "ZERO"),
            ("RECEIVE", "UNQUEUED"),
            ("RECEIVE", "QUEUED"),
            ("RECEIVE", "DYNAMIC"),
            ("RECEIVE", "ZERO"),
        )
    },
}
# Kinds of objects.
REFUSED_KINDS = {
    "NETWORKMESSAGE": NO_NETWORK,
    "IPDU": NO_NETWORK,
    "NM": "no network management",
}
