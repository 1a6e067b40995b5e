# SPDX-License-Identifier: MIT
"""Small random task sets in two or three servers of a processor, which share resources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from plafond.analyse.in_server import as_in_server, skips, with_waits
from plafond.analyse.servers import why_no_bound
from plafond.describe.holds import with_holds
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import Lock, Resource, Run, Sleep, Step, System, Task, Unlock

from proof.analysis.served import UNSURE, is_light, slots, some_server
from proof.analysis.sets import some_task

NAMES = ("A", "B", "C")  # the most urgent first, as in the simulator
LOCAL = "L"  # prefix of a server's local resource
SHARED = ("R", "S")
LONGEST_HOLD = 6  # in units: see taskset.h
SLOTS = 0.1  # share of the sets
TRIES = 200

Way = tuple[ServerKind, Sharing]
WAYS = [
    (kind, sharing)
    for kind in (ServerKind.IDLING, ServerKind.POLLING, ServerKind.DEFERRABLE)
    for sharing in Sharing
]
WAYS_WITH_BOUNDS = [
    (kind, sharing)
    for kind, sharing in WAYS
    if kind is not ServerKind.DEFERRABLE or not sharing.overruns
]


def sharing_systems(seed: int, count: int) -> list[System]:
    """Return systems whose servers each have time over; most are sure of their budgets."""
    random = Random(seed)
    return [_drawn(random, f"shared-{number}") for number in range(count)]


def _drawn(random: Random, name: str) -> System:
    """Draw systems of the same kinds and policies, and new kinds after TRIES misfits."""
    while True:
        is_any = random.random() < UNSURE
        has_slots = random.random() < SLOTS
        count = random.choices((2, 3), (5, 1))[0]
        ways = [random.choice(WAYS if is_any else WAYS_WITH_BOUNDS) for _ in range(count)]
        for _ in range(TRIES):
            servers = slots_that_skip(random) if has_slots else _servers(random, ways)
            system = _system(random, name, servers)
            if system and is_light(system) and (is_any or _have_bounds(system)):
                return system


def _have_bounds(system: System) -> bool:
    return all(
        why_no_bound(system, server) is None and _is_light_with_waits(system, server)
        for server in system.servers
    )


def _is_light_with_waits(system: System, server: Server) -> bool:
    within = as_in_server(system, server)
    return is_light(with_waits(within, server) if skips(system, server) else within)


def sharing_by_hand() -> list[System]:
    """Return systems with situations that are rare or missing in random systems."""
    idling, polling, deferrable, *_ = ServerKind
    overrun, payback, skip = Sharing
    made = [
        # A0 runs while B holds R for 3, and S for 1.
        described(
            "shared-kept-out",
            (
                some_server("A", idling, 2, 5, 4, sharing=skip),
                some_server("B", idling, 1, 5, 4, sharing=skip),
            ),
            in_server("A", 0, 1, 10, Run(2)),
            in_server("A", 1, 2, 15, *_section("R", 1), *_section("S", 1)),
            in_server("B", 0, 1, 15, *_section("R", 3), *_section("S", 1)),
        ),
        # The longest hold is the last.
        described(
            "shared-kept-out-last",
            (
                some_server("A", idling, 2, 5, 4, sharing=skip),
                some_server("B", idling, 1, 5, 4, sharing=skip),
            ),
            in_server("A", 0, 1, 15, Run(1), *_section("R", 1), *_section("S", 1)),
            in_server("B", 0, 1, 15, *_section("R", 1), *_section("S", 3)),
        ),
        # C keeps out B, too, although B uses no resource.
        described(
            "shared-between",
            (
                some_server("A", idling, 3, 4, 2, sharing=skip),
                some_server("B", idling, 2, 3, 1),
                some_server("C", idling, 1, 4, 4, sharing=skip),
            ),
            in_server("A", 0, 1, 15, *_section("R", 1)),
            in_server("B", 0, 1, 15, Run(1)),
            in_server("C", 0, 1, 15, *_section("R", 3)),
        ),
        # A is as urgent as the ceiling.
        described(
            "shared-at",
            (
                some_server("A", idling, 2, 4, 3, sharing=overrun),
                some_server("B", idling, 1, 5, 4, sharing=skip),
            ),
            in_server("A", 0, 1, 9, Run(2), *_section("R", 1)),
            in_server("B", 0, 1, 15, *_section("R", 3)),
        ),
        # A overruns in each period.
        described(
            "shared-overruns",
            (
                some_server("A", idling, 2, 8, 3, sharing=overrun),
                some_server("B", idling, 1, 13, 4, sharing=overrun),
            ),
            in_server("A", 0, 1, 8, Run(1), *_section("R", 2)),
            in_server("B", 0, 1, 15, Run(3), *_section("R", 1)),
        ),
        # A overruns in a period, and pays in the next.
        described(
            "shared-paid",
            (
                some_server("A", idling, 2, 12, 4, sharing=payback),
                some_server("B", idling, 1, 9, 4, sharing=overrun),
            ),
            in_server("A", 0, 1, 15, Run(2), *_section("R", 2)),
            in_server("B", 0, 1, 15, Run(3), *_section("R", 1)),
        ),
        # A overruns at the end of its period.
        described(
            "shared-cut-at-once",
            (
                some_server("A", idling, 2, 4, 3, sharing=overrun),
                some_server("B", idling, 1, 2, 2, sharing=skip),
            ),
            in_server("A", 0, 1, 15, Run(3), *_section("R", 2)),
            in_server("B", 0, 1, 15, *_section("R", 1)),
        ),
        # B1 waits, then it is inside, and then B0 waits.
        described(
            "shared-waits",
            (
                some_server("A", polling, 2, 6, 3, sharing=skip),
                some_server("B", idling, 1, 6, 3, sharing=skip),
            ),
            in_server("A", 0, 1, 6, *_section("R", 1), Run(2)),
            in_server("B", 0, 2, 15, *_section("R", 1)),
            in_server("B", 1, 1, 15, *_section("R", 2)),
        ),
        # A begins to use its budget late, so its overrun is cut.
        described(
            "shared-cut",
            (
                some_server("A", deferrable, 2, 6, 3, sharing=overrun),
                some_server("B", idling, 1, 2, 2, sharing=skip),
            ),
            in_server("A", 0, 1, 15, Run(1), *_section("R", 2)),
            in_server("B", 0, 1, 15, *_section("R", 1)),
        ),
        # B1 waits for several budgets, because B0 leaves too little of each.
        described(
            "shared-waits-on",
            (
                some_server("A", idling, 2, 12, 2, sharing=skip),
                some_server("B", idling, 1, 8, 6, sharing=skip),
            ),
            in_server("A", 0, 1, 15, *_section("R", 1)),
            in_server("B", 0, 2, 8, Run(2)),
            in_server("B", 1, 1, 15, *_section("R", 2)),
        ),
        # As before, but three jobs of B0 fall into two periods, and a single job would leave
        # enough.
        described(
            "shared-waits-for-more",
            (
                some_server("A", idling, 2, 10, 3, sharing=skip),
                some_server("B", polling, 1, 9, 6, sharing=skip),
            ),
            in_server("A", 0, 1, 10, *_section("R", 1)),
            in_server("B", 0, 2, 4, Run(1)),
            in_server("B", 1, 1, 15, Run(1), *_section("R", 1)),
        ),
    ]
    return [system for system in made if system]


def _section(resource: str, length: int) -> tuple[Step, ...]:
    return (Lock(resource), Run(length), Unlock(resource))


def described(name: str, servers: Sequence[Server], *tasks: Task) -> System | None:
    """Return the system if some resource is shared, and each hold is below the budget."""
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    names = sorted(frozenset(each for task in ordered for each in task.resources))
    resources = tuple(_resource(each, servers, ordered) for each in names)
    system = System(name, 1, 1, ordered, resources, servers=tuple(servers))
    if not system.resources_of_servers:
        return None
    used = {name for each in system.resources_of_servers for name in each.servers}
    system = replace(
        system,
        servers=tuple(
            each if each.name in used else each.changed(sharing=None, hold_ns=None)
            for each in servers
        ),
    )
    system = with_holds(system)
    fits = all(
        (each.hold_ns or 0) < each.budget_ns and (each.hold_ns or 0) <= LONGEST_HOLD
        for each in system.servers
    )
    return system if fits else None


def _resource(name: str, servers: Sequence[Server], tasks: Sequence[Task]) -> Resource:
    users = [task for task in tasks if name in task.resources]
    used_in = {task.server for task in users}
    return Resource.made(
        name,
        ceiling=max(task.priority for task in users),
        users=tuple(task.name for task in users),
        servers=tuple(each.name for each in servers if each.name in used_in),
        cpus=(0,),
    )


def _system(random: Random, name: str, servers: tuple[Server, ...]) -> System | None:
    counts = [1] * len(servers)
    if random.random() < 0.7:
        counts[random.randrange(len(servers))] += 1
    tasks = [
        _task(random, server, number)
        for server, count in zip(servers, counts, strict=True)
        for number in range(count)
    ]
    return described(name, servers, *tasks)


def slots_that_skip(random: Random) -> tuple[Server, ...]:
    """Return two slots with the policy skip."""
    return tuple(each.changed(sharing=Sharing.SKIP) for each in slots(random))


def _servers(random: Random, ways: Sequence[Way]) -> tuple[Server, ...]:
    """Return servers that may be sure of their budgets: a less urgent server has a longer
    period."""
    found = []
    least = 3
    for name, priority, (kind, sharing) in zip(NAMES, range(len(ways), 0, -1), ways, strict=False):
        period = random.randint(least, min(least + 4, 12))
        budget = random.randint(2, min(period - 1, 3))
        least += budget
        found.append(some_server(name, kind, priority, period, budget, sharing=sharing))
    return tuple(found)


def _task(random: Random, server: Server, number: int) -> Task:
    return in_server(
        server.name, number, random.randint(1, 3), random.randint(9, 15), *_body(random, server)
    )


def in_server(server: str, number: int, priority: int, interval: int, *body: Step) -> Task:
    """Return a task of a server."""
    return some_task(f"{server}{number}", priority, interval, body).changed(server=server)


def _body(random: Random, server: Server) -> tuple[Step, ...]:
    body: list[Step] = []
    for _ in range(random.choices((1, 2), (3, 1))[0]):
        kind = random.choices(("run", "shared", "local", "sleep", "nested"), (20, 60, 8, 5, 5))[0]
        if kind == "run":
            body += (Run(1),)
        elif kind == "sleep":
            body += (Run(1), Sleep(1), Run(1))
        elif kind == "nested":
            body += (Lock("R"), Run(1), Lock("S"), Run(1), Unlock("S"), Unlock("R"))
        else:
            name = random.choice(SHARED) if kind == "shared" else LOCAL + server.name
            body += _section(name, random.choice((1, 1, 2, 2, 3)))
    return tuple(body)
