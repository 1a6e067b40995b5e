# SPDX-License-Identifier: MIT
"""Counters of Plafond's own kernel: alarms and schedule tables follow their ticks."""

from collections.abc import Iterator

from plafond.describe.fields import (
    CPU,
    Access,
    Cpu,
    Duration,
    Form,
    Membership,
    Oil,
    Ticks,
    field,
    ticks,
)
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem, Where
from plafond.units import DURATION

SHORTEST_CYCLE_NS = 10_000


class Counter(Named):
    """A table [counter.NAME]: counts from 0 to `highest`, then from 0 again."""

    table = "counter"
    oil_kind = "COUNTER"
    oil = """
        UINT32 WITH_AUTO [1..4294967294] MAXALLOWEDVALUE = AUTO : "AUTO: 65535";
        UINT32 WITH_AUTO [1..4294967294] TICKSPERBASE = AUTO : "AUTO: 1";
        UINT32 WITH_AUTO [1..4294967294] MINCYCLE = AUTO : "AUTO: as many ticks as 10us take";
        FLOAT WITH_AUTO SECONDSPERTICK = AUTO : "AUTO: IncrementCounter() counts, and no timer";
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
        UINT32 [0..3] CPU_ID : "as of TASK; its alarms and schedule tables are on that core, too";
    """

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
    tick_ns: Duration | None = field(
        f"{DURATION}; without it, it counts the calls of IncrementCounter",
        None,
        alias="tick",
        oil=Oil("SECONDSPERTICK", Form.SECONDS, also="tickduration period"),
    )
    cpu: Cpu = field(
        f"{CPU}; whose timer drives it, and whose tasks may use it and its alarms",
        0,
        oil=Oil(also="core"),
    )
    application: Membership = None
    access: Access = ()

    @property
    def shortest_cycle(self) -> int:
        """Return the shortest cycle in ticks that leaves processor time to the tasks."""
        return self.min_cycle or self._shortest_cycle

    @property
    def _shortest_cycle(self) -> int:
        return max(1, -(-SHORTEST_CYCLE_NS // self.tick_ns)) if self.tick_ns else 1

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield a shortest cycle that is too short, or longer than the counter's range."""
        where: Where = (*self.where, "min_cycle")
        given, least = self.min_cycle, self._shortest_cycle
        if given is not None and given < least:
            expected = f"at least {least}: a shorter cycle could keep the processor from the tasks"
            yield Problem(where, str(given), expected)
        elif self.shortest_cycle > self.highest:
            expected = f"at most highest, which is {self.highest}"
            yield Problem(where, str(self.shortest_cycle), expected)
