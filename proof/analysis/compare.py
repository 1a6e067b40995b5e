# SPDX-License-Identifier: MIT
"""Set the bounds of the analysis beside what the simulator found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median

from plafond.analyse.analysis import analyse
from plafond.protocols import Protocol

from simulator import Explored, written

LEFT_OUT = ("states", "pending")
ENDLESS = ("deadlock", "unbounded")


@dataclass(frozen=True)
class Violation:
    """A bound that does not hold."""

    explored: Explored
    found: str

    def __str__(self) -> str:
        """Return it with the system, as the simulator reads it."""
        return f"{self.explored.protocol}: {self.found}\n{written(self.explored.system)}"


@dataclass
class Tally:
    """All comparisons under one protocol."""

    protocol: Protocol
    sets: int = 0
    left_out: int = 0
    no_bound: int = 0
    states: int = 0
    violations: int = 0
    ratios: list[Fraction] = field(default_factory=list)  # bound to longest response
    without_sleeps: list[Fraction] = field(default_factory=list)  # those of such systems

    def add(self, explored: Explored, pairs: list[tuple[int | None, int]]) -> None:
        """Count one system."""
        self.sets += 1
        self.states += explored.states
        self.left_out += explored.verdict in LEFT_OUT
        self.no_bound += sum(bound is None for bound, _ in pairs)
        ratios = [Fraction(bound, response) for bound, response in pairs if bound]
        self.ratios += ratios
        if not any(task.sleeps_ns for task in explored.system.tasks):
            self.without_sleeps += ratios

    def row(self) -> dict[str, str | int | float]:
        """Return the tally under its headings."""
        return {
            "protocol": self.protocol.value,
            "sets": self.sets,
            "left out": self.left_out,
            "states": self.states,
            "tasks": len(self.ratios),
            "no bound": self.no_bound,
            "violations": self.violations,
            "exact": _exact(self.ratios),
            "without sleeps": _exact(self.without_sleeps),
            "median ratio": _rounded(median(self.ratios or [Fraction(0)])),
            "largest": _rounded(max(self.ratios, default=Fraction(0))),
        }


def _exact(ratios: list[Fraction]) -> str:
    """Return the share of bounds that are reached."""
    return f"{sum(ratio == 1 for ratio in ratios) / max(len(ratios), 1):.1%}"


def _rounded(ratio: Fraction) -> float:
    return round(float(ratio), 2)


def bounds_of(explored: Explored) -> list[int | None]:
    """Return the response bounds, in the order of the tasks."""
    report = analyse(explored.system, [explored.protocol])
    return [row.response_bound_ns for row in report.rows]


def compare(explored: Explored, tally: Tally | None = None) -> Iterator[Violation]:
    """Yield every bound that the simulator exceeded."""
    bounds = bounds_of(explored)
    if explored.verdict in ENDLESS and None not in bounds:
        yield Violation(explored, f"{explored.verdict}, but every task has a bound: {bounds}")
    # A deadlock takes every bound with it; without one, every task was followed to its end.
    pairs = list(zip(bounds, explored.responses, strict=False))
    if tally:
        tally.add(explored, pairs)
    for task, (bound, response) in zip(explored.system.tasks, pairs, strict=False):
        if bound is not None and bound < response:
            yield Violation(explored, f"{task.name}: bound {bound}, but it can take {response}")


def compare_all(results: Iterable[Explored], tallies: dict[Protocol, Tally]) -> Iterator[Violation]:
    """The same for all results, counted by protocol."""
    for explored in results:
        tally = tallies[explored.protocol]
        for violation in compare(explored, tally):
            tally.violations += 1
            yield violation
