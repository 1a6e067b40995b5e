# SPDX-License-Identifier: MIT
"""The least window that holds all the work that arrives in it, in whole ns.

It is the least solution w of

  s(w) >= fixed + sum of ceil((w + jitter) / interval) * cost + stolen(w)

The supply s is w itself unless a server pays (supply.py). Reservations have a further term
(reserved.py).

Arrivals can fill the processor exactly. A window without other work then ends with the hyperperiod
H at the latest. A window with other work never ends. But the arrivals repeat with H, so a job that
arrives H later ends H later.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from plafond.analyse.overheads import Overheads
from plafond.analyse.reserved import Steady
from plafond.analyse.supply import WHOLE_CPU, Supply

# The load of a whole processor: fine enough for integers to replace fractions in 1,000 tasks.
WHOLE = 1 << 96


class NoWindowError(Exception):
    """There is no window, or none was found. The message is the reason: the end of a sentence."""


@dataclass(frozen=True)
class Arrivals:
    """Work that arrives at most once in each interval, and is released up to the jitter later.

    With a negative jitter the first arrival comes so long after the begin of the window, which is
    less than the interval.
    """

    interval_ns: int
    cost_ns: int
    jitter_ns: int = 0

    def in_window(self, window_ns: int) -> int:
        """Return how many arrivals can fall into a window that is open at its end."""
        return -(-(window_ns + self.jitter_ns) // self.interval_ns)

    def work_ns(self, window_ns: int) -> int:
        """Return the work of these arrivals in ns."""
        return self.in_window(window_ns) * self.cost_ns


@dataclass
class Effort:
    """How many terms an analysis may still sum, as a limit for hostile descriptions."""

    row: int = 1_000_000
    whole: int = 100_000_000
    _left: int = field(default=0, init=False)

    def begin_row(self, rows: int = 1) -> None:
        """Allow the terms of `rows` rows, as far as any are left."""
        self._left = min(rows * self.row, self.whole)

    def spend(self, terms: int) -> None:
        """Count terms; NoWindowError if they are too many."""
        self._left -= terms
        self.whole -= terms
        if self._left < 0:
            raise NoWindowError("busy period too long to follow")


@dataclass(frozen=True)
class Background:
    """The supply of a window, and the work in it besides its jobs."""

    overheads: Overheads | None = None
    wake_ups: tuple[Arrivals, ...] = ()  # of tasks whose jobs do not count
    reserved: tuple[Steady, ...] = ()  # of reservations, which are before all tasks
    carried_ns: int = 0  # once in the window: from jobs that began before it, and other work
    supply: Supply = WHOLE_CPU


class Window:
    """Solves the equation for a set of arrivals and any fixed work."""

    def __init__(
        self,
        arrivals: Iterable[Arrivals | Steady],
        effort: Effort,
        background: Background,
        fixed: Arrivals | None = None,
        demand: str = "demand",
    ) -> None:
        """Keep the arrivals; NoWindowError if they, with `fixed`, leave no time over.

        `fixed`: the arrivals whose work least_ns() gets. `demand`: the name of all work in the
        error.
        """
        everything = (*arrivals, *background.wake_ups, *background.reserved)
        self._arrivals = [each for each in everything if each.cost_ns]
        self._background = background
        self._supply = background.supply
        self._effort = effort
        self._demand = demand
        self._load = sum(each.cost_ns * WHOLE // each.interval_ns for each in self._arrivals)
        # Arrivals with a negative jitter are missing at first.
        self._later = sum(
            min(each.jitter_ns, 0) * each.cost_ns * WHOLE // each.interval_ns
            for each in self._arrivals
        )
        self._is_full = self.fills()
        if fixed:
            self.fills(fixed)

    def fills(self, *fixed: Arrivals) -> bool:
        """Return whether all arrivals, and `fixed` ones, take exactly all time.

        NoWindowError if they take more, or all time that a server or noise leaves.
        """
        everything = [*self._arrivals, *_noise(self._background.overheads), *fixed]
        # Each load is rounded up. So if this sum is below the share, the exact sum is, too.
        share = WHOLE * self._supply.budget_ns // self._supply.period_ns
        rounded = sum(-(-each.cost_ns * WHOLE // each.interval_ns) for each in everything)
        if rounded < share:
            return False
        is_near = rounded <= share + len(everything)  # else exact fractions are needless
        if is_near and self._is_alone and sum(map(_share_of, everything)) <= 1:
            return True
        raise NoWindowError(f"{self._demand} leaves no time over")

    @property
    def _is_alone(self) -> bool:
        """Whether nothing but arrivals takes time of the processor."""
        background = self._background
        return self._supply == WHOLE_CPU and not (
            background.reserved or _noise(background.overheads)
        )

    def hyperperiod_ns(self, own: Arrivals) -> int:
        """Return the time in ns after which all arrivals repeat."""
        return math.lcm(own.interval_ns, *(each.interval_ns for each in self._arrivals))

    def least_ns(self, fixed_ns: int, at_least_ns: int = 1) -> int:
        """Return the least solution; the caller must know that it is `at_least_ns` or more.

        NoWindowError if there is none, or if the search takes too long.
        """
        fixed_ns += self._background.carried_ns
        if self._is_full and (fixed_ns or any(each.jitter_ns for each in self._arrivals)):
            raise NoWindowError(f"{self._demand} leaves no time over")
        # In every solution the largest supply is at least fixed + load * window. So the search can
        # begin near the least solution, and not above it.
        supply = self._supply
        share = -(-WHOLE * supply.budget_ns // supply.period_ns)
        above_ns = fixed_ns * WHOLE + share * supply.behind_ns + self._later
        start_ns = 0 if self._is_full else above_ns // (share - self._load)
        window_ns = max(at_least_ns, start_ns)
        while True:
            needed_ns = self._needed_ns(fixed_ns, window_ns)
            if needed_ns <= window_ns:
                return window_ns
            window_ns = needed_ns

    def _needed_ns(self, fixed_ns: int, window_ns: int) -> int:
        self._effort.spend(len(self._arrivals) + 1)
        arrived_ns = sum(each.work_ns(window_ns) for each in self._arrivals)
        overheads = self._background.overheads
        stolen_ns = overheads.stolen_ns(window_ns) if overheads else 0
        return self._supply.within_ns(fixed_ns + arrived_ns + stolen_ns)


def _share_of(each: Arrivals | Steady) -> Fraction:
    return Fraction(each.cost_ns, each.interval_ns)


def _noise(overheads: Overheads | None) -> list[Arrivals]:
    """Return the noise as it is in the long run: the last point of the curve, repeated."""
    return [Arrivals(*overheads.noise[-1])] if overheads and overheads.noise else []
