# SPDX-License-Identifier: MIT
"""Small random task sets with tasks that are not preempted, or only by tasks above a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from plafond.analyse.blocking import threshold_of
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Resource, Run, System, Task

from proof.analysis.sets import Costly, costly_systems, random_systems, some_task

THRESHOLDS = "threshold-"  # prefix of the systems' names
INTERNAL = "I0"
LONGEST_INTERVAL = 15  # with the jitter: see taskset.h


def threshold_systems(seed: int, count: int) -> list[System]:
    """Return systems on a kernel whose work takes no time."""
    systems = random_systems(seed + 3, 12 * count)
    return _first(_with_thresholds(Random(f"{seed} thresholds"), systems), count)


def threshold_costly(seed: int, count: int) -> Costly:
    """Return systems on kernels whose work takes time."""
    costly = costly_systems(seed + 3, 12 * count, Scheduler.PRIORITY)
    found = _first(_with_thresholds(Random(f"{seed} thresholds"), costly.systems), count)
    works = {each.name: costly.works[each.name.removeprefix(THRESHOLDS)] for each in found}
    return Costly(found, works)


def thresholds_by_hand() -> list[System]:
    """Table 3 of Davis, Burns, Bril, Lukkien 2007, in halves of a millisecond, and another system.

    In the table, the second job of C responds last. In the other system only T0 preempts T2.
    """
    davis = [
        some_task(name, priority, interval, (Run(2),))
        for name, priority, interval in (("A", 3, 5), ("B", 2, 7), ("C", 1, 7))
    ]
    between = [
        some_task("T0", 3, 6, (Run(2),)),
        some_task("T1", 2, 8, (Run(2),)),
        some_task("T2", 1, 15, (Run(3),)),
    ]
    inner = Resource.made(INTERNAL, ceiling=2, users=("T1", "T2"), internal=True)
    grouped = tuple(task.changed(internal=INTERNAL) for task in between[1:])
    return [
        System("threshold-davis", 1, 1, tuple(map(_not_preempted, davis)), ()),
        System("threshold-between", 1, 1, (between[0], *grouped), (inner,)),
    ]


def _first(systems: Iterator[System], count: int) -> list[System]:
    return [system for system, _ in zip(systems, range(count), strict=False)]


def _not_preempted(task: Task) -> Task:
    return task.changed(schedule="non")


def _with_thresholds(draw: Random, systems: Iterable[System]) -> Iterator[System]:
    """Yield the systems in which some threshold is above its task's priority."""
    for system in systems:
        tasks = tuple(_with_threshold(draw, task) for task in system.tasks)
        users = [task for task in tasks if task.internal]
        ceiling = max((task.priority for task in users), default=1) + draw.choice((0, 0, 1))
        names = tuple(task.name for task in users)
        inner = Resource.made(INTERNAL, ceiling=ceiling, users=names, internal=True)
        found = replace(
            system,
            name=THRESHOLDS + system.name,
            tasks=tasks,
            resources=(*system.resources, inner) if users else system.resources,
        )
        if any(threshold_of(found, task) > task.priority for task in tasks):
            yield found


def _with_threshold(draw: Random, task: Task) -> Task:
    kind = draw.choice(("non", "internal", "full"))
    most_ns = min(LONGEST_INTERVAL - task.least_interval_ns, 4)
    if draw.random() < 0.2 and most_ns > 0:
        task = task.changed(jitter_ns=draw.randint(1, most_ns))
    if task.sleeps_ns or kind == "full":
        return task
    return _not_preempted(task) if kind == "non" else task.changed(internal=INTERNAL)
