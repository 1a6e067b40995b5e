# SPDX-License-Identifier: MIT
"""What only Plafond's own kernel has: OSEK's objects."""

from enum import StrEnum

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
