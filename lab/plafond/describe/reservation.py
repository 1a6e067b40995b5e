# SPDX-License-Identifier: MIT
"""Reservations: interrupt threads of Linux under SCHED_DEADLINE. OSPERT 2010, 6, II."""

from dataclasses import dataclass

RESERVATION = "reservation"  # the kind of such a server
OF_INTERRUPTS = "irq/"  # what the name of such a thread begins with
LEAST_BUDGET_NS = 1024  # Linux refuses less: a budget is counted in units of that


@dataclass(frozen=True)
class Reservation:
    """A thread of the kernel that has `budget_ns` in each period, before all SCHED_FIFO threads.

    It may have them on any CPU, and never on two at once.
    """

    name: str
    irq: str  # the action of its interrupt, or the whole name of the thread, irq/N-ACTION
    period_ns: int
    budget_ns: int

    def thread(self, number: str) -> str:
        """Return the name of the thread; `number`: what stands for that of the interrupt."""
        return self.irq if self.irq.startswith(OF_INTERRUPTS) else f"irq/{number}-{self.irq}"
