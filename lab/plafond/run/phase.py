# SPDX-License-Identifier: MIT
"""Phases: arrivals of the tasks of a system that put a task into a critical instant."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plafond.describe.body import Run
from plafond.describe.system import Task


class Arrival(NamedTuple):
    """The arrival and the release of a job of a task."""

    task: Task
    time_ns: int
    release_ns: int


@dataclass(frozen=True)
class Opening:
    """A section of a task that can block another task."""

    task: Task
    before_ns: int  # run time of the task until the section begins
    length_ns: int


@dataclass(frozen=True)
class Phase:
    """A critical instant of a task."""

    task: Task
    openings: tuple[Opening, ...]  # the least urgent task first
    again: tuple[Task, ...]  # released with the task, then as often as they can come
    once: tuple[Task, ...]
    window_ns: int  # how long the tasks of `again` keep coming
    later_ns: int = 0  # how much later than the others the task itself is released
    # Of a server: the others are released `after_ns` after a period begins, `first` as it begins.
    period_ns: int = 1
    after_ns: int = 0
    first: tuple[Task, ...] = ()
    # Tasks of other CPUs, as `again`, and how much sooner they are released, besides `late_ns`.
    beside: tuple[tuple[Task, int], ...] = ()

    def arrivals(self, start_ns: int, late_ns: int) -> Iterator[Arrival]:
        """Yield the arrivals of the phase, which begins at `start_ns` or with the next period.

        `late_ns`: the time from the start of a section until the next task is released. In a server
        it counts from an instant, and across CPUs from the release of the other CPUs' tasks.
        """
        release_ns = start_ns = -(-start_ns // self.period_ns) * self.period_ns
        yield from (Arrival(task, start_ns, start_ns) for task in self.first)
        if self.period_ns > 1:
            release_ns += self.after_ns + late_ns
        if self.beside:
            release_ns += late_ns + max(0, *(sooner_ns for _, sooner_ns in self.beside))
        for opening in self.openings:
            yield Arrival(opening.task, release_ns, release_ns)
            release_ns += opening.before_ns + min(late_ns, max(opening.length_ns // 2, 1))
        end_ns = release_ns + self.window_ns
        own_ns = release_ns + self.later_ns
        interval_ns = self.task.least_interval_ns
        before_ns = self.later_ns // interval_ns * interval_ns
        yield from (Arrival(task, release_ns, release_ns) for task in self.once)
        for task in self.again:
            yield from densely(task, release_ns, end_ns)
        for task, sooner_ns in self.beside:
            first_ns = release_ns - sooner_ns - late_ns
            yield from densely(task, first_ns, max(end_ns, first_ns + 1))
        for time_ns in range(own_ns - before_ns, own_ns, interval_ns):
            yield Arrival(self.task, time_ns - self.task.jitter_ns, time_ns)
        yield from densely(self.task, own_ns, max(end_ns, own_ns + 1))


def densely(task: Task, first_ns: int, end_ns: int) -> Iterator[Arrival]:
    """Yield jobs of a task as dense as possible until the end; the first has the full jitter.

    If a release falls into the instant in which a job ends, the bound orders the end first, but a
    target orders the release first. So each interval is a nanosecond longer.
    """
    last_ns = first_ns - 1
    for time_ns in range(first_ns - task.jitter_ns, end_ns, task.least_interval_ns + 1):
        last_ns = max(time_ns, last_ns + 1)  # a trace cannot distinguish equal releases
        if last_ns < end_ns:
            yield Arrival(task, time_ns, last_ns)


def openings_of(tasks: Sequence[Task], resources: frozenset[str]) -> list[Opening]:
    """Return for each task its longest section in which it holds one of the resources."""
    found = (opening_of(task, resources) for task in tasks)
    return [opening for opening in found if opening.length_ns > 0]


def opening_of(task: Task, resources: frozenset[str]) -> Opening:
    """Return the longest section of a task in which it holds one of the resources, or length 0."""
    longest = Opening(task, 0, 0)
    ran_ns = before_ns = 0
    for step, held in task.held():
        if not resources.intersection(held):
            before_ns = ran_ns
        if isinstance(step, Run):
            ran_ns += step.duration_ns
            if resources.intersection(held) and ran_ns - before_ns > longest.length_ns:
                longest = Opening(task, before_ns, ran_ns - before_ns)
    return longest
