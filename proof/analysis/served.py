# SPDX-License-Identifier: MIT
"""Small random task sets in two servers of a processor, or in two slots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from plafond.analyse.servers import response_of
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import Interval, Lock, Resource, Run, Sleep, Step, System, Task, Unlock

from proof.analysis.sets import LONGEST_DEADLINE, some_task

NAMES = ("A", "B")  # the more urgent first, as in the simulator
RESOURCES = {"A": "RA", "B": "RB"}
LONGEST_BUDGET = 4
LONGEST_INTERVAL = 15
UNSURE = 0.1  # probability to keep a set in which a server may miss its budget
ALIGNED = Interval(12, 12, is_periodic=True)  # on multiples of the period


def served_systems(seed: int, count: int, scheduler: Scheduler) -> list[System]:
    """Return systems whose servers each have more time than their tasks need."""
    random = Random(seed)
    systems: list[System] = []
    while len(systems) < count:
        system = _system(random, f"{scheduler}-{len(systems)}", scheduler)
        if is_light(system) and (is_sure(system) or random.random() < UNSURE):
            systems.append(system)
    return systems


def served_by_hand() -> list[System]:
    """Return systems with situations that are rare in random systems."""
    idling, polling, deferrable, slot, _ = ServerKind
    return [
        # A drops the rest of its budget when A0 sleeps.
        _described(
            "dropped",
            (some_server("A", polling, 2, 6, 4), some_server("B", idling, 1, 6, 1)),
            _in("A", 0, 1, 15, Run(1), Sleep(1), Run(1)),
            _in("B", 0, 1, 15, Run(1)),
        ),
        # A runs at the end of a period and at the begin of the next period, so B is late.
        _described(
            "kept",
            (some_server("A", deferrable, 2, 4, 2), some_server("B", idling, 1, 5, 2)),
            _in("A", 0, 1, 8, Run(2)),
            _in("A", 1, 1, 8, Run(2)),
            _in("B", 0, 1, 9, Run(1)),
        ),
        # The second job of B1 takes longer than the first.
        _described(
            "second",
            (some_server("A", idling, 2, 3, 1), some_server("B", idling, 1, 2, 1)),
            _in("A", 0, 1, 10, Run(1)),
            _in("B", 0, 2, 10, Run(2)),
            _in("B", 1, 1, 7, Run(2)),
        ),
        # A and B together leave too little for C. Either of them alone would leave enough.
        _described(
            "three",
            (
                some_server("A", idling, 3, 3, 1),
                some_server("B", idling, 2, 3, 1),
                some_server("C", idling, 1, 3, 2),
            ),
            _in("A", 0, 1, 9, Run(1)),
            _in("B", 0, 1, 9, Run(1)),
            _in("C", 0, 1, 12, Run(3)),
        ),
        # Until A0's deadline the server supplies no more than its budget of 4.
        _described(
            "clamped",
            (
                some_server("A", slot, None, 6, 4, start_ns=0),
                some_server("B", slot, None, 6, 1, start_ns=4),
            ),
            _in("A", 0, 1, 12, Run(3), Run(2)).changed(deadline_ns=5, interval=ALIGNED),
            _in("B", 0, 1, 12, Run(1)).changed(deadline_ns=12, interval=ALIGNED),
            scheduler=Scheduler.EDF,
        ),
    ]


def _described(
    name: str, servers: tuple[Server, ...], *tasks: Task, scheduler: Scheduler = Scheduler.PRIORITY
) -> System:
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    used = [name for name in RESOURCES.values() if any(name in task.resources for task in tasks)]
    resources = tuple(_resource(name, ordered, scheduler) for name in used)
    return System(f"served-{name}", 1, 1, ordered, resources, scheduler, servers=servers)


def _in(server: str, number: int, priority: int, interval: int, *body: Step) -> Task:
    return some_task(f"{server}{number}", priority, interval, body).changed(server=server)


def is_light(system: System) -> bool:
    """Whether each server has more time than its tasks ask for."""
    return all(
        sum((_load(task) for task in system.tasks_of(server.name)), Fraction(0)) < server.share
        for server in system.servers
    )


def _load(task: Task) -> Fraction:
    return Fraction(task.run_ns + sum(task.sleeps_ns), task.least_interval_ns)


def is_sure(system: System) -> bool:
    """Whether each server gets its budget in each period."""
    return all(response_of(system, server) is not None for server in system.servers)


def _system(random: Random, name: str, scheduler: Scheduler) -> System:
    has_slots = random.random() < 0.4
    is_aligned = has_slots and random.random() < 0.5
    servers = slots(random) if has_slots else _with_priorities(random)
    counts = random.choice(((2, 1), (1, 2), (2, 2))[: 2 if scheduler is Scheduler.EDF else 3])
    tasks = [
        _task(random, server, number, scheduler, is_aligned)
        for server, count in zip(servers, counts, strict=True)
        for number in range(count)
    ]
    return _described(name, servers, *tasks, scheduler=scheduler)


def _with_priorities(random: Random) -> tuple[Server, ...]:
    kinds = (ServerKind.IDLING, ServerKind.POLLING, ServerKind.DEFERRABLE)
    return tuple(
        _server(random, name, random.choice(kinds), priority, random.randint(2, 6))
        for name, priority in zip(NAMES, (2, 1), strict=True)
    )


def _server(
    random: Random, name: str, kind: ServerKind, priority: int | None, period: int
) -> Server:
    budget = random.randint(1, min(period - 1, LONGEST_BUDGET))
    return some_server(name, kind, priority, period, budget)


def some_server(
    name: str, kind: ServerKind, priority: int | None, period_ns: int, budget_ns: int, **more: Any
) -> Server:
    """Return a server of the first CPU."""
    values = {"priority": priority, "period_ns": period_ns, "budget_ns": budget_ns, **more}
    return Server.made(name, kind=kind, **values)


def slots(random: Random) -> tuple[Server, ...]:
    """Return two slots in the order of their names."""
    period = random.randint(2, 6)
    first = _server(random, NAMES[0], ServerKind.SLOT, None, period)
    second = random.randint(1, min(period - first.budget_ns, LONGEST_BUDGET))
    slots = [first, first.changed(budget_ns=second).named(NAMES[1])]
    random.shuffle(slots)
    spare = period - first.budget_ns - second
    start = random.randint(0, spare)
    starts = {
        slots[0].name: start,
        slots[1].name: random.randint(start + slots[0].budget_ns, period - slots[1].budget_ns),
    }
    slots.sort(key=lambda slot: slot.name)
    return tuple(slot.changed(start_ns=starts[slot.name]) for slot in slots)


def _task(
    random: Random, server: Server, number: int, scheduler: Scheduler, is_aligned: bool
) -> Task:
    interval = random.randint(4, 12)
    if is_aligned:
        most = LONGEST_INTERVAL // server.period_ns
        interval = server.period_ns * random.randint(min(2, most), most)
    is_edf = scheduler is Scheduler.EDF
    body = _body(random, RESOURCES[server.name], can_sleep=not is_edf)
    task = _in(server.name, number, random.randint(1, 3), interval, *body).changed(
        interval=Interval(interval, interval, is_aligned)
    )
    if not is_edf:
        return task
    most = min(2 * interval, LONGEST_DEADLINE)
    return task.changed(deadline_ns=random.randint(min(4, most), most))


def _body(random: Random, resource: str, can_sleep: bool) -> tuple[Step, ...]:
    body: list[Step] = []
    for _ in range(random.choices((1, 2), (3, 2))[0]):
        kind = random.choices(("run", "section", "sleep"), (4, 5, 1 if can_sleep else 0))[0]
        if kind == "section":
            body += (Lock(resource), Run(random.choice((1, 1, 2))), Unlock(resource))
        else:
            body += (Run(1),) if kind == "run" else (Run(1), Sleep(1), Run(1))
    return tuple(body)


def _resource(name: str, tasks: Sequence[Task], scheduler: Scheduler) -> Resource:
    users = [task for task in tasks if name in task.resources]
    names = tuple(task.name for task in users)
    if scheduler is Scheduler.EDF:
        least_ns = min(task.deadline_ns or 0 for task in users)
        return Resource.made(name, users=names, floor=least_ns)
    return Resource.made(name, ceiling=max(task.priority for task in users), users=names)
