# SPDX-License-Identifier: MIT
"""OSEK's terms, which only Plafond's own kernel has."""

from enum import StrEnum

from plafond.protocols import GlobalProtocol, KernelProtocol

DEFAULT_MODE = "OSDEFAULTAPPMODE"  # the first mode in C, whatever its name in the file
SCHEDULER = "RES_SCHEDULER"  # the resource with the highest ceiling; it needs no table


class Status(StrEnum):
    """How much a service checks."""

    STANDARD = "standard"
    EXTENDED = "extended"


class Warnings(StrEnum):
    """Treatment of the compiler's warnings about the application's C."""

    SHOWN = "shown"
    ERRORS = "errors"
    NONE = "none"


class Scheduler(StrEnum):
    """The rule that chooses the running task; each value is a folder of kernel/scheduler."""

    PRIORITY = "priority"  # fixed priorities
    HARDWARE = "hardware"  # fixed priorities, by the interrupt controller
    EDF = "edf"  # the earliest absolute deadline first

    @property
    def has_priorities(self) -> bool:
        """Whether tasks have fixed priorities and resources have ceilings."""
        return self is not Scheduler.EDF


DEFAULT_PROTOCOLS = {
    Scheduler.PRIORITY: KernelProtocol.UPRIO_NPRIO,
    Scheduler.HARDWARE: KernelProtocol.LAZY_CEILING,
    Scheduler.EDF: KernelProtocol.LAZY_FLOOR,
}


def schedulers_of(protocol: KernelProtocol) -> list[Scheduler]:
    """Return the schedulers that suit a protocol: ceilings are priorities, floors are deadlines."""
    return [Scheduler(name) for name in protocol.traits.schedulers]


def scheduler_of(protocol: KernelProtocol) -> Scheduler:
    """Return the first scheduler that suits the protocol; software comes before hardware."""
    return schedulers_of(protocol)[0]


def protocols_under(scheduler: Scheduler) -> list[KernelProtocol]:
    """Return the protocols that suit a scheduler."""
    return [protocol for protocol in KernelProtocol if scheduler in schedulers_of(protocol)]


def globals_under(scheduler: Scheduler) -> list[GlobalProtocol]:
    """Return the protocols for global resources that suit a scheduler."""
    able = [each for protocol in protocols_under(scheduler) for each in protocol.traits.globals]
    return [each for each in GlobalProtocol if each in able]


class Hook(StrEnum):
    """Functions of the application that the kernel calls, if they exist."""

    STARTUP = "startup"
    SHUTDOWN = "shutdown"
    ERROR = "error"
    PRETASK = "pretask"
    POSTTASK = "posttask"
    PROTECTION = "protection"

    @property
    def function(self) -> str:
        """The name of the function in C."""
        return {"pretask": "PreTask", "posttask": "PostTask"}.get(self, self.capitalize()) + "Hook"
