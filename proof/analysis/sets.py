# SPDX-License-Identifier: MIT
"""Small random task sets. The unit of time is a nanosecond for the analysis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from plafond.describe.kernel import Scheduler
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Sleep,
    Step,
    System,
    Task,
    Unlock,
)

from proof.analysis.costs import KernelWork, random_work

LONGEST_BODY = 14  # steps: see taskset.h
LONGEST_DEADLINE = 15


def random_systems(seed: int, count: int) -> list[System]:
    """Return systems whose load is below 1, most of them with resources."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        system = _system(random, f"set-{len(systems)}")
        if _demand(system) < 1:
            systems.append(system)
    return systems


def full_systems(seed: int, count: int) -> list[System]:
    """Return systems whose load is exactly 1."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        system = _system(random, f"full-{len(systems)}")
        if _demand(system) == 1:
            systems.append(system)
    return systems


def fixed_by_hand() -> list[System]:
    """Return systems with situations that are rare in random systems.

    - set-by-hand: T1 is inside when T0 arrives, and after each of its two sleeps.
    - set-each-once: T1 is inside R1, because T2 is inside R0.
    - set-handed-over: T1 waits for R0 when T0 unlocks it, and T0 requests it again.
    - set-two-jobs: as set-handed-over, but the next job of T0 requests it.
    """
    zero, one, short = _inside("R0", Run(3)), _inside("R1", Run(3)), _inside("R0", Run(1))
    sleeping = (Run(1), Sleep(1), Run(1), Sleep(1), *short)
    return [
        _locking("set-by-hand", sleeping, zero * 3),
        _locking("set-each-once", (*short, *_inside("R1", Run(1))), (*zero, *one), zero),
        _locking("set-handed-over", (*short, *short), zero, zero),
        _locking("set-two-jobs", short, (Run(3),), zero, zero, first=5),
    ]


def _inside(resource: str, *steps: Step) -> tuple[Step, ...]:
    return (Lock(resource), *steps, Unlock(resource))


def _locking(name: str, *bodies: tuple[Step, ...], first: int = 15) -> System:
    """Return a system of tasks that lock resources, the most urgent first; `first` is its
    interval."""
    tasks = tuple(
        some_task(f"T{n}", len(bodies) - n, 15 if n else first, body)
        for n, body in enumerate(bodies)
    )
    names = sorted({resource for task in tasks for resource in task.resources})
    return System(name, 1, 1, tasks, tuple(_exactly(each, tasks) for each in names))


def _exactly(name: str, tasks: Sequence[Task]) -> Resource:
    users = [task for task in tasks if name in task.resources]
    names = tuple(task.name for task in users)
    return Resource.made(name, ceiling=users[0].priority, users=names)


def edf_systems(seed: int, count: int) -> list[System]:
    """Return systems with deadlines and floors, without sleeps. Some have a utilisation of 1."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        system = _edf_system(random, f"edf-{len(systems)}")
        if system.utilisation(0) <= 1:
            systems.append(system)
    return systems


@dataclass(frozen=True)
class Costly:
    """Systems, and the kernel's work by the names of the systems."""

    systems: list[System]
    works: dict[str, KernelWork]


def costly_systems(seed: int, count: int, scheduler: Scheduler) -> Costly:
    """Return small systems, and costs of the kernel for which they leave enough time."""
    random = Random(seed)
    is_edf = scheduler is Scheduler.EDF
    systems: list[System] = []
    works: dict[str, KernelWork] = {}
    while len(systems) < count:
        name = f"costs-{scheduler}-{len(systems)}"
        system = _edf_system(random, name) if is_edf else _system(random, name)
        work = random_work(random, is_edf)
        if len(system.tasks) < 4 and _load_with(system, work) < Fraction(4, 5):
            systems.append(system)
            works[name] = work
    return Costly(systems, works)


def _load_with(system: System, work: KernelWork) -> Fraction:
    """Estimate the load: each task's work, sleeps and costs, and the ticks."""

    def job(task: Task) -> int:
        wake_ups = 1 + len(task.sleeps_ns)
        locks = sum(isinstance(step, Lock) for step in task.body)
        runs = sum(isinstance(step, Run) for step in task.body)
        return (
            task.run_ns
            + sum(task.sleeps_ns)
            + wake_ups * (work.interrupt + work.activation + 2 * work.switch)
            + locks * (work.pair + max(work.preempted, work.disturbed))
            + runs * work.step
        )

    load = sum((Fraction(job(task), task.least_interval_ns) for task in system.tasks), Fraction(0))
    return load + (Fraction(1, work.ticks) if work.ticks else 0)


def _demand(system: System) -> Fraction:
    """Return the load. Sleeps count: a task that sleeps away its interval falls behind for ever."""
    asleep = [Fraction(sum(task.sleeps_ns), task.least_interval_ns) for task in system.tasks]
    return system.utilisation(0) + sum(asleep)


def _system(random: Random, name: str) -> System:
    count = random.choices((2, 3, 4), (2, 5, 5))[0]
    names = [f"R{index}" for index in range(random.choices((0, 1, 2, 3), (1, 3, 5, 1))[0])]
    tasks = sorted(
        (_task(random, f"T{index}", count, names) for index in range(count)),
        key=lambda task: -task.priority,
    )
    return System(name, 1, 1, tuple(tasks), tuple(_resource(random, r, tasks) for r in names))


def _task(random: Random, name: str, tasks: int, resources: list[str]) -> Task:
    interval = random.randint(2, 15) if tasks < 4 else random.randint(5, 12)
    priority = random.randint(1, tasks + 1)
    return some_task(name, priority, interval, _body(random, resources))


def some_task(
    name: str, priority: int, interval: int, body: tuple[Step, ...], cpu: int = 0
) -> Task:
    """Return a task whose jobs queue, with a deadline that it cannot miss."""
    return Task.made(
        name=name,
        priority=priority,
        cpu=cpu,
        interval=Interval(interval, interval),
        deadline_ns=1000,
        body=body,
    )


def _edf_system(random: Random, name: str) -> System:
    names = [f"R{index}" for index in range(random.choices((0, 1, 2, 3), (1, 3, 4, 3))[0])]
    tasks = [
        _edf_task(random, f"T{index}", names) for index in range(random.choices((2, 3), (2, 5))[0])
    ]
    resources = tuple(_edf_resource(random, r, tasks) for r in names)
    return System(name, 1, 1, tuple(tasks), resources, Scheduler.EDF)


def _edf_task(random: Random, name: str, resources: list[str]) -> Task:
    interval = random.randint(3, 13)
    deadline = random.randint(2, min(2 * interval, LONGEST_DEADLINE))
    body = _body(random, resources, sleep_weight=0)
    return _task(random, name, 1, []).changed(
        interval=Interval(interval, interval), deadline_ns=deadline, body=body
    )


def _edf_resource(random: Random, name: str, tasks: list[Task]) -> Resource:
    users = tuple(task.name for task in tasks if name in task.resources)
    lower = random.choice((0, 0, 0, 1, 3))
    return Resource.made(name, users=users, floor=max(1, least_deadline(tasks, users) - lower))


def least_deadline(tasks: Iterable[Task], users: Collection[str]) -> int:
    """Return the least deadline of the users."""
    deadlines = [task.deadline_from_release_ns for task in tasks if task.name in users]
    return min(deadlines, default=LONGEST_DEADLINE)


def _resource(random: Random, name: str, tasks: list[Task]) -> Resource:
    users = [task for task in tasks if name in task.resources]
    highest = max((task.priority for task in users), default=1)
    higher = random.choice((0, 0, 0, 0, 1))
    names = tuple(task.name for task in users)
    return Resource.made(name, ceiling=highest + higher, users=names)


def _body(random: Random, resources: list[str], sleep_weight: int = 2) -> tuple[Step, ...]:
    while True:
        body: list[Step] = []
        for _ in range(random.choices((1, 2, 3), (4, 3, 1))[0]):
            weights = (4, sleep_weight, 6 if resources else 0)
            kind = random.choices(("run", "sleep", "section"), weights)[0]
            if kind == "run":
                body.append(Run(random.choice((1, 1, 2, 3))))
            elif kind == "sleep":
                body.append(Sleep(random.choice((1, 1, 2))))
            else:
                body.extend(_section(random, resources))
        if len(body) <= LONGEST_BODY and any(isinstance(step, Run) for step in body):
            return tuple(body)


def _section(random: Random, free: list[str]) -> Iterator[Step]:
    """Yield a section with at least a run step, perhaps with sections of other resources inside."""
    resource = random.choice(free)
    others = [other for other in free if other != resource]
    yield Lock(resource)
    inner = [Run(random.choice((1, 1, 1, 2)))] if random.random() < 0.6 else []
    yield from inner
    nested = bool(others) and random.random() < 0.5
    if nested:
        yield from _section(random, others)
    if not (inner or nested) or random.random() < 0.3:
        yield Run(1)
    yield Unlock(resource)
