# SPDX-License-Identifier: MIT
"""Counters of Plafond's own kernel: alarms and schedule tables follow their ticks."""

from dataclasses import dataclass

from plafond.describe.fields import (
    CPU,
    Access,
    Cpu,
    Duration,
    Form,
    Membership,
    Oil,
    Strict,
    Ticks,
    field,
    ticks,
)
from plafond.units import DURATION

SHORTEST_CYCLE_NS = 10_000


class CounterFields(Strict):
    """One [counter.NAME]."""

    highest: Ticks = field(
        f"{ticks(1)}; after which it begins again at 0",
        65535,
        oil=Oil("MAXALLOWEDVALUE", also="max"),
    )
    ticks_per_base: Ticks = field(
        f"{ticks(1)}; for GetAlarmBase, as the tasks take it", 1, oil=Oil("TICKSPERBASE")
    )
    min_cycle: Ticks | None = field(
        f"{ticks(1)}; the shortest cycle of its alarms, in ticks, and 10us at least; "
        "without it, as many as that takes",
        None,
        oil=Oil("MINCYCLE"),
    )
    tick: Duration | None = field(
        f"{DURATION}; without it, it counts the calls of IncrementCounter",
        None,
        oil=Oil("SECONDSPERTICK", Form.SECONDS, also="tickduration period"),
    )
    cpu: Cpu = field(
        f"{CPU}; whose timer drives it, and whose tasks may use it and its alarms",
        0,
        oil=Oil(also="core"),
    )
    application: Membership = None
    access: Access = ()


def least_cycle(tick_ns: int | None) -> int:
    """Return the ticks of the shortest cycle that leaves the processor to the tasks."""
    return max(1, -(-SHORTEST_CYCLE_NS // tick_ns)) if tick_ns else 1


@dataclass(frozen=True)
class Counter:
    """Counts from 0 to `highest`, and again; tick_ns: by itself, else IncrementCounter does."""

    name: str
    highest: int
    ticks_per_base: int
    min_cycle: int
    tick_ns: int | None
    cpu: int = 0
