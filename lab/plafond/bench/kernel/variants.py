# SPDX-License-Identifier: MIT
"""The measured variants of the kernel; each has an image."""

from enum import StrEnum

from plafond.describe.kernel import Scheduler, Status, scheduler_of
from plafond.protocols import KernelProtocol

BY_HARDWARE = "hardware-"


class Variant(StrEnum):
    """A protocol; the status is standard unless the name has another."""

    SYSCALL = "syscall"
    UPRIO_KPRIO = "uprio-kprio"
    UPRIO_KPRIO_LAZY = "uprio-kprio-lazy"
    UPRIO_NPRIO = "uprio-nprio"
    SYSCALL_BARE = "syscall-bare"
    SYSCALL_ID_UPRIO = "syscall-id-uprio"
    IRQ_OFF = "irq-off"
    UPRIO_NPRIO_EXTENDED = "uprio-nprio-extended"
    LAZY_CEILING_SIMPLE = "lazy-ceiling-simple"
    LAZY_CEILING = "lazy-ceiling"
    DEADLINE_FLOOR = "deadline-floor"
    LAZY_FLOOR = "lazy-floor"
    HARDWARE_MASK = "hardware-mask"
    HARDWARE_UPRIO_KPRIO = "hardware-uprio-kprio"
    HARDWARE_LAZY_CEILING = "hardware-lazy-ceiling"
    NONE = "none"
    INHERIT = "inherit"

    @property
    def status(self) -> Status:
        """Return the status, which decides how much its services check."""
        return Status.EXTENDED if self is Variant.UPRIO_NPRIO_EXTENDED else Status.STANDARD

    @property
    def protocol(self) -> KernelProtocol:
        """Return the protocol of its tasks."""
        return KernelProtocol(self.removesuffix("-extended").removeprefix(BY_HARDWARE))

    @property
    def scheduler(self) -> Scheduler:
        """Return the scheduler."""
        return Scheduler.HARDWARE if self.startswith(BY_HARDWARE) else scheduler_of(self.protocol)

    @property
    def heading(self) -> str:
        """Return a narrow heading, as in the paper's tables."""
        return HEADINGS.get(self, str(self))


HEADINGS = {
    Variant.SYSCALL: "System Call",
    Variant.UPRIO_KPRIO: "UPRIO KPRIO",
    Variant.UPRIO_KPRIO_LAZY: "KPRIO lazy",
    Variant.UPRIO_NPRIO: "UPRIO NPRIO",
    Variant.LAZY_CEILING_SIMPLE: "lazy, simple",
    Variant.LAZY_CEILING: "lazy ceiling",
    Variant.HARDWARE_MASK: "mask",
    Variant.HARDWARE_UPRIO_KPRIO: "UPRIO KPRIO",
    Variant.HARDWARE_LAZY_CEILING: "lazy ceiling",
}


# The columns of Tables II and III; the first is the baseline.
COMPARED = (
    Variant.SYSCALL,
    Variant.UPRIO_KPRIO,
    Variant.UPRIO_KPRIO_LAZY,
    Variant.UPRIO_NPRIO,
)
# The columns of the same tables with Almatary's protocols.
LAZY = (
    Variant.SYSCALL,
    Variant.UPRIO_NPRIO,
    Variant.LAZY_CEILING_SIMPLE,
    Variant.LAZY_CEILING,
)
# User code can read: nothing; the task's index; its index and its priority (Section V.A).
BY_VARIABLES = (Variant.SYSCALL_BARE, Variant.SYSCALL, Variant.SYSCALL_ID_UPRIO)
WITHOUT_CEILINGS = (Variant.NONE, Variant.INHERIT, Variant.SYSCALL, Variant.UPRIO_NPRIO)
PRAGMATIC = (Variant.IRQ_OFF, Variant.UPRIO_NPRIO, Variant.SYSCALL)
# The variants of Mueller's tables, by scheduler: software and hardware.
SCHEDULED = (
    Variant.SYSCALL,
    Variant.UPRIO_NPRIO,
    Variant.HARDWARE_MASK,
    Variant.HARDWARE_UPRIO_KPRIO,
    Variant.HARDWARE_LAZY_CEILING,
)
BY = {Scheduler.PRIORITY: "software", Scheduler.HARDWARE: "hardware"}


def by_scheduler(variant: str) -> str:
    """Return the heading of a variant in Mueller's tables."""
    return f"{BY[Variant(variant).scheduler]}: {Variant(variant).protocol}"


def with_protocol(variant: str) -> str:
    """Return the heading with the protocol for resources of several cores."""
    protocol = Variant(variant).protocol
    return f"{BY[Variant(variant).scheduler]}: {protocol.traits.globals[0]}, {protocol}"
