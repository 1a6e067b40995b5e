# SPDX-License-Identifier: MIT
"""The schema: every field that a description may have.

The text of a field says, up to the first semicolon, what is expected there: messages show
that. What it means comes after it. The guide shows both.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator
from pydantic.fields import FieldInfo

from plafond.describe.application import HOOKS
from plafond.describe.body import Action, Lock, Signal, Step
from plafond.describe.ioc import MOST_IOCS
from plafond.describe.kernel import (
    DEFAULT_MODE,
    DEFAULT_PROTOCOLS,
    SCHEDULER,
    Hook,
    Scheduler,
    Status,
    TableStart,
    TableSync,
    Warnings,
    protocols_under,
)
from plafond.describe.message import MOST_MESSAGES, NO_DATA, Notification
from plafond.describe.reservation import RESERVATION
from plafond.describe.server import MOST_SERVERS, ServerKind, Sharing
from plafond.describe.steps import (
    ACTIONS,
    ARRIVALS,
    NOTIFICATIONS,
    SIGNALS,
    STARTS,
    STEPS,
    parse_action,
    parse_arrival,
    parse_notification,
    parse_signal,
    parse_start,
    parse_step,
)
from plafond.describe.system import Interval
from plafond.protocols import GlobalProtocol, KernelProtocol
from plafond.units import DURATION, parse_duration, parse_size
from plafond.words import suggestion

# 99 is left to what watches over a run. Threads of Linux may have it, and so their mutexes.
HIGHEST_PRIORITY = 98
MOST_CPUS = 1024
MOST_TICKS = 2**32 - 2
MOST_QUEUED = 255
MOST_MODES = 8  # a bit each in kernel/config.h
MOST_APPLICATIONS = 32  # the same
MOST_FUNCTIONS = 255  # of all of them: a byte numbers them
HIGHEST_OF_LINUX = 99
POLICIES = ("fifo", "rr", "deadline", "other", "batch", "idle", "unknown")
CPU = "a whole number from 0, below cpus"
NAME = "a letter, then up to 31 letters, digits or underscores"
LARGEST_SET = 1 << 30
WORKING_SET = "a size above 0 and up to 1GiB, such as 64KiB, 1MiB, 512B"
PRIORITY = f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent"


PLACE = 'a file name and a hexadecimal number, such as "app+0x1a2b"'
Place = Annotated[str, Field(pattern=r"^.{1,255}\+0x[0-9a-f]{1,16}$")]


def fields_of(model: type["Strict"]) -> dict[str, FieldInfo]:
    """Return the fields of a table by the names that a description has."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def expected(model: type["Strict"], field: str) -> str:
    """Return what is expected in a field, without what it means."""
    return (fields_of(model)[field].description or "").split("; ")[0]


def _text(parse: Callable[[str], object]) -> PlainValidator:
    def validate(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("text")
        return parse(value)

    return PlainValidator(validate)


def _parse_offset(text: str) -> int:
    return 0 if text == "0" else parse_duration(text)


def _parse_working_set(text: str) -> int:
    try:
        size = parse_size(text)
    except ValueError:
        raise ValueError(WORKING_SET) from None
    if size > LARGEST_SET:
        raise ValueError(WORKING_SET)
    return size


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text")
    return text


def _one_of(known: list[str]) -> PlainValidator:
    """One of some words; the message holds what may have been meant."""

    def parse(text: str) -> str:
        if text not in known:
            raise ValueError(f"one of {', '.join(known)}{suggestion(text, known)}")
        return text

    return _text(parse)


def _protocols(scheduler: Scheduler) -> str:
    listed = ", ".join(protocols_under(scheduler))
    return f"one of {listed}"


def _ticks(least: int, default: str = "") -> str:
    return f"a whole number from {least} to {MOST_TICKS}{default}"


Duration = Annotated[int, _text(parse_duration)]
Priority = Annotated[int, Field(ge=1, le=HIGHEST_PRIORITY)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
Names = Annotated[list[Name], Field(max_length=1000)]
Title = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_printable)]
FileName = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_printable)]
Files = Annotated[list[FileName], Field(max_length=1000)]
Flag = Annotated[str, Field(min_length=2, max_length=500), AfterValidator(_printable)]
Ticks = Annotated[int, Field(ge=1, le=MOST_TICKS)]
TicksOrNone = Annotated[int, Field(ge=0, le=MOST_TICKS)]
Cpu = Annotated[int, Field(ge=0, lt=MOST_CPUS)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
CType = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_ *\[\]]{0,99}$")]
Modes = Annotated[list[Name], Field(min_length=1, max_length=MOST_MODES)]
Body = Annotated[list[Annotated[Step, _text(parse_step)]], Field(min_length=1)]
Membership = Annotated[
    Name | None,
    Field(
        description="the name of one application; to which it belongs; needed where there are some"
    ),
]
Access = Annotated[
    Names,
    Field(
        description="a list of names; other applications that may use it: to the tasks and "
        "handlers of all others, services that name it give E_OS_ACCESS"
    ),
]


class Strict(BaseModel):
    """Types are taken as they are written, and unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class KernelFields(Strict):
    """The table [kernel]."""

    status: Annotated[str, _one_of(list(Status))] = Field(
        default=Status.STANDARD.value,
        description='"standard" or "extended"; how much the services check',
    )
    protocol: Annotated[str, _one_of(list(KernelProtocol))] | None = Field(
        default=None,
        description=f"{_protocols(Scheduler.PRIORITY)}, by hardware "
        f"{_protocols(Scheduler.HARDWARE)}, or under EDF {_protocols(Scheduler.EDF)}; "
        f"how tasks lock; without it {DEFAULT_PROTOCOLS[Scheduler.PRIORITY]}, by hardware "
        f"{DEFAULT_PROTOCOLS[Scheduler.HARDWARE]}, or under EDF "
        f"{DEFAULT_PROTOCOLS[Scheduler.EDF]}",
    )
    global_: Annotated[str, _one_of(list(GlobalProtocol))] | None = Field(
        default=None,
        alias="global",
        description=f"one of {', '.join(GlobalProtocol)}; how tasks lock resources with users on "
        f"several CPUs; without it {GlobalProtocol.MPCP}, or {GlobalProtocol.MPCP_CALLED} where "
        "protocol is one of system calls",
    )
    hooks: list[Annotated[str, _one_of(list(Hook))]] = Field(
        default=[], description=f"a list of some of {', '.join(Hook)}; the hooks to call"
    )
    sources: Files = Field(
        default=[],
        description="a list of C files beside the description; they run in user mode, and may "
        "hold the TASK(NAME) of tasks without a body",
    )
    trusted: Files = Field(
        default=[],
        description="a list of C files; they run in the kernel: hooks, and the ISR(NAME)",
    )
    mixed: Files = Field(
        default=[],
        description="a list of C files; they run in both modes, and may hold what those of sources "
        "and trusted do",
    )
    include: Files = Field(
        default=[],
        description="a list of folders beside the description; where its C files find headers, "
        "behind those of the kernel",
    )
    flags: Annotated[list[Flag], Field(max_length=1000)] = Field(
        default=[],
        description='a list of flags of the compiler, such as "-DSPEED=3"; for these C files '
        "alone: macros, warnings, optimization, and the language",
    )
    warnings: Annotated[str, _one_of(list(Warnings))] = Field(
        default=Warnings.SHOWN.value,
        description=f"one of {', '.join(Warnings)}; what becomes of the compiler's warnings about "
        "these C files",
    )
    console: bool = Field(
        default=False,
        description="true or false; whether tasks have WriteConsole(), and on a53 the interrupt of "
        "source 1 comes for what is typed",
    )
    modes: Modes | None = Field(
        default=None,
        description=f"a list of 1 to {MOST_MODES} names; the application modes of StartOS, which "
        f"main() of a trusted file calls; the first is {DEFAULT_MODE}, too: without main() it is "
        "the one",
    )
    parameters: bool = Field(
        default=False,
        description="true or false; whether ErrorHook has the parameters of the service that "
        "failed: OSError_SERVICE_PARAMETER()",
    )
    stack_monitoring: bool = Field(
        default=False,
        description="true or false; whether a task that leaves its stack gets E_OS_STACKFAULT "
        "instead of E_OS_PROTECTION_MEMORY; on sim nothing notices that",
    )

    @property
    def has_trusted_code(self) -> bool:
        """Whether there is a file for hooks, handlers and callbacks."""
        return bool(self.trusted or self.mixed)


class ApplicationFields(Strict):
    """One [application.NAME]."""

    trusted: bool = Field(
        default=False,
        description="true or false; whether it may have interrupts, callbacks of alarms, functions "
        "and hooks, which run in the kernel's mode, and terminate other applications",
    )
    hooks: list[Annotated[str, _one_of(list(HOOKS))]] = Field(
        default=[],
        description=f"a list of some of {', '.join(HOOKS)}; its own hooks to call, of which C "
        "defines StartupHook_NAME, ErrorHook_NAME and ShutdownHook_NAME",
    )
    restart: Name | None = Field(
        default=None,
        description="the name of one task of its own; which TerminateApplication(..., RESTART) "
        "activates",
    )
    sources: Files = Field(
        default=[],
        description="a list of C files beside the description; as sources of [kernel], but all "
        "their data are for the tasks of this application alone",
    )
    functions: Annotated[list[Name], Field(max_length=MOST_FUNCTIONS)] = Field(
        default=[],
        description="a list of names, of an application with trusted = true; of each a trusted "
        "file has TRUSTED_NAME, which tasks and handlers of all applications may call by "
        "CallTrustedFunction",
    )


# Of a task, what timing protection limits: AUTOSAR OS 4.x, 7.7.2.
LIMITS = (
    "execution_budget",
    "all_interrupt_lock_budget",
    "os_interrupt_lock_budget",
    "resource_lock_budgets",
    "time_frame",
)


class TaskFields(Strict):
    """One [task.NAME]."""

    priority: Priority | None = Field(
        default=None,
        description=f"{PRIORITY}; needed, except under EDF",
    )
    cpu: Cpu = Field(default=0, description=f"{CPU}; on which it runs")
    arrival: Annotated[Interval, _text(parse_arrival)] | None = Field(
        default=None,
        description=f"{ARRIVALS}; without it, something else must activate the task: a step, an "
        "alarm, autostart or C",
    )
    offset: Annotated[int, _text(_parse_offset)] = Field(
        default=0, description=f'"0", or {DURATION}; when the first arrival comes'
    )
    jitter: Annotated[int, _text(_parse_offset)] = Field(
        default=0,
        description=f'"0", or {DURATION}; by how much a release may come after its arrival',
    )
    deadline: Duration | None = Field(
        default=None,
        description=f"{DURATION}; from the arrival on; without it, the least interval of arrivals; "
        "EDF needs one of the two",
    )
    activations: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="a whole number from 1 to 1000000; a run ends when all such tasks had theirs",
    )
    pending: Literal["queue", "skip"] = Field(
        default="queue",
        description='"queue" or "skip"; what happens to an arrival that finds its task unfinished',
    )
    body: Body | None = Field(
        default=None,
        description=f"a list of at least one step; {STEPS}; without it, TASK(NAME) is in one of "
        "the sources of [kernel]",
    )
    autostart: bool = Field(
        default=False, description="true or false; whether the start of the kernel activates it"
    )
    modes: Modes | None = Field(
        default=None,
        description="a list of names of modes; those in which autostart counts; without it, all",
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = Field(
        default=None,
        description=f"a whole number from 1 to {MOST_QUEUED}; how many activations there can be at "
        f"once; without it 1, and in a run {MOST_QUEUED} if arrivals queue",
    )
    schedule: Annotated[str, _one_of(["full", "non"])] = Field(
        default="full", description='"full" or "non"; whether more urgent tasks preempt it'
    )
    internal: Name | None = Field(
        default=None,
        description="the name of one internal resource; the task holds it whenever it runs",
    )
    events: Names = Field(
        default=[], description="a list of names; the events that the task can wait for"
    )
    resources: Names = Field(
        default=[],
        description="a list of names; the resources that its C locks; those of a body are known",
    )
    stack: Annotated[int, Field(ge=1024, le=1 << 20)] | None = Field(
        default=None, description="a whole number of bytes from 1024 to 1048576; without it, 4096"
    )
    server: Name | None = Field(
        default=None,
        description="the name of one server; which pays for its time, and among whose tasks its "
        "priority counts; needed on a CPU that has servers",
    )
    working_set: Annotated[int, _text(_parse_working_set)] | None = Field(
        default=None,
        description=f"{WORKING_SET}; the memory that a job uses: --overheads linux measures what "
        "it costs to load that again after a preemption",
    )
    execution_budget: Duration | None = Field(
        default=None,
        description=f"{DURATION}; the processor time of an execution, up to its end or to where it "
        "waits: at its end ProtectionHook gets E_OS_PROTECTION_TIME",
    )
    time_frame: Duration | None = Field(
        default=None,
        description=f"{DURATION}; how far its arrivals are apart at least, activations and events "
        "for which it waits: others are not done, and ProtectionHook gets E_OS_PROTECTION_ARRIVAL",
    )
    all_interrupt_lock_budget: Duration | None = Field(
        default=None,
        description=f"{DURATION}; for how long it may hold interrupts back by "
        "DisableAllInterrupts() or SuspendAllInterrupts(): at the end ProtectionHook gets "
        "E_OS_PROTECTION_LOCKED",
    )
    os_interrupt_lock_budget: Duration | None = Field(
        default=None,
        description=f"{DURATION}; the same by SuspendOSInterrupts()",
    )
    resource_lock_budgets: dict[Name, Duration] = Field(
        default={},
        description='a table of resources with a duration each, such as { R = "50us" }; for how '
        "long it may hold them, the same; needs sections that are system calls",
    )
    application: Membership = None
    access: Access = []

    @property
    def relative_deadline(self) -> int | None:
        """Its deadline, or the least interval of its arrivals, in nanoseconds."""
        if self.deadline is None and self.arrival:
            return self.arrival.least_ns
        return self.deadline

    @property
    def deadline_from_release(self) -> int | None:
        """By which EDF goes: as late a release as there can be is due at its deadline."""
        deadline = self.relative_deadline
        return deadline and deadline - self.jitter

    @property
    def is_preemptable(self) -> bool:
        """Whether more urgent tasks preempt it."""
        return self.schedule == "full"

    @property
    def limits(self) -> tuple[str, ...]:
        """The fields that limit its timing."""
        return tuple(field for field in LIMITS if getattr(self, field))

    @cached_property
    def used(self) -> frozenset[str | None]:
        """What the body locks, what the task says that it has, and its internal resource."""
        locked = (step.resource for step in self.body or [] if isinstance(step, Lock))
        return frozenset((*locked, *self.resources, self.internal))


class ResourceFields(Strict):
    """One [resource.NAME]."""

    ceiling: Annotated[int, Field(ge=1, le=HIGHEST_OF_LINUX)] | None = Field(
        default=None,
        description=f"{PRIORITY}; {HIGHEST_OF_LINUX} too, if there is a [mutex.NAME]; without it, "
        "the highest priority of its users",
    )
    floor: Duration | None = Field(
        default=None,
        description=f"{DURATION}; under EDF, instead of a ceiling: the deadline inside, from "
        "the lock on; without it, the least deadline of its users",
    )
    internal: bool = Field(
        default=False,
        description=f"true or false; whether it is for the field internal of tasks, and not for "
        f"steps; {SCHEDULER} needs no table",
    )
    linked: Name | None = Field(
        default=None,
        description="the name of one resource; this is a second name of it, under which a task may "
        "lock it once more inside",
    )
    successor: Name | None = Field(
        default=None,
        description="the name of one resource; of a spinlock: the next one that may be locked "
        "inside",
    )
    lock: Literal["tasks", "nothing"] | None = Field(
        default=None,
        description='"tasks" or "nothing"; of a spinlock: whether tasks of its CPU wait while one '
        f"spins or is inside; nothing needs {GlobalProtocol.SPIN_UNORDERED}; without it, tasks",
    )
    application: Name | None = Field(
        default=None,
        description="the name of one application; to which it belongs, if to one; without it and "
        "access, those of its users may use it",
    )
    access: Access = []

    @property
    def is_open(self) -> bool:
        """Whether nothing is said of applications: then its users are those that may use it."""
        return self.application is None and not self.access


class EventFields(Strict):
    """One [event.NAME]."""

    mask: Annotated[int, Field(ge=1, lt=2**64)] | None = Field(
        default=None,
        description="a whole number from 1, below 2^64; its bits in the word of each task that has "
        "it; without it, one that is free in all of them",
    )


class CounterFields(Strict):
    """One [counter.NAME]."""

    highest: Ticks = Field(
        default=65535, description=f"{_ticks(1)}; after which it begins again at 0"
    )
    ticks_per_base: Ticks = Field(
        default=1, description=f"{_ticks(1)}; for GetAlarmBase, as the tasks take it"
    )
    min_cycle: Ticks | None = Field(
        default=None,
        description=f"{_ticks(1)}; the shortest cycle of its alarms, in ticks, and 10us at least; "
        "without it, as many as that takes",
    )
    tick: Duration | None = Field(
        default=None,
        description=f"{DURATION}; without it, it counts the calls of IncrementCounter",
    )
    cpu: Cpu = Field(
        default=0,
        description=f"{CPU}; whose timer drives it, and whose tasks may use it and its alarms",
    )
    application: Membership = None
    access: Access = []


class AlarmFields(Strict):
    """One [alarm.NAME]."""

    counter: Name = Field(description="the name of one counter")
    action: Annotated[Action, _text(parse_action)] = Field(
        description=f"{ACTIONS}; FUNCTION is ALARMCALLBACK(FUNCTION) of a trusted file, and "
        "COUNTER one without tick"
    )
    autostart: Annotated[list[TicksOrNone], Field(min_length=2, max_length=2)] | None = Field(
        default=None,
        description="[FIRST, CYCLE]; it expires so many ticks after the start, where 0 means when "
        "the counter, which starts at 0, is there again; and then each CYCLE, unless that is 0",
    )
    modes: Modes | None = Field(
        default=None,
        description="a list of names of modes; those in which autostart counts; without it, all",
    )
    application: Membership = None
    access: Access = []


class PointFields(Strict):
    """An expiry point, in the list `points` of its [schedule_table.NAME]."""

    at: TicksOrNone = Field(
        description=f"{_ticks(0)}; so long after the beginning of the table it expires"
    )
    do: Annotated[list[Annotated[Signal, _text(parse_signal)]], Field(min_length=1)] = Field(
        description=f"a list of at least one of {SIGNALS}; activations come first"
    )
    shorten: TicksOrNone = Field(
        default=0,
        description=f'{_ticks(0)}; with sync = "explicit": by so much at most the way to it from '
        "the point before becomes shorter, to catch up",
    )
    lengthen: TicksOrNone = Field(
        default=0, description=f"{_ticks(0)}; the same: by so much it becomes longer"
    )


class ScheduleTableFields(Strict):
    """One [schedule_table.NAME]."""

    counter: Name = Field(description="the name of one counter")
    duration: Annotated[int, Field(ge=0, le=MOST_TICKS + 1)] = Field(
        description=f"a whole number from 0 to {MOST_TICKS + 1}; after so many ticks it ends, or "
        "begins again"
    )
    repeating: bool = Field(
        default=False, description="true or false; whether it begins again where it ends"
    )
    points: Annotated[list[PointFields], Field(min_length=1, max_length=1000)] = Field(
        description="a list of 1 to 1000 tables; at and do of each expiry point, in their order, "
        "and if it may be adjusted shorten and lengthen"
    )
    autostart: Annotated[TableStart, _text(parse_start)] | None = Field(
        default=None,
        description=f"{STARTS}; it begins so many ticks after the start of the kernel, or when "
        "the counter next has that value, or waits for SyncScheduleTable",
    )
    sync: Annotated[str, _one_of(list(TableSync))] = Field(
        default=TableSync.NONE.value,
        description=f"one of {', '.join(TableSync)}; which time it follows: none; that of its "
        "counter, of which it then takes a whole round; or the one that SyncScheduleTable says",
    )
    precision: TicksOrNone | None = Field(
        default=None,
        description=f'{_ticks(0)}; with sync = "explicit": so far off it counts as synchronous; '
        "without it, 0",
    )
    modes: Modes | None = Field(
        default=None,
        description="a list of names of modes; those in which autostart counts; without it, all",
    )
    application: Membership = None
    access: Access = []


class ComFields(Strict):
    """The table [com]."""

    modes: Annotated[list[Name], Field(min_length=1, max_length=255)] | None = Field(
        default=None,
        description="a list of 1 to 255 names; the modes of StartCOM; without it there is one, "
        "of the number 0",
    )
    headers: Files = Field(
        default=[],
        description="a list of C headers beside the description; they have the types of messages",
    )
    error_hook: bool = Field(
        default=False,
        description="true or false; whether COMErrorHook of a trusted file is called for errors of "
        "the services of messages, which ErrorHook is not",
    )
    extension: bool = Field(
        default=False,
        description="true or false; whether StartCOM calls StartCOMExtension of a source",
    )


class MessageFields(Strict):
    """One [message.NAME]."""

    type: CType | None = Field(
        default=None,
        description=f"a type as C writes it, such as uint32_t; of what is sent, 256 bytes at "
        f"most; {NO_DATA}: it has no data, and is sent by SendZeroMessage",
    )
    from_: Name | None = Field(
        default=None,
        alias="from",
        description="the name of one message that is sent; of what is received: up to 16 receive "
        "one, each with a copy of its own",
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = Field(
        default=None,
        description=f"a whole number from 1 to {MOST_QUEUED}; how many are kept until they are "
        "received, the oldest first; without it, the last one is kept",
    )
    initial: Annotated[int, Field(ge=0, lt=2**64)] = Field(
        default=0,
        description="a whole number from 0, below 2^64; its value until the first one arrives; "
        "other types than numbers begin with zeros",
    )
    action: Annotated[Notification, _text(parse_notification)] | None = Field(
        default=None,
        description=f"{NOTIFICATIONS}; when it has arrived; FUNCTION is COMCallback(FUNCTION) of a "
        "trusted file, and NAME that of ReadFlag_NAME and ResetFlag_NAME",
    )
    cpu: Cpu = Field(
        default=0,
        description=f"{CPU}; of what is sent: whose tasks and handlers may send and receive it",
    )


class IocFields(Strict):
    """One [ioc.NAME]."""

    type: CType = Field(
        description="a type as C writes it, such as uint32_t; numbers and pointers are passed by "
        "value, others by reference",
    )
    headers: Files = Field(
        default=[], description="a list of C headers beside the description; they have the type"
    )
    senders: Annotated[list[Name], Field(min_length=1)] = Field(
        description="a list of names of tasks; one alone calls IocSend_NAME, or IocWrite_NAME, and "
        "of several the task T calls IocSend_NAME_T, or IocWrite_NAME_T"
    )
    receiver: Name = Field(
        description="the name of a task; it calls IocReceive_NAME, or IocRead_NAME",
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = Field(
        default=None,
        description=f"a whole number from 1 to {MOST_QUEUED}; how many messages are kept until "
        "they are received, the oldest first; without it, the last value is kept",
    )
    initial: Annotated[int, Field(ge=0, lt=2**64)] = Field(
        default=0,
        description="a whole number from 0, below 2^64; the value until the first one is written; "
        "other types than numbers begin with zeros",
    )


class IsrFields(Strict):
    """One [isr.NAME]."""

    source: Annotated[int, Field(ge=0, le=987)] = Field(
        description="a whole number from 0 to 987; the number of the board's interrupt"
    )
    cpu: Cpu = Field(default=0, description=f"{CPU}; which one takes it")
    priority: Priority | None = Field(
        default=None,
        description=f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent: "
        "among the interrupts of its CPU, where a more urgent one comes into the routine of "
        'another; with scheduler = "hardware" among its tasks, where none does; without it, above '
        "all of them; not under EDF, nor beside servers",
    )
    category: Literal[1, 2] = Field(
        default=2,
        description="1 or 2; 1: the kernel takes no part, so its routine asks no service but those "
        "of interrupts, and SuspendOSInterrupts does not hold it back; not beside servers",
    )
    resources: list[Name] = Field(
        default=[],
        description="a list of names of resources; those that the routine locks: a task that holds "
        f"one of them keeps the routine out; not under EDF, nor {SCHEDULER}",
    )
    application: Membership = None


class ServerFields(Strict):
    """One [server.NAME]."""

    kind: Annotated[str, _one_of([*ServerKind, RESERVATION])] = Field(
        description=f"one of {', '.join(ServerKind)}, {RESERVATION}; what becomes of budget that "
        "its tasks do not need: it burns and no other server runs, is lost, is kept to the end of "
        "the period, or is that of a fixed window; a reservation is of one thread, that of a task "
        "or of an interrupt, and of Linux alone: SCHED_DEADLINE"
    )
    cpu: Cpu = Field(default=0, description=f"{CPU}; whose time it gets; not for reservations")
    priority: Priority | None = Field(
        default=None,
        description=f"{PRIORITY}, among the servers of its CPU; not for slots and reservations",
    )
    period: Duration = Field(description=f"{DURATION}; after each its budget is replenished")
    budget: Duration = Field(
        description=f"{DURATION}; for which its tasks run at most in each period"
    )
    irq: Title | None = Field(
        default=None,
        description="1 to 100 printable characters; of a reservation: the name of an interrupt's "
        "action, as /proc/interrupts has it, whose thread is irq/N-NAME, whatever N is; or that "
        "whole name, where several interrupts have the action",
    )
    start: Annotated[int, _text(_parse_offset)] | None = Field(
        default=None,
        description=f'"0", or {DURATION}; of a slot: where it begins in each period; without it, '
        "at the end of the slot before",
    )
    clock: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="a whole number of MHz from 1 to 1000000; of the processor for which its run "
        "steps were measured, for analyse --slots",
    )
    signals: Names = Field(
        default=[],
        description="a list of names; servers whose tasks its own tasks may activate and signal "
        "from C; those of the steps of bodies are known",
    )
    global_: Annotated[str, _one_of(list(Sharing))] | None = Field(
        default=None,
        alias="global",
        description=f"one of {', '.join(Sharing)}; what it does when its budget could end while a "
        "task holds a resource with users in several servers; needed where its tasks use one",
    )
    overrun: Duration | None = Field(
        default=None,
        description=f"{DURATION}; for which at most a task of it holds such a resource, and, but "
        "for skip, which it may use beyond its budget; without it, as the bodies of its tasks say",
    )


class LockerFields(Strict):
    """A thread that locked a mutex, in the list `lockers` of its [mutex.NAME]."""

    thread: Title = Field(description="a name; that of a task, if the thread is one")
    policy: Annotated[str, _one_of(list(POLICIES))] = Field(
        description=f"one of {', '.join(POLICIES)}; how Linux scheduled it"
    )
    priority: Annotated[int, Field(ge=1, le=HIGHEST_OF_LINUX)] | None = Field(
        default=None, description=f"a whole number from 1 to {HIGHEST_OF_LINUX}; of fifo and rr"
    )
    cpu: Cpu | None = Field(
        default=None,
        description="a whole number from 0; the CPU that it is pinned to, if it is one",
    )
    locks: Count = Field(description="a whole number from 0; how often it locked the mutex")
    waits: Count = Field(
        default=0, description="a whole number from 0; how often it waited for the mutex"
    )
    preempted: Count = Field(
        default=0, description="a whole number from 0; how often it was preempted inside"
    )
    longest_hold: Duration | None = Field(
        default=None, description=f"{DURATION}; from a lock to its unlock"
    )
    longest_wait: Duration | None = Field(
        default=None, description=f"{DURATION}; for the thread that had the mutex"
    )
    waited_for: Title | None = Field(
        default=None,
        description="1 to 100 printable characters; the threads that had it when it waited",
    )


class MutexFields(Strict):
    """One [mutex.NAME]: what `plafond preload --learn` saw of a mutex of Linux."""

    use: bool = Field(
        default=False,
        description="true or false; whether `plafond preload --ceilings` runs it as run_as says",
    )
    run_as: Literal["ceiling", "inherit"] = Field(
        default="ceiling",
        description='"ceiling" or "inherit"; under the ceiling of the resource of this name, or, '
        "a plain mutex, with inheritance",
    )
    why: Title | None = Field(
        default=None,
        description="1 to 100 printable characters; why it is not used, or what to mind",
    )
    protocol: Literal["none", "inherit", "protect"] = Field(
        description='"none", "inherit" or "protect"; what the program asks for'
    )
    module: FileName = Field(
        description="a file name; that of the program or library that makes it"
    )
    offset: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")] = Field(
        description='a hexadecimal number, such as "0x1a2b"; where the call of pthread_mutex_init '
        "returns to in that file, as nm and addr2line count it"
    )
    symbol: FileName | None = Field(
        default=None,
        description="1 to 500 printable characters; the function around it, if it has a name",
    )
    order: Annotated[int, Field(ge=0, lt=2**32)] = Field(
        default=1,
        description="a whole number from 0; which of those that are made there; 0: not known",
    )
    named: Annotated[str, Field(pattern=r"^[ -~]{1,31}$")] | None = Field(
        default=None,
        description="1 to 31 printable characters; the name that the program gives it: it is known "
        "by that",
    )
    path: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")] | None = Field(
        default=None,
        description="a hexadecimal number; of the calls around that which makes it, in this thread "
        "and in those that created it",
    )
    nth: Annotated[int, Field(ge=1, lt=2**32)] = Field(
        default=1, description="a whole number from 1; which of those that are made by that path"
    )
    place: Place | None = Field(
        default=None,
        description=f"{PLACE}; of the mutex itself, a variable of that file: it is known as that",
    )
    locked_at: Annotated[list[Place], Field(max_length=8)] = Field(
        default=[],
        description=f"a list; {PLACE}; where a mutex that no call makes is first locked",
    )
    lockers: Annotated[list[LockerFields], Field(max_length=2000)] = Field(
        default=[],
        description="a list of tables; name and policy of each thread that locked it, and if known "
        "priority, cpu, locks, waits, preempted, longest_hold, longest_wait, waited_for",
    )


class Description(Strict):
    """A whole file."""

    name: Title | None = Field(
        default=None,
        description="a title of 1 to 100 printable characters; without it, the file's name",
    )
    cpus: Annotated[int, Field(ge=1, le=MOST_CPUS)] = Field(
        default=1,
        description=f"a whole number from 1 to {MOST_CPUS}; how many processors there are",
    )
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(
        default=1,
        description="a whole number from 0, below 2^63; "
        "where random arrivals, ranges and jitter start from",
    )
    scheduler: Annotated[str, _one_of(list(Scheduler))] = Field(
        default=Scheduler.PRIORITY.value,
        description='"priority", "hardware" or "edf"; which task runs: that of the highest '
        "priority; on Plafond's own kernel only, the same by its interrupt controller, or that of "
        "the earliest absolute deadline",
    )
    kernel: KernelFields = Field(
        default=KernelFields(), description="a table [kernel]; for Plafond's own kernel"
    )
    task: Annotated[dict[Name, TaskFields], Field(min_length=1, max_length=1000)] = Field(
        description=f"tables [task.NAME], 1 to 1000; NAME is {NAME}"
    )
    resource: Annotated[dict[Name, ResourceFields], Field(max_length=1000)] = Field(
        default={}, description=f"tables [resource.NAME], at most 1000; NAME is {NAME}"
    )
    server: Annotated[dict[Name, ServerFields], Field(max_length=MOST_SERVERS)] = Field(
        default={}, description=f"tables [server.NAME], at most {MOST_SERVERS}; NAME is {NAME}"
    )
    application: Annotated[dict[Name, ApplicationFields], Field(max_length=MOST_APPLICATIONS)] = (
        Field(
            default={},
            description=f"tables [application.NAME], at most {MOST_APPLICATIONS}; NAME is {NAME}",
        )
    )
    event: Annotated[dict[Name, EventFields], Field(max_length=1000)] = Field(
        default={}, description=f"tables [event.NAME], at most 1000; NAME is {NAME}"
    )
    counter: Annotated[dict[Name, CounterFields], Field(max_length=255)] = Field(
        default={}, description=f"tables [counter.NAME], at most 255; NAME is {NAME}"
    )
    alarm: Annotated[dict[Name, AlarmFields], Field(max_length=255)] = Field(
        default={}, description=f"tables [alarm.NAME], at most 255; NAME is {NAME}"
    )
    schedule_table: Annotated[dict[Name, ScheduleTableFields], Field(max_length=255)] = Field(
        default={}, description=f"tables [schedule_table.NAME], at most 255; NAME is {NAME}"
    )
    isr: Annotated[dict[Name, IsrFields], Field(max_length=255)] = Field(
        default={}, description=f"tables [isr.NAME], at most 255; NAME is {NAME}"
    )
    com: ComFields = Field(default=ComFields(), description="a table [com]; for messages")
    message: Annotated[dict[Name, MessageFields], Field(max_length=MOST_MESSAGES)] = Field(
        default={},
        description=f"tables [message.NAME], at most {MOST_MESSAGES}; NAME is {NAME}",
    )
    ioc: Annotated[dict[Name, IocFields], Field(max_length=MOST_IOCS)] = Field(
        default={}, description=f"tables [ioc.NAME], at most {MOST_IOCS}; NAME is {NAME}"
    )
    mutex: Annotated[dict[Name, MutexFields], Field(max_length=1000)] = Field(
        default={}, description=f"tables [mutex.NAME], at most 1000; NAME is {NAME}"
    )


# The tables of each name, and that of the kernel.
TABLES: dict[str, type[Strict]] = {
    "task": TaskFields,
    "resource": ResourceFields,
    "server": ServerFields,
    "application": ApplicationFields,
    "event": EventFields,
    "counter": CounterFields,
    "alarm": AlarmFields,
    "schedule_table": ScheduleTableFields,
    "isr": IsrFields,
    "message": MessageFields,
    "ioc": IocFields,
    "mutex": MutexFields,
}
# Those in a list of such a table, by its name.
LISTED: dict[str, type[Strict]] = {"schedule_table": PointFields, "mutex": LockerFields}
