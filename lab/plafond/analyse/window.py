# SPDX-License-Identifier: MIT
"""The least window that holds all the work that arrives in it, in integers.

The least solution of  s(w) >= fixed + sum of ceil((w + jitter) / interval) * cost + stolen(w),
where s is the supply: w itself, unless a server pays (supply.py). What reservations take is a
term of its own (reserved.py).

All arrivals can fill the processor exactly. If a window holds nothing else, it ends with the
hyperperiod H at the latest. If it holds more, it never ends, but the arrivals repeat with H: the
solution for the jobs of a task that arrive in H is later by H.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from plafond.analyse.overheads import Overheads
from plafond.analyse.reserved import Steady
from plafond.analyse.supply import WHOLE_CPU, Supply

# Loads are counted in parts of this: fine enough for a thousand tasks, and no fractions.
WHOLE = 1 << 96


class NoWindowError(Exception):
    """No such window, or none found; why, as the rest of a sentence."""


@dataclass(frozen=True)
class Arrivals:
    """Work that arrives at most once in every interval, and comes up to the jitter later."""

    interval_ns: int
    cost_ns: int
    jitter_ns: int = 0

    def in_window(self, window_ns: int) -> int:
        """How many can fall into a window, open at its end."""
        return -(-(window_ns + self.jitter_ns) // self.interval_ns)

    def work_ns(self, window_ns: int) -> int:
        """How much work these bring."""
        return self.in_window(window_ns) * self.cost_ns


@dataclass
class Effort:
    """What an analysis may still spend, in terms summed; hostile descriptions need more."""

    row: int = 1_000_000
    whole: int = 100_000_000
    _left: int = field(default=0, init=False)

    def begin_row(self, rows: int = 1) -> None:
        """Allow one row, or several together, their share of what is left."""
        self._left = min(rows * self.row, self.whole)

    def spend(self, terms: int) -> None:
        """Take note of work; NoWindowError when it is too much."""
        self._left -= terms
        self.whole -= terms
        if self._left < 0:
            raise NoWindowError("busy period too long to follow")


@dataclass(frozen=True)
class Background:
    """What time a window has, and what takes some besides its jobs: nothing, without overheads."""

    overheads: Overheads | None = None
    wake_ups: tuple[Arrivals, ...] = ()  # of tasks that do not count otherwise
    reserved: tuple[Steady, ...] = ()  # before all tasks: reserved.py
    carried_ns: int = 0  # the same, of jobs that began before the window; and what is away
    supply: Supply = WHOLE_CPU


class Window:
    """Solves the equation for one set of arrivals and any fixed work."""

    def __init__(
        self,
        arrivals: Iterable[Arrivals | Steady],
        effort: Effort,
        background: Background,
        fixed: Arrivals | None = None,
        demand: str = "demand",
    ) -> None:
        """Take what arrives; NoWindowError if it leaves no time over, `fixed` work included.

        `demand`: what all of it is called in the error.
        """
        everything = (*arrivals, *background.wake_ups, *background.reserved)
        self._arrivals = [each for each in everything if each.cost_ns]
        self._background = background
        self._supply = background.supply
        self._effort = effort
        self._demand = demand
        self._load = sum(each.cost_ns * WHOLE // each.interval_ns for each in self._arrivals)
        self._is_full = self.fills()
        if fixed:
            self.fills(fixed)

    def fills(self, *fixed: Arrivals) -> bool:
        """Whether all that arrives, with the fixed work again and again, takes exactly all time.

        NoWindowError: it takes more, or all that is left by a server or by noise.
        """
        everything = [*self._arrivals, *_noise(self._background.overheads), *fixed]
        # Each is rounded up, so that what is below the whole here is so without rounding.
        share = WHOLE * self._supply.budget_ns // self._supply.period_ns
        rounded = sum(-(-each.cost_ns * WHOLE // each.interval_ns) for each in everything)
        if rounded < share:
            return False
        is_near = rounded <= share + len(everything)  # only then fractions pay
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
        """After what time all arrivals repeat."""
        return math.lcm(own.interval_ns, *(each.interval_ns for each in self._arrivals))

    def least_ns(self, fixed_ns: int, at_least_ns: int = 1) -> int:
        """Return the least solution, known to be `at_least_ns` or more."""
        fixed_ns += self._background.carried_ns
        if self._is_full and (fixed_ns or any(each.jitter_ns for each in self._arrivals)):
            raise NoWindowError(f"{self._demand} leaves no time over")
        # In every solution the most that can come is at least fixed + load * window: a start from
        # below, and a near one.
        supply = self._supply
        share = -(-WHOLE * supply.budget_ns // supply.period_ns)
        above_ns = fixed_ns * WHOLE + share * supply.behind_ns
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
    """Return the noise as it is in the long run."""
    return [Arrivals(*overheads.noise[-1])] if overheads and overheads.noise else []
