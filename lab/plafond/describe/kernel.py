# SPDX-License-Identifier: MIT
"""What only Plafond's own kernel has: OSEK's objects."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from plafond.describe.body import Action, Activate, SetEvent, Signal
from plafond.protocols import GlobalProtocol, KernelProtocol

DEFAULT_MODE = "OSDEFAULTAPPMODE"  # what C calls the first mode, whatever its name
SCHEDULER = "RES_SCHEDULER"  # the resource that every description has, of the highest ceiling


class Status(StrEnum):
    """How much a service checks."""

    STANDARD = "standard"
    EXTENDED = "extended"


class Warnings(StrEnum):
    """What becomes of the compiler's warnings about the application's C."""

    SHOWN = "shown"
    ERRORS = "errors"
    NONE = "none"


class Scheduler(StrEnum):
    """Which task runs: a folder of kernel/scheduler each."""

    PRIORITY = "priority"  # fixed priorities
    HARDWARE = "hardware"  # the same, by the interrupt controller
    EDF = "edf"  # the earliest absolute deadline first

    @property
    def has_priorities(self) -> bool:
        """Whether tasks have fixed priorities, and resources ceilings."""
        return self is not Scheduler.EDF


DEFAULT_PROTOCOLS = {
    Scheduler.PRIORITY: KernelProtocol.UPRIO_NPRIO,
    Scheduler.HARDWARE: KernelProtocol.LAZY_CEILING,
    Scheduler.EDF: KernelProtocol.LAZY_FLOOR,
}


def schedulers_of(protocol: KernelProtocol) -> list[Scheduler]:
    """Return those that it can have: ceilings are priorities, and floors are deadlines."""
    return [Scheduler(name) for name in protocol.traits.schedulers]


def scheduler_of(protocol: KernelProtocol) -> Scheduler:
    """Return the first of these: the software's, where there is one."""
    return schedulers_of(protocol)[0]


def protocols_under(scheduler: Scheduler) -> list[KernelProtocol]:
    """Return the protocols that a scheduler can have."""
    return [protocol for protocol in KernelProtocol if scheduler in schedulers_of(protocol)]


def globals_under(scheduler: Scheduler) -> list[GlobalProtocol]:
    """Return the protocols for global resources that a scheduler can have."""
    able = [each for protocol in protocols_under(scheduler) for each in protocol.traits.globals]
    return [each for each in GlobalProtocol if each in able]


class Hook(StrEnum):
    """What the kernel calls, where it is there."""

    STARTUP = "startup"
    SHUTDOWN = "shutdown"
    ERROR = "error"
    PRETASK = "pretask"
    POSTTASK = "posttask"
    PROTECTION = "protection"

    @property
    def function(self) -> str:
        """As C names it."""
        return {"pretask": "PreTask", "posttask": "PostTask"}.get(self, self.capitalize()) + "Hook"


@dataclass(frozen=True)
class Kernel:
    """The table [kernel]; sources are absolute paths."""

    status: Status = Status.STANDARD
    protocol: KernelProtocol = KernelProtocol.UPRIO_NPRIO
    global_protocol: GlobalProtocol | None = None  # None: what goes with `protocol`
    hooks: frozenset[Hook] = frozenset()
    sources: tuple[Path, ...] = ()  # run in user mode: those of applications, too
    trusted: tuple[Path, ...] = ()  # run in the kernel: hooks, interrupt service routines
    mixed: tuple[Path, ...] = ()  # run in both modes
    include: tuple[Path, ...] = ()  # absolute folders of headers
    flags: tuple[str, ...] = ()  # of the compiler, for these files
    warnings: Warnings = Warnings.SHOWN
    console: bool = False
    modes: tuple[str, ...] = ()  # the first is that of a system that names none
    parameters: bool = False  # whether ErrorHook can ask for those of the service
    stack_monitoring: bool = False  # whether a fault of the stack is E_OS_STACKFAULT

    @property
    def files(self) -> tuple[Path, ...]:
        """All C files of the application."""
        return (*self.sources, *self.trusted, *self.mixed)


KERNEL = Kernel()  # of a description without the table


SHORTEST_CYCLE_NS = 10_000


def least_cycle(tick_ns: int | None) -> int:
    """Return the ticks of the shortest cycle that leaves the processor to the tasks."""
    return max(1, -(-SHORTEST_CYCLE_NS // tick_ns)) if tick_ns else 1


@dataclass(frozen=True)
class Counter:
    """Counts from 0 to `highest`, and again; tick_ns: by itself, else IncrementCounter does."""

    name: str
    highest: int
    ticks_per_base: int
    min_cycle: int
    tick_ns: int | None
    cpu: int = 0


@dataclass(frozen=True)
class Alarm:
    """What happens when a counter has come to some value."""

    name: str
    counter: str
    action: Action
    autostart: tuple[int, int] | None  # first, after the start, and cycle: in ticks
    modes: tuple[str, ...] = ()  # of autostart; none: all

    @property
    def task(self) -> str | None:
        """The task that it activates, or whose event it sets."""
        return self.action.task if isinstance(self.action, Activate | SetEvent) else None


class StartKind(StrEnum):
    """What the ticks of an autostart count from."""

    RELATIVE = "relative"  # the start
    ABSOLUTE = "absolute"  # the counter's 0
    SYNCHRON = "synchron"  # it waits for its synchronisation: there are no ticks


class TableSync(StrEnum):
    """Which time a schedule table follows."""

    NONE = "none"
    IMPLICIT = "implicit"  # its counter is that time
    EXPLICIT = "explicit"  # SyncScheduleTable says it


@dataclass(frozen=True)
class TableStart:
    """How the start of the kernel starts a schedule table."""

    kind: StartKind
    ticks: int = 0

    def __str__(self) -> str:
        """Return it as it is written."""
        return self.kind if self.kind is StartKind.SYNCHRON else f"{self.kind} {self.ticks}"


@dataclass(frozen=True)
class ExpiryPoint:
    """What a schedule table does so many ticks after its beginning."""

    at: int
    signals: tuple[Signal, ...]
    shorten: int = 0  # by so much the way to it may become shorter, or longer
    lengthen: int = 0


@dataclass(frozen=True)
class ScheduleTable:
    """Expiry points, one after the other; times in ticks of the counter."""

    name: str
    counter: str
    duration: int
    repeats: bool
    points: tuple[ExpiryPoint, ...]
    autostart: TableStart | None
    modes: tuple[str, ...] = ()  # of autostart; none: all
    sync: TableSync = TableSync.NONE
    precision: int = 0

    @property
    def signals(self) -> tuple[Signal, ...]:
        """What all of its points do."""
        return tuple(each for point in self.points for each in point.signals)


@dataclass(frozen=True)
class Isr:
    """An interrupt service routine."""

    name: str
    source: int  # as the board counts them
    cpu: int = 0
    priority: int | None = None  # among the interrupts of its CPU, or, by hardware, its tasks
    resources: tuple[str, ...] = ()  # those that it locks
    category: int = 2  # 1: the kernel takes no part
