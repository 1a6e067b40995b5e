# SPDX-License-Identifier: MIT
"""Small random task sets with ranges of run steps, and with release jitter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from plafond.describe.kernel import Scheduler
from plafond.describe.system import Interval, Lock, Resource, Run, System, Task, Unlock

from proof.analysis.across import across_systems, described
from proof.analysis.sets import (
    Costly,
    costly_systems,
    edf_systems,
    least_deadline,
    random_systems,
    some_task,
)

VARYING = "varying-"  # prefix of the systems' names
LONGEST_INTERVAL = 15  # with the jitter: see taskset.h


def varying_systems(seed: int, count: int, scheduler: Scheduler) -> list[System]:
    """Return systems of one processor."""
    systems = edf_systems if scheduler is Scheduler.EDF else random_systems
    return _first(varied(Random(f"{seed} {scheduler}"), systems(seed + 1, 4 * count)), count)


def varying_across(seed: int, count: int) -> list[System]:
    """Return systems of several processors."""
    return _first(varied(Random(f"{seed} across"), across_systems(seed + 1, 4 * count)), count)


def bunched_systems(seed: int, count: int) -> list[System]:
    """Return systems of a single processor with a jitter above the interval."""
    return _first(_bunched(Random(f"{seed} bunched"), random_systems(seed + 2, 4 * count)), count)


def bunched_by_hand() -> list[System]:
    """Return systems in which a task releases three jobs at once.

    In bunched-0 it is T0: pyCPA's simple example, with times that the simulator can hold. In
    bunched-1 it is T1.
    """
    two = [some_task("T0", 2, 5, (Run(1),)), some_task("T1", 1, 15, (Run(2),))]
    late = [some_task("T0", 2, 4, (Run(1),)), some_task("T1", 1, 5, (Run(3),))]
    return [_with_jitter("bunched-0", two, (10, 0)), _with_jitter("bunched-1", late, (3, 10))]


def _with_jitter(name: str, tasks: Iterable[Task], jitters: Iterable[int]) -> System:
    late = zip(tasks, jitters, strict=True)
    return described(f"{VARYING}{name}", [task.changed(jitter_ns=ns) for task, ns in late])


def _bunched(draw: Random, systems: Iterable[System]) -> Iterator[System]:
    for system in systems:
        short = [task for task in system.tasks if 2 * task.least_interval_ns <= LONGEST_INTERVAL]
        if short:
            task = draw.choice(short)
            interval_ns = task.least_interval_ns
            jitter_ns = draw.randint(interval_ns, LONGEST_INTERVAL - interval_ns)
            tasks = tuple(
                each.changed(jitter_ns=jitter_ns) if each is task else each for each in system.tasks
            )
            yield replace(system, name=f"{VARYING}bunched-{system.name}", tasks=tasks)


def varying_by_hand() -> list[System]:
    """Return two systems in which T0, which waits for no other CPU, delays T1 by several jobs.

    In bunched-across three jobs are released at once. In by-hand the first of two jobs comes late.
    """
    section = (Lock("G0"), Run(1), Unlock("G0"))
    return [
        _with_jitter(
            "bunched-across",
            [
                some_task("T0", 4, 5, (Run(1),)),
                some_task("T1", 3, 15, (Run(1), *section)),
                some_task("T2", 1, 15, section, cpu=1),
            ],
            (10, 0, 0),
        ),
        described(
            f"{VARYING}by-hand",
            [
                some_task("T0", 4, 5, (Run(2),)).changed(jitter_ns=4),
                some_task("T1", 3, 15, (Run(1),)),
                some_task("T2", 2, 15, section),
                some_task("T3", 1, 15, section, cpu=1),
            ],
        ),
    ]


def varying_costly(seed: int, count: int) -> Costly:
    """Return systems with fixed priorities on kernels whose work takes time."""
    costly = costly_systems(seed + 1, 4 * count, Scheduler.PRIORITY)
    found = _first(varied(Random(f"{seed} costs"), costly.systems), count)
    works = {each.name: costly.works[each.name.removeprefix(VARYING)] for each in found}
    return Costly(found, works)


def _first(systems: Iterator[System], count: int) -> list[System]:
    return [system for system, _ in zip(systems, range(count), strict=False)]


def varied(draw: Random, systems: Iterable[System]) -> Iterator[System]:
    """Yield the systems that got ranges or jitter. No task asks for more than before."""
    for system in systems:
        tasks = tuple(_varied(draw, task, system.scheduler) for task in system.tasks)
        resources = tuple(_floored(each, tasks) for each in system.resources)
        found = replace(system, name=VARYING + system.name, tasks=tasks, resources=resources)
        if any(task.jitter_ns or task.has_ranges for task in tasks):
            yield found


def _varied(draw: Random, task: Task, scheduler: Scheduler) -> Task:
    interval_ns = task.least_interval_ns
    most_ns = min(LONGEST_INTERVAL - interval_ns, interval_ns - 1, 4)
    jitter_ns = draw.randint(0, max(most_ns, 0))
    deadline_ns = task.deadline_ns or 0
    if scheduler is Scheduler.EDF and jitter_ns:
        deadline_ns = min(max(deadline_ns, jitter_ns + 1), interval_ns)
    body = tuple(
        Run(step.duration_ns, draw.randint(1, step.duration_ns - 1))
        if isinstance(step, Run) and step.duration_ns > 1
        else step
        for step in task.body
    )
    return task.changed(
        interval=Interval(interval_ns, interval_ns),
        jitter_ns=jitter_ns,
        deadline_ns=deadline_ns,
        body=body,
    )


def _floored(resource: Resource, tasks: tuple[Task, ...]) -> Resource:
    """Lower the floor to the least deadline without jitter, unless it is lower already."""
    if resource.floor is None:
        return resource
    return resource.changed(floor=min(resource.floor, least_deadline(tasks, resource.users)))
