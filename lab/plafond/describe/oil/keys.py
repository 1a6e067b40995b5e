# SPDX-License-Identifier: MIT
"""The attributes of OIL: taken, ignored or refused.

Taken attributes are declared as an IMPLEMENTATION in OIL. The other tables name an attribute by its
path: kind of object, attribute, parameter.
"""

from textwrap import dedent, indent

from plafond.describe.alarm import Alarm
from plafond.describe.application import Application
from plafond.describe.counter import Counter
from plafond.describe.event import Event
from plafond.describe.ioc import Ioc
from plafond.describe.isr import Isr
from plafond.describe.kernel_table import Kernel
from plafond.describe.message import Message
from plafond.describe.resource import Resource
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.task import Task

# The taken attributes of each kind of object.
KINDS: dict[str, str] = {
    Kernel.oil_kind: Kernel.oil,
    "APPDATA": """
        STRING APP_SRC[] : "as of OS";
        STRING TRUSTED_SRC[] : "as of OS";
        STRING MIXED_SRC[] : "as of OS";
    """,
    "APPMODE": "",
    Task.oil_kind: Task.oil,
    Resource.oil_kind: Resource.oil,
    Event.oil_kind: Event.oil,
    Counter.oil_kind: Counter.oil,
    Alarm.oil_kind: Alarm.oil,
    ScheduleTable.oil_kind: ScheduleTable.oil,
    Isr.oil_kind: Isr.oil,
    "SPINLOCK": """
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "whose tasks may lock it";
        SPINLOCK_TYPE SUCCESSOR[] : "one at most: it may be locked inside";
    """,
    Application.oil_kind: Application.oil,
    Ioc.oil_kind: Ioc.oil,
    Message.oil_kind: Message.oil,
    "COM": """
        BOOLEAN COMERRORHOOK = FALSE;
        BOOLEAN COMUSEGETSERVICEID = FALSE : "COMErrorHook has it always";
        BOOLEAN COMUSEPARAMETERACCESS = FALSE : "as USEPARAMETERACCESS of OS";
        BOOLEAN COMSTARTCOMEXTENSION = FALSE : "whether StartCOM calls StartCOMExtension";
        STRING COMAPPMODE[] : "none: there is one, of the number 0";
        STRING TYPES_HEADER[] : "C headers beside this file, with the types of messages";
    """,
}


def _declared(kind: str, attributes: str) -> str:
    inside = indent(dedent(attributes).strip("\n "), " " * 4)
    return f"  {kind} {{\n{inside}\n  }};\n" if inside else f"  {kind} {{ }};\n"


TAKEN = "".join(
    ["IMPLEMENTATION plafond {\n", *(_declared(*each) for each in KINDS.items()), "};\n"]
)
OWN_BUILD = "the image is built with flags and tools of its own"
OWN_BOARD = "`plafond build --board` says what the image is for"
OWN_CLASS = "an image has what its description needs"
OWN_NUMBER = "INTERRUPT is the number on the board"
OWN_STACK = "each task has a stack of its own, and STACKSIZE its size"
OWN_TICK = "SECONDSPERTICK says how fast a counter counts, where it counts by itself"
# Ignored attributes and the reasons. Their parameters are ignored too, except APP_SRC.
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
    "APPLICATION.IOC": "SENDER and RECEIVER of the IOC are its tasks",
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
# Refused attributes and the expected alternatives.
REFUSED = {
    "APPLICATION.CPU_ID": "CORE",
}
# Refused values, by attribute and value.
REFUSED_VALUES: dict[tuple[str, object], str] = {
    ("APPLICATION.TIMING_PROTECTION", "TRUE"): OF_TASKS,
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
# Values that only a build refuses, because they are right for other kernels.
OF_BUILD: dict[tuple[str, object], str] = {
    ("ISR.TIMING_PROTECTION", "TRUE"): NO_ROUTINE_TIMES,
}
# Refused kinds of objects.
REFUSED_KINDS = {
    "NETWORKMESSAGE": NO_NETWORK,
    "IPDU": NO_NETWORK,
    "NM": "no network management",
}
