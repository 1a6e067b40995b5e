# SPDX-License-Identifier: MIT
"""Rules of servers, and their conversion for a system.

A CPU has either servers of fixed priorities, or slots, or neither. If a CPU has servers, each of
its tasks must be in a server.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from plafond.describe.body import Activate, Chain, SetEvent
from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, users_of
from plafond.describe.server import Server, instant
from plafond.units import format_above, format_exactly

Servers = Mapping[str, Server]


def problems_of_servers(
    servers: Servers, tasks: Tasks, resources: Resources, known: Known
) -> Iterator[Problem]:
    """Yield mistakes of each CPU's servers, and of the tasks and resources that have servers.

    `servers` must be well formed and have no reservations.
    """
    for cpu in sorted({fields.cpu for fields in servers.values()}):
        own = {name: fields for name, fields in servers.items() if fields.cpu == cpu}
        yield from _problems_of_cpu(cpu, own)
    yield from _problems_of_tasks(servers, tasks, known)
    yield from _problems_of_resources(tasks, resources)


def _problems_of_cpu(cpu: int, servers: Servers) -> Iterator[Problem]:
    slots = {name: each for name, each in servers.items() if each.is_slot}
    if slots and len(slots) < len(servers):
        other = next(name for name in servers if name not in slots)
        slot = next(iter(slots))
        yield Problem(
            ("server", slot, "kind"),
            f'"slot", beside {other}, which is {servers[other].kind}',
            f"on CPU {cpu} either slots, or servers with priorities",
        )
    elif slots:
        yield from _problems_of_slots(slots)
    else:
        yield from _problems_of_priorities(servers)
    share = sum((each.share for each in servers.values()), Fraction(0))
    if share > 1:
        yield Problem(
            ("server",),
            f"budgets of {format_above(share, Fraction(1))} of CPU {cpu}: {', '.join(servers)}",
            "at most 100% in all",
        )


def _problems_of_priorities(servers: Servers) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for name, fields in servers.items():
        if fields.priority is None:
            continue
        other = taken.setdefault(fields.priority, name)
        if other != name:
            expected = f"a priority of its own: {other} has that one"
            yield Problem(("server", name, "priority"), str(fields.priority), expected)


def _problems_of_slots(slots: Servers) -> Iterator[Problem]:
    (first, of_first), *others = slots.items()
    for name, fields in others:
        if fields.period_ns != of_first.period_ns:
            period = format_exactly(of_first.period_ns)
            expected = f"{period}, as {first} has: slots have one period"
            yield Problem(("server", name, "period"), format_exactly(fields.period_ns), expected)
    starts = _starts(slots)
    end, before = 0, ""
    for name in sorted(slots, key=lambda name: starts[name]):
        if starts[name] < end:
            expected = f"from {format_exactly(end)} on, where {before} ends"
            yield Problem(("server", name, "start"), instant(starts[name]), expected)
        end, before = starts[name] + slots[name].budget_ns, name
        if end > slots[name].period_ns:
            expected = f"at most the end of the period, {format_exactly(slots[name].period_ns)}"
            found = f"an end at {format_exactly(end)}"
            yield Problem(("server", name, "budget"), found, expected)


def _starts(slots: Servers) -> dict[str, int]:
    """Return the start of each slot; default: the end of the slot before it in the file."""
    starts: dict[str, int] = {}
    end = 0
    for name, fields in slots.items():
        starts[name] = end if fields.start_ns is None else fields.start_ns
        end = starts[name] + fields.budget_ns
    return starts


def _problems_of_tasks(servers: Servers, tasks: Tasks, known: Known) -> Iterator[Problem]:
    server_of = {fields.cpu: name for name, fields in servers.items()}
    for name, task in tasks.items():
        where: Where = ("task", name, "server")
        if task.server is None:
            if task.cpu in server_of:
                expected = f"a server: CPU {task.cpu} has some, such as {server_of[task.cpu]}"
                yield Problem(where, "nothing", expected)
        elif wrong := known.wrong("server", task.server):
            yield Problem(where, task.server, wrong)
        elif task.server in servers and servers[task.server].cpu != task.cpu:
            found = f"{task.server}, which is on CPU {servers[task.server].cpu}"
            yield Problem(where, found, f"a server of its own CPU, {task.cpu}")


def _problems_of_resources(tasks: Tasks, resources: Resources) -> Iterator[Problem]:
    for name in resources:
        users = {user: tasks[user].server for user in users_of(name, tasks)}
        if None in users.values() and any(users.values()) and name != SCHEDULER:
            of = ", ".join(f"{user} in {server or 'none'}" for user, server in users.items())
            expected = "users that are all in servers, or all in none"
            yield Problem(("resource", name), f"users in servers and in none: {of}", expected)


def servers_of(servers: Servers, tasks: Tasks) -> tuple[Server, ...]:
    """Return the servers of a description without mistakes, by CPU and urgency, or in slot
    order."""
    starts = _starts_of_cpus(servers)
    found = [
        server.changed(
            start_ns=starts.get(name),
            signals=_signals(name, server, tasks),
            is_hold_given=server.hold_ns is not None,
        )
        for name, server in servers.items()
    ]
    return tuple(
        sorted(found, key=lambda each: (each.cpu, -(each.priority or 0), each.start_ns or 0))
    )


def _starts_of_cpus(servers: Servers) -> dict[str, int]:
    slots = {name: each for name, each in servers.items() if each.is_slot}
    starts: dict[str, int] = {}
    for cpu in {fields.cpu for fields in slots.values()}:
        starts |= _starts({name: each for name, each in slots.items() if each.cpu == cpu})
    return starts


def _signals(name: str, fields: Server, tasks: Tasks) -> tuple[str, ...]:
    """Return the servers that it may signal: given ones, and targets of its tasks' steps."""
    found = dict.fromkeys(fields.signals)
    for task in tasks.values():
        for step in task.body if task.server == name else []:
            if isinstance(step, Activate | Chain | SetEvent):
                other = tasks.get(step.task)  # an unknown task is reported with the step
                if other and other.server and other.server != name:
                    found.setdefault(other.server)
    return tuple(found)


def servers_of_users(resource: str, tasks: Tasks, servers: Sequence[Server]) -> tuple[str, ...]:
    """Return the servers of the tasks that use a resource, the most urgent first."""
    using = {tasks[user].server for user in users_of(resource, tasks)}
    return tuple(server.name for server in servers if server.name in using)
