# SPDX-License-Identifier: MIT
"""Small random task sets of two and three processors that share resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from plafond.describe.system import Lock, Resource, Run, Sleep, Step, System, Task, Unlock

from proof.analysis.sets import LONGEST_BODY, some_task

GLOBAL = ("G0", "G1")
LOAD = 0.6  # of a processor: low, so that most waits have bounds
MOST_RESOURCES = 4  # the most that taskset.h allows
LOCAL = ("L0", "L1", "L2")  # one for each processor


def across_systems(seed: int, count: int) -> list[System]:
    """Return systems in which some resource has users on several processors."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        system = _system(random, f"across-{len(systems)}")
        is_light = all(_load(system, cpu) < LOAD for cpu in range(system.cpus))
        if system.global_resources and len(system.resources) <= MOST_RESOURCES and is_light:
            systems.append(system)
    return systems


WORD = 2  # users that a word holds, in the sets with crowded resources


def crowded_systems(seed: int, count: int) -> list[System]:
    """Return systems in which a resource has more users than a word holds."""
    found: list[System] = []
    while len(found) < count:
        seed += 1
        for system in across_systems(seed, count):
            if any(len(each.users) > WORD for each in system.global_resources):
                found.append(replace(system, name=f"crowded-{len(found)}"))
    return found[:count]


def crowded_by_hand() -> list[System]:
    """T3 is inside. T0 and T1 of the same CPU go before T2, although T2 is more urgent than T1."""
    return [
        described(
            "crowded-by-hand",
            [
                some_task("T0", 4, 15, _inside("G0", Run(1))),
                some_task("T1", 1, 15, _inside("G0", Run(3))),
                some_task("T2", 3, 15, _inside("G0", Run(1)), cpu=1),
                some_task("T3", 2, 15, _inside("G0", Run(3)), cpu=2),
            ],
        )
    ]


def _load(system: System, cpu: int) -> float:
    tasks = system.tasks_on(cpu)
    return sum((task.run_ns + sum(task.sleeps_ns)) / task.least_interval_ns for task in tasks)


def _system(random: Random, name: str) -> System:
    cpus = random.choices((2, 3), (4, 1))[0]
    count = random.choices((3, 4), (1, 1))[0]
    cpu_of = [index % cpus for index in range(count)]
    tasks = [_task(random, f"T{index}", count, cpu) for index, cpu in enumerate(cpu_of)]
    return described(name, tasks)


def described(name: str, tasks: Sequence[Task]) -> System:
    """Return the system of some tasks, with the resources that they lock and their ceilings."""
    cpus = 1 + max(task.cpu for task in tasks)
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    names = sorted({resource for task in tasks for resource in task.resources})
    return System(name, cpus, 1, ordered, tuple(_resource(each, ordered) for each in names))


def _resource(name: str, tasks: Sequence[Task]) -> Resource:
    users = [task for task in tasks if name in task.resources]
    return Resource.made(
        name,
        ceiling=max(task.priority for task in users),
        users=tuple(task.name for task in users),
        cpus=tuple(sorted({task.cpu for task in users})),
    )


def _task(random: Random, name: str, count: int, cpu: int) -> Task:
    interval = random.randint(6, 12)
    priority = random.randint(1, count + 1)
    return some_task(name, priority, interval, _body(random, LOCAL[cpu]), cpu)


def _body(random: Random, local: str) -> tuple[Step, ...]:
    while True:
        body: list[Step] = []
        for _ in range(random.choices((1, 2, 3), (3, 4, 1))[0]):
            kind = random.choices(("run", "sleep", "global", "local"), (3, 1, 6, 2))[0]
            if kind == "run":
                body.append(Run(random.choice((1, 1, 2))))
            elif kind == "sleep":
                body.append(Sleep(1))
            elif kind == "local":
                body.extend((Lock(local), Run(random.choice((1, 2))), Unlock(local)))
            else:
                body.extend(_section(random, local))
        if len(body) <= LONGEST_BODY and any(isinstance(step, Run) for step in body):
            return tuple(body)


def _section(random: Random, local: str) -> Iterator[Step]:
    """Yield a global section, perhaps with a section of the local resource inside."""
    resource = random.choices(GLOBAL, (3, 1))[0]
    yield Lock(resource)
    yield Run(random.choice((1, 1, 2, 3)))
    if random.random() < 0.15:
        yield from (Lock(local), Run(1), Unlock(local))
    yield Unlock(resource)


def made_by_hand() -> list[System]:
    """Return systems with situations that are rare in random systems. Most mistakes need them."""
    return [described(f"made-{number}", tasks) for number, tasks in enumerate(_by_hand())]


def _by_hand() -> Iterator[list[Task]]:
    # T0 delays T1's request. Behind it, T3 waits for T2, and T1's next job comes.
    yield [
        some_task("T0", 4, 12, (Run(3),), cpu=1),
        some_task("T1", 3, 7, _inside("G0", Run(2)), cpu=1),
        some_task("T2", 2, 12, _inside("G0", Run(3)), cpu=2),
        some_task("T3", 1, 15, _inside("G0", Run(1))),
    ]
    # T0 delays T1's request. Then T1 waits, and its whole job falls behind T2's arrival.
    yield [
        some_task("T0", 4, 3, (Run(1),)),
        some_task("T1", 3, 8, (*_inside("G0", Run(2)), Run(1))),
        some_task("T2", 1, 15, (Run(1),)),
        some_task("T3", 1, 15, _inside("G0", Run(2)), cpu=1),
    ]
    # T1 is inside G1 when T0 arrives, and again after T0 has waited.
    yield [
        some_task("T0", 4, 15, (*_inside("G0", Run(1)), Run(1))),
        some_task("T1", 1, 15, (*_inside("G1", Run(2)), Run(2), *_inside("G1", Run(2)))),
        some_task("T2", 2, 15, (*_inside("G0", Run(3)), *_inside("G1", Run(1))), cpu=1),
    ]
    # T0 waits for T3. T1 keeps T3 from running inside, because T1's section has the higher ceiling.
    yield [
        some_task("T0", 3, 15, _inside("G0", Run(1)), cpu=1),
        some_task("T1", 2, 15, _inside("G1", Run(3))),
        some_task("T2", 4, 15, _inside("G1", Run(2)), cpu=1),
        some_task("T3", 1, 15, _inside("G0", Run(2))),
    ]
    # T1, granted G0, goes before T2 inside G1, so T0 waits for both.
    yield [
        some_task("T0", 5, 15, (Run(1),)),
        some_task("T1", 2, 15, _inside("G0", Run(2))),
        some_task("T2", 1, 15, _inside("G1", Run(3))),
        some_task("T3", 3, 15, (*_inside("G0", Run(2)), *_inside("G1", Run(1))), cpu=1),
    ]
    # T1 locks L0 inside G0, so T2 inside L0 keeps out T0, too.
    yield [
        some_task("T0", 4, 15, (Run(1),)),
        some_task("T1", 2, 15, _inside("G0", *_inside("L0", Run(1)))),
        some_task("T2", 1, 15, _inside("L0", Run(3))),
        some_task("T3", 3, 15, _inside("G0", Run(1)), cpu=1),
    ]
    # T1 locks L0 inside G0 and G1, and G0 has the higher ceiling. T2 inside L0 keeps T1 out of G0.
    yield [
        some_task("T0", 5, 10, (*_inside("G0", Run(1)), *_inside("G0", Run(1))), cpu=1),
        some_task("T1", 2, 10, tuple(step for name in ("G1", "G0") for step in _around(name, 1))),
        some_task("T2", 1, 10, _around("G1", 3)),
        some_task("T3", 3, 5, _inside("G1", Run(1)), cpu=2),
    ]
    # T0 is inside twice while T2 waits. Between its sections, T0 waits for T1.
    yield [
        some_task("T0", 2, 15, (*_inside("G0", Run(2)), Run(1), *_inside("G0", Run(2))), cpu=1),
        some_task("T1", 3, 15, _inside("G0", Run(2)), cpu=2),
        some_task("T2", 1, 15, _inside("G0", Run(1))),
    ]
    # T1 is inside G1 when T0 arrives, and after each of T0's two waits for T2.
    yield [
        some_task("T0", 3, 15, (*_inside("G0", Run(1)), Run(1)) * 2),
        some_task("T1", 1, 15, _inside("G1", Run(3)) * 3),
        some_task(
            "T2",
            2,
            15,
            (
                *_inside("G0", Run(1)),
                Run(3),
                Run(1),
                *_inside("G0", Run(1)),
                *_inside("G1", Run(1)),
            ),
            cpu=1,
        ),
    ]


def _around(resource: str, length: int) -> tuple[Step, ...]:
    return _inside(resource, *_inside("L0", Run(length)))


def _inside(resource: str, *steps: Step) -> tuple[Step, ...]:
    return (Lock(resource), *steps, Unlock(resource))
