# SPDX-License-Identifier: MIT
"""How figures of a measurement stand in the cells of a table."""

from typing import Protocol

from plafond.bench.model import Arrival, BreakEven

MARK = "*"


class Cost(Protocol):
    """What every row of a measurement has, whatever it names."""

    @property
    def ns_median(self) -> float:
        """Median of the repetitions."""

    @property
    def ns_min(self) -> float:
        """Shortest repetition."""

    @property
    def ns_max(self) -> float:
        """Longest repetition."""

    @property
    def system_calls(self) -> float | None:
        """None: not counted."""

    @property
    def with_stops(self) -> bool:
        """Whether the machine stopped a thread in it."""


class Pair(Cost, Protocol):
    """An uncontended pair."""

    @property
    def instructions(self) -> float | None:
        """None: not counted."""


class Preempted(Cost, Protocol):
    """A section during which a thread arrives."""

    @property
    def arrival(self) -> Arrival:
        """What the thread does that arrives."""

    @property
    def context_switches(self) -> float:
        """Of all threads together."""


def named(name: str, row: Cost) -> str:
    """Return the name of a row, with a mark if it could not be measured without stops."""
    return f"{name} {MARK}" if row.with_stops else name


def pair_cells(cost: Pair) -> tuple[str, ...]:
    """Return times and counts of a pair."""
    return (*_times(cost), count(cost.system_calls), count(cost.instructions))


def preempted_cells(cost: Preempted) -> tuple[str, ...]:
    """Return what arrives in a section, and what that costs."""
    counts = (count(cost.system_calls), count(cost.context_switches))
    return (cost.arrival.value, *_times(cost), *counts)


def break_even_cells(row: BreakEven) -> tuple[str, ...]:
    """Return a row of break-evens."""
    return (row.lock, row.rival, row.arrival.value, share(row.share))


def _times(cost: Cost) -> tuple[str, str, str]:
    return (ns(cost.ns_median), ns(cost.ns_min), ns(cost.ns_max))


def ns(value: float) -> str:
    """Return a time in nanoseconds."""
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def count(value: float | None) -> str:
    """Return what was counted."""
    return "not counted" if value is None else f"{value:.4g}"


def share(value: float | None) -> str:
    """Return a break-even; see BreakEven."""
    words = {1.0: "always", 0.0: "never", None: "only above some share"}
    return words.get(value) or f"{value:.1%}"
