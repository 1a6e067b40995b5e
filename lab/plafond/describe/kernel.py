# SPDX-License-Identifier: MIT
"""What only Plafond's own kernel has: OSEK's objects."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

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
