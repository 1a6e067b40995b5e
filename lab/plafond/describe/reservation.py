# SPDX-License-Identifier: MIT
"""Reservations: threads of Linux under SCHED_DEADLINE, of interrupts or of tasks.

OSPERT 2010, 6, II.
"""

from dataclasses import dataclass
from fractions import Fraction

OF_INTERRUPTS = "irq/"  # what the name of such a thread begins with
LEAST_BUDGET_NS = 1024  # Linux refuses less: a budget is counted in units of that
MOST_OF_TASKS = Fraction(95, 100)  # of a CPU: what watches over a run comes after them
BEFORE_ALL = 100  # as a priority of a task: its thread is before all those of SCHED_FIFO


@dataclass(frozen=True)
class Reservation:
    """A thread that has `budget_ns` in each period, before all SCHED_FIFO threads.

    That of an interrupt may have them on any CPU, and never on two at once.
    """

    name: str
    irq: str | None  # the action of its interrupt, or the whole name of the thread, irq/N-ACTION
    period_ns: int
    budget_ns: int
    task: str | None = None  # whose thread has it, where it is none of an interrupt
    cpu: int | None = None  # of the task

    def thread(self, number: str) -> str:
        """Return the name of the thread; `number`: what stands for that of the interrupt."""
        if self.irq is None:
            return f"task {self.task}"
        return self.irq if self.irq.startswith(OF_INTERRUPTS) else f"irq/{number}-{self.irq}"

    def takes_from(self, cpu: int) -> bool:
        """Whether its thread may run on a CPU."""
        return self.cpu in (None, cpu)
