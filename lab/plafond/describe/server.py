# SPDX-License-Identifier: MIT
"""Servers: each pays for the time of its own tasks, out of a budget that comes back in each period.

OSPERT 2010, 8 (IV.C: the idling periodic server, and two levels of fixed priorities; VI to VIII:
resources that several of them share) and 3 (slots).
"""

from dataclasses import dataclass
from enum import StrEnum

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
