# SPDX-License-Identifier: MIT
"""Servers: each pays for the time of its own tasks, out of a budget that comes back in each period.

OSPERT 2010, 8 (IV.C: the idling periodic server, and two levels of fixed priorities; VI to VIII:
resources that several of them share) and 3 (slots).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from plafond.describe.fields import (
    CPU,
    PRIORITY,
    Cpu,
    Duration,
    Names,
    Offset,
    Priority,
    Strict,
    Title,
    field,
    one_of,
)
from plafond.describe.reservation import RESERVATION
from plafond.units import DURATION

MOST_SERVERS = 32  # on all CPUs: a bit each


class ServerKind(StrEnum):
    """What becomes of a budget that no task of the server needs."""

    IDLING = "idling"  # it burns: no less urgent server runs meanwhile
    POLLING = "polling"  # it is lost, until the next replenishment
    DEFERRABLE = "deferrable"  # it is kept, to the end of the period
    SLOT = "slot"  # a fixed window of each period, used or not


class Sharing(StrEnum):
    """What a server does when its budget could end while a task holds a resource of several.

    OSPERT 2010, 8: HSRP, without and with payback, and SIRAP.
    """

    OVERRUN = "overrun"  # it goes on until the end of the section, for X at most
    OVERRUN_PAYBACK = "overrun-payback"  # the same, and has so much less at its next replenishment
    SKIP = "skip"  # a task enters only if more than X is left, else it waits for the next budget

    @property
    def overruns(self) -> bool:
        """Whether it may use more than its budget in a period."""
        return self is not Sharing.SKIP


@dataclass(frozen=True)
class Server:
    """Whose tasks run only while it has budget left; then it has `budget_ns` in each period."""

    name: str
    kind: ServerKind
    cpu: int
    priority: int | None  # among those of its CPU; a slot has none
    period_ns: int
    budget_ns: int
    start_ns: int | None = None  # of a slot, from the beginning of each period
    clock_mhz: int | None = None  # of the processor on which its tasks have run so far
    signals: tuple[str, ...] = ()  # whose tasks its own may activate and signal
    sharing: Sharing | None = None  # of resources of several servers; None: its tasks use none
    # X: for so long at most a task of it holds such a resource, in time that the server pays for.
    hold_ns: int | None = None
    is_hold_given: bool = False  # by the description; else the bodies of its tasks say it

    @property
    def is_slot(self) -> bool:
        """Whether its time is fixed by the clock alone."""
        return self.kind is ServerKind.SLOT


class ServerFields(Strict):
    """One [server.NAME]."""

    kind: Annotated[str, one_of([*ServerKind, RESERVATION])] = field(
        f"one of {', '.join(ServerKind)}, {RESERVATION}; what becomes of budget that "
        "its tasks do not need: it burns and no other server runs, is lost, is kept to the end of "
        "the period, or is that of a fixed window; a reservation is of one thread, that of a task "
        "or of an interrupt, and of Linux alone: SCHED_DEADLINE"
    )
    cpu: Cpu = field(f"{CPU}; whose time it gets; not for reservations", 0)
    priority: Priority | None = field(
        f"{PRIORITY}, among the servers of its CPU; not for slots and reservations", None
    )
    period: Duration = field(f"{DURATION}; after each its budget is replenished")
    budget: Duration = field(f"{DURATION}; for which its tasks run at most in each period")
    irq: Title | None = field(
        "1 to 100 printable characters; of a reservation: the name of an interrupt's "
        "action, as /proc/interrupts has it, whose thread is irq/N-NAME, whatever N is; or that "
        "whole name, where several interrupts have the action",
        None,
    )
    start: Offset | None = field(
        f'"0", or {DURATION}; of a slot: where it begins in each period; without it, '
        "at the end of the slot before",
        None,
    )
    clock: Annotated[int, Field(ge=1, le=1_000_000)] | None = field(
        "a whole number of MHz from 1 to 1000000; of the processor for which its run "
        "steps were measured, for analyse --slots",
        None,
    )
    signals: Names = field(
        "a list of names; servers whose tasks its own tasks may activate and signal "
        "from C; those of the steps of bodies are known",
        (),
    )
    global_: Annotated[str, one_of(list(Sharing))] | None = field(
        f"one of {', '.join(Sharing)}; what it does when its budget could end while a "
        "task holds a resource with users in several servers; needed where its tasks use one",
        None,
        alias="global",
    )
    overrun: Duration | None = field(
        f"{DURATION}; for which at most a task of it holds such a resource, and, but "
        "for skip, which it may use beyond its budget; without it, as the bodies of its tasks say",
        None,
    )
