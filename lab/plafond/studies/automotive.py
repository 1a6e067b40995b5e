# SPDX-License-Identifier: MIT
"""Draw task sets as in Kramer, Ziegenbein, Hamann, "Real World Automotive Benchmarks For Free",
WATERS 2015: runnables of an engine control, on a single CPU.

- A runnable has the period of Table III. Its angle-synchronous runnables are left out, because
  their rate depends on the engine. The shares of the others keep their ratios.
- Its average execution time lies between the least and the most of Table IV. The table has the
  average, too. We draw a Weibull distribution of shape 1 above the least, with that average, again
  if it is beyond the most. Runnables of 1000 ms have a range of 90 ns, so they are uniform.
- Its worst case is the average times a factor, uniform in the range of Table V.
- A task has all runnables of a period. Each deadline is the period.

Runnables are drawn until the set exceeds its utilisation. Then the last runnable is discarded or
scaled.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from random import Random

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.study import Last
from plafond.units import UNIT_NS

LONGEST_MS = 1000  # a multiple of all periods


@dataclass(frozen=True)
class Kind:
    """The runnables of a period."""

    period_ms: int
    percent: int  # of all runnables: Table III
    least_us: float  # Table IV
    average_us: float
    most_us: float
    factors: tuple[float, float]  # from the average to the worst case: Table V

    @property
    def weight(self) -> int:
        """Return how often a runnable runs in LONGEST_MS."""
        return LONGEST_MS // self.period_ms

    def cost_ns(self, random: Random) -> int:
        """Return the drawn longest execution time of a runnable."""
        return max(round(self._average_us(random) * random.uniform(*self.factors) * 1000), 1)

    def _average_us(self, random: Random) -> float:
        if self.period_ms == LONGEST_MS:
            return random.uniform(self.least_us, self.most_us)
        while True:
            drawn_us = self.least_us + random.expovariate(1 / (self.average_us - self.least_us))
            if drawn_us <= self.most_us:
                return drawn_us


KINDS = (
    Kind(1, 3, 0.34, 5.00, 30.11, (1.30, 29.11)),
    Kind(2, 2, 0.32, 4.20, 40.69, (1.54, 19.04)),
    Kind(5, 2, 0.36, 11.04, 83.38, (1.13, 18.44)),
    Kind(10, 25, 0.21, 10.09, 309.87, (1.06, 30.03)),
    Kind(20, 25, 0.25, 8.74, 291.42, (1.06, 15.61)),
    Kind(50, 3, 0.29, 17.56, 92.98, (1.13, 7.76)),
    Kind(100, 20, 0.21, 10.53, 420.43, (1.02, 8.88)),
    Kind(200, 1, 0.22, 2.56, 21.95, (1.03, 4.90)),
    Kind(1000, 4, 0.37, 0.43, 0.46, (1.84, 4.75)),
)
_UP_TO = tuple(accumulate(kind.percent for kind in KINDS))


def draw_automotive(utilisation: Fraction, last: Last, random: Random) -> TaskSet:
    """Return a set with a task for each period that has a runnable."""
    left = int(utilisation * LONGEST_MS * UNIT_NS["ms"])  # time in LONGEST_MS
    costs_ns: dict[Kind, int] = {}
    while left > 0:
        kind = draw_kind(random)
        cost_ns = kind.cost_ns(random)
        if cost_ns * kind.weight > left:
            cost_ns = left // kind.weight if last is Last.SCALE else 0
            left = 0
        left -= cost_ns * kind.weight
        if cost_ns:
            costs_ns[kind] = costs_ns.get(kind, 0) + cost_ns
    intervals_ns = {kind: kind.period_ms * UNIT_NS["ms"] for kind in KINDS}
    return TaskSet.of(
        (costs_ns[kind], interval_ns, interval_ns)
        for kind, interval_ns in intervals_ns.items()
        if kind in costs_ns
    )


def draw_kind(random: Random) -> Kind:
    """Return the kind of a runnable, by the shares of Table III."""
    place = random.random() * _UP_TO[-1]
    return next(kind for kind, end in zip(KINDS, _UP_TO, strict=True) if place < end)
