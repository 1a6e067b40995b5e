# SPDX-License-Identifier: MIT
"""Small random task sets with chains, and with the offsets of periodic tasks."""

from __future__ import annotations

from random import Random

from plafond.describe.body import Activate
from plafond.describe.system import Interval, Lock, Resource, Run, Sleep, Step, System, Task, Unlock

from proof.analysis.sets import some_task

FULL = 1  # of the processor's time


def chained_systems(seed: int, count: int) -> list[System]:
    """Return sets with a chain of two or three tasks beside another task."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        links = random.randint(1, 2)
        interval = random.randint(6, 12)
        tasks = [
            _with_priority(random, f"C{place}", interval, _link(random, place, links))
            for place in range(links + 1)
        ]
        tasks = [tasks[0], *(task.changed(interval=None) for task in tasks[1:])]
        tasks += [_with_priority(random, "T", random.randint(6, 12), _body(random))]
        if _load(tasks, interval) < FULL:
            systems.append(_set(f"chained-{len(systems)}", tasks))
    return systems


def chained_by_hand() -> list[System]:
    """Return chains that are rare at random.

    - chained-up: the first task is the least urgent, so its link preempts it.
    - chained-behind: the first task is less urgent than T, so the link comes late for T.
    """
    return [
        _set(
            "chained-up",
            [
                some_task("C0", 1, 10, (Run(1), Activate("C1"), Run(2))),
                some_task("C1", 2, 10, (Run(2),)).changed(interval=None),
            ],
        ),
        _set(
            "chained-behind",
            [
                some_task("C0", 1, 8, (Run(1), Activate("C1"))),
                some_task("C1", 3, 8, (Run(2),)).changed(interval=None),
                some_task("T", 2, 8, (Run(1),)),
                some_task("U", 2, 10, (Run(2),)),
            ],
        ),
    ]


def phased_systems(seed: int, count: int) -> list[System]:
    """Return sets of two to four tasks, most of them periodic with an offset."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        tasks = [
            _in_phase(random, f"T{place}")
            for place in range(random.choices((2, 3, 4), (2, 5, 2))[0])
        ]
        if any(task.offset_ns for task in tasks) and _load(tasks, 1) < FULL:
            systems.append(_set(f"phased-{len(systems)}", tasks))
    return systems


def _in_phase(random: Random, name: str) -> Task:
    interval = random.choice((4, 6, 8, 12))
    task = _with_priority(random, name, interval, _body(random))
    if random.random() < 0.2:
        return task
    return task.changed(
        interval=Interval(interval, interval, is_periodic=True),
        offset_ns=random.randrange(interval),
    )


def _with_priority(random: Random, name: str, interval: int, body: tuple[Step, ...]) -> Task:
    return some_task(name, random.randint(1, 4), interval, body)


def _link(random: Random, place: int, links: int) -> tuple[Step, ...]:
    """Return a body of a chain; it activates the next task at its end, or seldom before."""
    body = _body(random)
    if place == links:
        return body
    step = Activate(f"C{place + 1}")
    return (*body, step) if random.random() < 0.8 else (*body, step, Run(1))


def _body(random: Random) -> tuple[Step, ...]:
    kind = random.choices(("run", "section", "sleep"), (4, 4, 1))[0]
    if kind == "run":
        return (Run(random.choice((1, 1, 2, 3))),)
    if kind == "sleep":
        return (Run(1), Sleep(1), Run(1))
    return (Run(1), Lock("R"), Run(random.choice((1, 1, 2))), Unlock("R"))


def _load(tasks: list[Task], interval: int) -> float:
    """Return the load; `interval` is that of the tasks without arrivals."""
    return sum(
        (task.run_ns + sum(task.sleeps_ns))
        / (task.interval.least_ns if task.interval else interval)
        for task in tasks
    )


def _set(name: str, tasks: list[Task]) -> System:
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    users = tuple(task.name for task in ordered if "R" in task.resources)
    highest = max((task.priority for task in ordered if task.name in users), default=1)
    resources = (Resource.made("R", ceiling=highest, users=users),) if users else ()
    return System(name, 1, 1, ordered, resources)
