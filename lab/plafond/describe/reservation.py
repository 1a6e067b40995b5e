# SPDX-License-Identifier: MIT
"""Reservations: interrupt threads of Linux under SCHED_DEADLINE. OSPERT 2010, 6, II."""

from dataclasses import dataclass

RESERVATION = "reservation"  # the kind of such a server
LEAST_BUDGET_NS = 1024  # Linux refuses less: a budget is counted in units of that


@dataclass(frozen=True)
class Reservation:
    """A thread of the kernel that has `budget_ns` in each period, before all SCHED_FIFO threads.

    It may have them on any CPU, and never on two at once.
    """

    name: str
    irq: str  # the action of the interrupt: the thread is irq/N-ACTION, N as the machine numbers it
    period_ns: int
    budget_ns: int
