# SPDX-License-Identifier: MIT
"""Sporadic tasks with deadlines up to their intervals, and their shares as whole numbers.

A share is a multiple of 1 / `unit`, where `unit` is a common multiple of all intervals and
deadlines. So sums of shares are exact: tasks that ask for just all of a processor ask for no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm


@dataclass(frozen=True)
class TaskSet:
    """Tasks that share nothing: a column for each parameter."""

    costs_ns: tuple[int, ...]
    deadlines_ns: tuple[int, ...]
    intervals_ns: tuple[int, ...]
    unit: int

    @classmethod
    def of(cls, tasks: Iterable[tuple[int, int, int]]) -> TaskSet:
        """Take (cost, deadline, interval) of each task, in ns; ValueError for a wrong task."""
        rows = tuple(tasks)
        for cost_ns, deadline_ns, interval_ns in rows:
            if not (cost_ns > 0 and 0 < deadline_ns <= interval_ns):
                raise ValueError(
                    f"found a task of {cost_ns} ns, due within {deadline_ns} ns, every "
                    f"{interval_ns} ns; expected a cost above 0 and a deadline up to the interval"
                )
        costs, deadlines, intervals = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(costs, deadlines, intervals, lcm(*intervals, *deadlines))

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.costs_ns)

    @cached_property
    def utilisations(self) -> tuple[int, ...]:
        """The share of each task in the long run."""
        pairs = zip(self.costs_ns, self.intervals_ns, strict=True)
        return tuple(cost_ns * (self.unit // interval_ns) for cost_ns, interval_ns in pairs)

    @cached_property
    def densities(self) -> tuple[int, ...]:
        """The share of each task from an arrival to its deadline."""
        pairs = zip(self.costs_ns, self.deadlines_ns, strict=True)
        return tuple(cost_ns * (self.unit // deadline_ns) for cost_ns, deadline_ns in pairs)

    @property
    def is_implicit(self) -> bool:
        """Whether each deadline equals the interval."""
        return self.deadlines_ns == self.intervals_ns

    def part(self, places: Sequence[int]) -> TaskSet:
        """Return some of the tasks, in this order, with shares in parts of the same unit."""
        return TaskSet(
            tuple(self.costs_ns[place] for place in places),
            tuple(self.deadlines_ns[place] for place in places),
            tuple(self.intervals_ns[place] for place in places),
            self.unit,
        )

    def inflated(self, by_ns: int) -> TaskSet:
        """Return the tasks with `by_ns` more work in each job."""
        costs_ns = tuple(cost_ns + by_ns for cost_ns in self.costs_ns)
        return TaskSet(costs_ns, self.deadlines_ns, self.intervals_ns, self.unit)
