# SPDX-License-Identifier: MIT
"""Explore all schedules of sporadic tasks under global EDF, in whole units of time.

The explorer shares no code with the tests. A state has two numbers for each task: the time until it
may arrive again, and the rest of its job. In each unit any subset of the tasks that may arrive
does. EDF chooses the running tasks, and among equal deadlines every choice is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple


class Task(NamedTuple):
    """A sporadic task, in units."""

    cost: int
    deadline: int
    interval: int


class Way(NamedTuple):
    """The result: whether some job can be late, or None after too many states."""

    is_late: bool | None
    states: int


State = tuple[tuple[int, int], ...]  # of each task: time until it may arrive, rest of its job


def explore(tasks: Sequence[Task], cpus: int, most_states: int) -> Way:
    """Follow all schedules until a job must be late, or all states have been seen."""
    start: State = ((0, 0),) * len(tasks)
    seen, ahead = {start}, [start]
    while ahead:
        if len(seen) > most_states:
            return Way(None, len(seen))
        for state in _arrivals(tasks, ahead.pop()):
            for following in _steps(tasks, cpus, state):
                if following is None:
                    return Way(True, len(seen))
                if following not in seen:
                    seen.add(following)
                    ahead.append(following)
    return Way(False, len(seen))


def _arrivals(tasks: Sequence[Task], state: State) -> Iterator[State]:
    free = [place for place, (until, left) in enumerate(state) if not until and not left]
    for some in chain.from_iterable(combinations(free, n) for n in range(len(free) + 1)):
        arrived = list(state)
        for place in some:
            arrived[place] = (tasks[place].interval, tasks[place].cost)
        yield tuple(arrived)


def _steps(tasks: Sequence[Task], cpus: int, state: State) -> Iterator[State | None]:
    """Yield the states a unit later. None means that a job can no longer meet its deadline."""
    pending = sorted(
        (_time_left(tasks[place], until), place)
        for place, (until, left) in enumerate(state)
        if left
    )
    for running in _choices(pending, cpus):
        following = []
        for place, (until, left) in enumerate(state):
            rest, later = left - (place in running), max(until - 1, 0)
            if rest > 0 and rest > _time_left(tasks[place], later):
                yield None
                return
            following.append((later, rest))
        yield tuple(following)


def _time_left(task: Task, until: int) -> int:
    return task.deadline - (task.interval - until)


def _choices(pending: list[tuple[int, int]], cpus: int) -> Iterator[frozenset[int]]:
    if len(pending) <= cpus:
        yield frozenset(place for _, place in pending)
        return
    last = pending[cpus - 1][0]
    sure = [place for left, place in pending if left < last]
    equal = [place for left, place in pending if left == last]
    for some in combinations(equal, cpus - len(sure)):
        yield frozenset((*sure, *some))


def lateness(
    tasks: Sequence[Task], cpus: int, offsets: Sequence[int], units: int
) -> list[list[int]]:
    """Return how late each finished job of each task is, then its oldest unfinished job.

    All tasks arrive as often as they can, each from its offset on.
    """
    late: list[list[int]] = [[] for _ in tasks]
    jobs = [0] * len(tasks)  # finished jobs
    left = [task.cost for task in tasks]
    for now in range(units):
        pending = sorted(
            (offset + jobs[place] * task.interval + task.deadline, place)
            for place, (task, offset) in enumerate(zip(tasks, offsets, strict=True))
            if offset + jobs[place] * task.interval <= now
        )
        for deadline, place in pending[:cpus]:
            left[place] -= 1
            if not left[place]:
                late[place].append(max(now + 1 - deadline, 0))
                left[place] = tasks[place].cost
                jobs[place] += 1
    for place, (task, offset) in enumerate(zip(tasks, offsets, strict=True)):
        deadline = offset + jobs[place] * task.interval + task.deadline
        late[place].append(max(units - deadline, 0))
    return late
