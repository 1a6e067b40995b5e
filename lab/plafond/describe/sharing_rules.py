# SPDX-License-Identifier: MIT
"""Rules of resources that tasks of several servers share.

Each of these servers must name a policy that suits its kind (OSPERT 2010, 8, VI to VIII). The
scheduler must have fixed priorities. Sections of shared resources may nest only with each other,
because a section of a single server does not account for waiting servers. Other files check
self-suspension (body_rules.py) and lengths of holds (hold_rules.py).
"""

from collections.abc import Iterator, Mapping, Sequence

from plafond.describe.body import Lock, Unlock
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, cpus_of_users, users_of
from plafond.describe.server import Server, Sharing
from plafond.describe.task import Task
from plafond.units import format_exactly

Servers = Mapping[str, Server]
Shared = Mapping[str, Sequence[str]]  # from the resource to its servers

A_POLICY = f"one of {', '.join(Sharing)}"


def problems_of_sharing(
    servers: Servers,
    named: Sequence[str],
    tasks: Tasks,
    resources: Resources,
) -> Iterator[Problem]:
    """Yield faults of servers, of the resources that they share, and of nested sections."""
    shared = shared_by(named, tasks, resources)
    for name, fields in servers.items():
        yield from _problems_of_server(name, fields, shared)
    for name, of in shared.items():
        if resources[name].internal:
            found = f"true, of {_what(name, of)}"
            expected = "users in one server: tasks hold it whenever they run"
            yield Problem(("resource", name, "internal"), found, expected)
    for name, task in tasks.items():
        yield from _problems_of_nesting(name, task, resources, shared)


def shared_by(named: Sequence[str], tasks: Tasks, resources: Resources) -> Shared:
    """Return resources with users in several servers of a CPU, except RES_SCHEDULER."""
    found: dict[str, Sequence[str]] = {}
    for name in resources:
        using = {tasks[user].server for user in users_of(name, tasks)}
        of = [server for server in named if server in using]
        if len(of) > 1 and len(cpus_of_users(name, tasks)) == 1 and name != SCHEDULER:
            found[name] = of
    return found


def _what(resource: str, servers: Sequence[str]) -> str:
    return f"{resource}, which has users in the servers {' and '.join(servers)}"


def _problems_of_server(name: str, fields: Server, shared: Shared) -> Iterator[Problem]:
    where: Where = ("server", name)
    used = next((resource for resource, of in shared.items() if name in of), None)
    if used and fields.sharing is None:
        expected = f"{A_POLICY}: its tasks use {_what(used, shared[used])}"
        yield Problem((*where, "global"), "nothing", expected)
    elif fields.hold_ns and fields.sharing is None:
        found = f"{format_exactly(fields.hold_ns)}, without global"
        yield Problem((*where, "overrun"), found, f"none, or global: {A_POLICY}")
    if fields.is_slot and fields.sharing not in (None, Sharing.SKIP):
        expected = f'"{Sharing.SKIP}": a slot ends when the clock says so'
        yield Problem((*where, "global"), f'"{fields.sharing}"', expected)
    if fields.hold_ns and fields.hold_ns >= fields.budget_ns:
        expected = f"less than the budget, {format_exactly(fields.budget_ns)}"
        found = format_exactly(fields.hold_ns)
        yield Problem((*where, "overrun"), found, expected)


def _problems_of_nesting(
    name: str, task: Task, resources: Resources, shared: Shared
) -> Iterator[Problem]:
    held: list[str] = []
    for index, step in enumerate(task.body):
        if isinstance(step, Lock) and (step.resource in resources or step.resource == SCHEDULER):
            both = [*held, step.resource]
            across = next((each for each in both if each in shared), None)
            if across and any(each not in shared for each in both):
                found = f"lock {step.resource} while the task holds {', '.join(held)}"
                expected = (
                    f"in and around {_what(across, shared[across])}, only resources of several"
                )
                yield Problem(("task", name, "body", index), found, expected)
            held.append(step.resource)
        elif isinstance(step, Unlock) and step.resource in held:
            held.remove(step.resource)
