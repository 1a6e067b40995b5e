# SPDX-License-Identifier: MIT
"""Servers. A server pays for its tasks' time from a budget, replenished in each period.

OSPERT 2010, 8: the idling periodic server and two levels of fixed priorities (IV.C), and resources
that several servers share (VI to VIII). OSPERT 2010, 3: slots.
"""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from plafond.describe.fields import (
    COMPUTED,
    CPU,
    PRIORITY,
    Cpu,
    Duration,
    Names,
    Offset,
    Priority,
    Title,
    field,
    one_of,
)
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem
from plafond.units import DURATION, format_exactly

MOST_SERVERS = 32  # on all CPUs: one bit each
OF_INTERRUPTS = "irq/"  # begins the name of an interrupt's thread
LEAST_BUDGET_NS = 1024  # for reservations: Linux refuses budgets below this
BEFORE_ALL = 100  # priority of a task in a reservation: above all of SCHED_FIFO
BEHIND_ALL = 0  # priority of a task in the background: below all of SCHED_FIFO
# Fields that reservations do not have, and the reasons.
NOT_OF_RESERVATIONS = {
    "cpu": "the kernel runs an interrupt's thread on any CPU, and that of a task on the task's",
    "priority": "its thread is before all threads of SCHED_FIFO",
    "start": "that is of slots",
    "clock": "that is of servers with tasks",
    "signals": "that is of servers with tasks",
    "global": "that is of servers with tasks",
    "overrun": "that is of servers with tasks",
}


class ServerKind(StrEnum):
    """Treatment of a budget that no task of the server needs."""

    IDLING = "idling"  # burns: no less urgent server runs meanwhile
    POLLING = "polling"  # lost until the next replenishment
    DEFERRABLE = "deferrable"  # kept until the end of the period
    SLOT = "slot"  # a fixed window in each period, used or not
    RESERVATION = "reservation"  # as Linux decides: SCHED_DEADLINE


class Sharing(StrEnum):
    """Treatment of a resource of several servers if the budget could end inside a section.

    OSPERT 2010, 8: HSRP, without and with payback, and SIRAP. X is `hold_ns`, the longest hold.
    """

    OVERRUN = "overrun"  # the server continues to the end of the section, at most for X
    OVERRUN_PAYBACK = "overrun-payback"  # as overrun, but the next budget is smaller by that time
    SKIP = "skip"  # a task enters only if more than X is left, or else waits for a new budget

    @property
    def overruns(self) -> bool:
        """Whether the server may use more than its budget in a period."""
        return self is not Sharing.SKIP


class Server(Named):
    """A table [server.NAME]: its tasks run only while its budget lasts."""

    table = "server"

    kind: Annotated[ServerKind, one_of(ServerKind)] = field(
        f"one of {', '.join(ServerKind)}; what becomes of budget that "
        "its tasks do not need: it burns and no other server runs, is lost, is kept to the end of "
        "the period, or is that of a fixed window; a reservation is of one thread, that of a task "
        "or of an interrupt, and of Linux alone: SCHED_DEADLINE"
    )
    cpu: Cpu = field(f"{CPU}; whose time it gets; not for reservations", 0)
    priority: Priority | None = field(
        f"{PRIORITY}, among the servers of its CPU; not for slots and reservations", None
    )
    period_ns: Duration = field(f"{DURATION}; after each its budget is replenished", alias="period")
    budget_ns: Duration = field(
        f"{DURATION}; for which its tasks run at most in each period", alias="budget"
    )
    irq: Title | None = field(
        "1 to 100 printable characters; of a reservation: the name of an interrupt's "
        "action, as /proc/interrupts has it, whose thread is irq/N-NAME, whatever N is; or that "
        "whole name, where several interrupts have the action",
        None,
    )
    start_ns: Offset | None = field(
        f'"0", or {DURATION}; of a slot: where it begins in each period; without it, '
        "at the end of the slot before",
        None,
        alias="start",
    )
    clock_mhz: Annotated[int, Field(ge=1, le=1_000_000)] | None = field(
        "a whole number of MHz from 1 to 1000000; of the processor for which its run "
        "steps were measured, for analyse --slots",
        None,
        alias="clock",
    )
    signals: Names = field(
        "a list of names; servers whose tasks its own tasks may activate and signal "
        "from C; those of the steps of bodies are known",
        (),
    )
    sharing: Annotated[Sharing, one_of(Sharing)] | None = field(
        f"one of {', '.join(Sharing)}; what it does when its budget could end while a "
        "task holds a resource with users in several servers; needed where its tasks use one",
        None,
        alias="global",
    )
    hold_ns: Duration | None = field(
        f"{DURATION}; for which at most a task of it holds such a resource, and, but "
        "for skip, which it may use beyond its budget; without it, as the bodies of its tasks say",
        None,
        alias="overrun",
    )
    is_hold_given: Annotated[bool, COMPUTED] = False  # False: computed from the bodies
    # The task of a reservation; None for an interrupt's thread, which may run on any CPU.
    task: Annotated[str | None, COMPUTED] = None

    @property
    def share(self) -> Fraction:
        """Return the largest share of a CPU that the server can get."""
        return Fraction(self.budget_ns, self.period_ns)

    @property
    def is_slot(self) -> bool:
        """Whether the clock alone fixes the server's time."""
        return self.kind is ServerKind.SLOT

    @property
    def is_reservation(self) -> bool:
        """Whether it has a single thread, of an interrupt or of a task; on Linux only."""
        return self.kind is ServerKind.RESERVATION

    def thread(self, number: str) -> str:
        """Return the name of a reservation's thread; `number` replaces the interrupt's number."""
        if self.irq is None:
            return f"task {self.task}"
        return self.irq if self.irq.startswith(OF_INTERRUPTS) else f"irq/{number}-{self.irq}"

    def takes_from(self, cpu: int) -> bool:
        """Whether the thread of a reservation may run on the CPU."""
        return self.task is None or self.cpu == cpu

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield fields that contradict each other, and unknown servers."""
        if self.budget_ns > self.period_ns:
            expected = f"at most the period, {format_exactly(self.period_ns)}"
            yield Problem((*self.where, "budget"), format_exactly(self.budget_ns), expected)
        if self.is_reservation:
            yield from self._problems_of_reservation()
            return
        if self.irq is not None:
            expected = f'no irq: that is of kind = "{ServerKind.RESERVATION}", and this server is '
            yield Problem((*self.where, "irq"), f'"{self.irq}"', expected + self.kind)
        if self.is_slot and self.priority is not None:
            expected = "no priority: the clock says when a slot has its CPU"
            yield Problem((*self.where, "priority"), str(self.priority), expected)
        if not self.is_slot and self.priority is None:
            expected = 'a priority among the servers of its CPU, or kind = "slot"'
            yield Problem((*self.where, "priority"), "nothing", expected)
        if not self.is_slot and self.start_ns is not None:
            expected = f"no start: that is of slots, and this server is {self.kind}"
            yield Problem((*self.where, "start"), instant(self.start_ns), expected)
        for index, other in enumerate(self.signals):
            wrong = known.wrong("server", other)
            if wrong:
                yield Problem((*self.where, "signals", index), other, wrong)

    def _problems_of_reservation(self) -> Iterator[Problem]:
        if self.budget_ns < LEAST_BUDGET_NS:
            expected = f"at least {LEAST_BUDGET_NS}ns: Linux refuses less"
            yield Problem((*self.where, "budget"), format_exactly(self.budget_ns), expected)
        for name, why in NOT_OF_RESERVATIONS.items():
            if name in self.given:
                expected = f"no {name}: {why}"
                yield Problem((*self.where, name), "one of a reservation", expected)


def reservation(name: str, irq: str | None, period_ns: int, budget_ns: int) -> Server:
    """Return a reservation."""
    values = {"irq": irq, "period_ns": period_ns, "budget_ns": budget_ns}
    return Server.made(name, kind=ServerKind.RESERVATION, **values)


def instant(time_ns: int) -> str:
    """Return the text of an offset in a period."""
    return format_exactly(time_ns) if time_ns else "0"
