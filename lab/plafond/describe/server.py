# SPDX-License-Identifier: MIT
"""Servers: each pays for the time of its own tasks, out of a budget that comes back in each period.

OSPERT 2010, 8 (IV.C: the idling periodic server, and two levels of fixed priorities) and 3 (slots).
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

    @property
    def is_slot(self) -> bool:
        """Whether its time is fixed by the clock alone."""
        return self.kind is ServerKind.SLOT
