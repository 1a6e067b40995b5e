# SPDX-License-Identifier: MIT
"""Draw the arrivals of tasks before a run starts, the same for every protocol."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, takewhile

from plafond.describe.system import Interval, System, Task
from plafond.errors import PlafondError
from plafond.units import format_duration

DEFAULT_ACTIVATIONS = 100
MOST_ARRIVALS = 1_000_000


def with_activations(system: System, count: int | None) -> System:
    """Return the system with `count` activations for each task that limits its activations.

    If no task has such a limit, the most urgent task that arrives gets it.
    """
    counted = {task.name for task in system.tasks if task.activations is not None}
    if not counted:
        counted = {task.name for task in _arriving(system)[:1]}
        count = count or DEFAULT_ACTIVATIONS
    if count is None:
        return system
    tasks = (
        task.changed(activations=count) if task.name in counted else task for task in system.tasks
    )
    return replace(system, tasks=tuple(tasks))


def draw_arrivals(system: System, seed: int) -> dict[str, list[int]]:
    """Return the arrivals of each task from time 0; equal seeds give equal arrivals.

    A task with a count of activations gets exactly that many arrivals. The other tasks arrive
    before the end of the run. The run ends after the last arrival of a task with a count, plus its
    deadline or its largest interval, if that is shorter. So a late deadline does not make a run
    long. A task that only others activate has no arrivals. PlafondError names a task whose first
    arrival would not be before the end. It is raised before anything is drawn if there would be too
    many arrivals.
    """
    counts = {task.name: task.activations for task in system.tasks if task.activations}
    refuse_too_many(sum(counts.values()))
    arriving = _arriving(system)
    counted = [task for task in arriving if task.name in counts]
    arrivals = {
        task.name: list(islice(_endless(task, seed), counts[task.name])) for task in counted
    }
    end_ns = max((arrivals[task.name][-1] + _after_last(task) for task in counted), default=0)
    others = [task for task in arriving if task.name not in counts]
    _refuse_too_late(others, end_ns)
    refuse_too_many(sum(counts.values()) + sum(_most_until(task, end_ns) for task in others))
    arrivals |= {task.name: _until(task, seed, end_ns) for task in others}
    return {task.name: arrivals.get(task.name, []) for task in system.tasks}


def _arriving(system: System) -> list[Task]:
    return [task for task in system.tasks if task.interval]


def _after_last(task: Task) -> int:
    """Return how long the run continues after the last arrival of a task with a count."""
    most_ns = _interval(task).most_ns
    return most_ns if task.deadline_ns is None else min(task.deadline_ns, most_ns)


def _interval(task: Task) -> Interval:
    assert task.interval
    return task.interval


def refuse_too_many(total: int) -> None:
    """Raise PlafondError if a run cannot have that many arrivals."""
    if total > MOST_ARRIVALS:
        raise PlafondError(
            f"found up to {total} arrivals; expected at most {MOST_ARRIVALS}: "
            "choose fewer with --activations"
        )


def _refuse_too_late(others: Iterable[Task], end_ns: int) -> None:
    for task in others:
        if task.offset_ns >= end_ns:
            raise PlafondError(
                f"task {task.name}: found an offset of {format_duration(task.offset_ns)}; "
                f"expected one before the end of the run, {format_duration(end_ns)}: "
                "choose more with --activations"
            )


def _most_until(task: Task, end_ns: int) -> int:
    """Return the greatest number of arrivals between the offset and the end."""
    return -((task.offset_ns - end_ns) // task.least_interval_ns)


def _until(task: Task, seed: int, end_ns: int) -> list[int]:
    return list(takewhile(lambda time_ns: time_ns < end_ns, _endless(task, seed)))


def _endless(task: Task, seed: int) -> Iterator[int]:
    # A generator for each task, so that adding a task does not change the others' arrivals.
    generator = random.Random(f"{seed} {task.name}")
    interval = _interval(task)
    time_ns = task.offset_ns
    while True:
        yield time_ns
        time_ns += generator.randint(interval.least_ns, interval.most_ns)
