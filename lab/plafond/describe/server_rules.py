# SPDX-License-Identifier: MIT
"""What a description must keep where it has servers, and how they become those of a system.

A CPU has servers of fixed priorities, or slots, or none; where it has some, each of its tasks is in
one, and what tasks share or hold is that server's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from plafond.describe.body import Activate, Chain, SetEvent
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, users_of
from plafond.describe.server import Server, ServerFields, ServerKind, Sharing
from plafond.units import format_above, format_exactly
from plafond.words import suggestion

Servers = Mapping[str, ServerFields]


def problems_of_servers(
    servers: Servers,
    named: Sequence[str],
    tasks: Tasks,
    resources: Resources,
) -> Iterator[Problem]:
    """Each server, those of each CPU together, and what tasks and resources have of them.

    `servers`: those with tasks, without mistakes of form; `named`: all.
    """
    for name, fields in servers.items():
        yield from _problems_of_server(name, fields, named)
    for cpu in sorted({fields.cpu for fields in servers.values()}):
        own = {name: fields for name, fields in servers.items() if fields.cpu == cpu}
        yield from _problems_of_cpu(cpu, own)
    yield from _problems_of_tasks(servers, named, tasks)
    yield from _problems_of_resources(tasks, resources)


def _problems_of_server(name: str, fields: ServerFields, named: Sequence[str]) -> Iterator[Problem]:
    where: Where = ("server", name)
    if fields.budget > fields.period:
        expected = f"at most the period, {format_exactly(fields.period)}"
        yield Problem((*where, "budget"), format_exactly(fields.budget), expected)
    if fields.kind == ServerKind.SLOT:
        if fields.priority is not None:
            expected = "no priority: the clock says when a slot has its CPU"
            yield Problem((*where, "priority"), str(fields.priority), expected)
    else:
        if fields.priority is None:
            expected = 'a priority among the servers of its CPU, or kind = "slot"'
            yield Problem((*where, "priority"), "nothing", expected)
        if fields.start is not None:
            expected = f"no start: that is of slots, and this server is {fields.kind}"
            yield Problem((*where, "start"), _instant(fields.start), expected)
    for index, other in enumerate(fields.signals):
        if other not in named:
            yield Problem((*where, "signals", index), other, _described(other, named))


def _described(server: str, named: Sequence[str]) -> str:
    known = suggestion(server, list(named))
    return f"a server that is described: a table [server.{server}]{known}"


def _problems_of_cpu(cpu: int, servers: Servers) -> Iterator[Problem]:
    slots = {name: each for name, each in servers.items() if each.kind == ServerKind.SLOT}
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
    share = sum((Fraction(each.budget, each.period) for each in servers.values()), Fraction(0))
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
        if fields.period != of_first.period:
            expected = f"{format_exactly(of_first.period)}, as {first} has: slots have one period"
            yield Problem(("server", name, "period"), format_exactly(fields.period), expected)
    starts = _starts(slots)
    end, before = 0, ""
    for name in sorted(slots, key=lambda name: starts[name]):
        if starts[name] < end:
            expected = f"from {format_exactly(end)} on, where {before} ends"
            yield Problem(("server", name, "start"), _instant(starts[name]), expected)
        end, before = starts[name] + slots[name].budget, name
        if end > slots[name].period:
            expected = f"at most the end of the period, {format_exactly(slots[name].period)}"
            found = f"an end at {format_exactly(end)}"
            yield Problem(("server", name, "budget"), found, expected)


def _starts(slots: Servers) -> dict[str, int]:
    """Where each begins: without a start, at the end of the one before in the file."""
    starts: dict[str, int] = {}
    end = 0
    for name, fields in slots.items():
        starts[name] = end if fields.start is None else fields.start
        end = starts[name] + fields.budget
    return starts


def _instant(time_ns: int) -> str:
    return format_exactly(time_ns) if time_ns else "0"


def _problems_of_tasks(servers: Servers, named: Sequence[str], tasks: Tasks) -> Iterator[Problem]:
    server_of = {fields.cpu: name for name, fields in servers.items()}
    for name, task in tasks.items():
        where: Where = ("task", name, "server")
        if task.server is None:
            if task.cpu in server_of:
                expected = f"a server: CPU {task.cpu} has some, such as {server_of[task.cpu]}"
                yield Problem(where, "nothing", expected)
        elif task.server not in named:
            yield Problem(where, task.server, _described(task.server, named))
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
    """Return those of a description without mistakes: the most urgent first, or slots in order."""
    starts = _starts_of_cpus(servers)
    found = [
        Server(
            name=name,
            kind=ServerKind(fields.kind),
            cpu=fields.cpu,
            priority=fields.priority,
            period_ns=fields.period,
            budget_ns=fields.budget,
            start_ns=starts.get(name),
            clock_mhz=fields.clock,
            signals=_signals(name, fields, tasks),
            sharing=Sharing(fields.global_) if fields.global_ else None,
            hold_ns=fields.overrun,
            is_hold_given=fields.overrun is not None,
        )
        for name, fields in servers.items()
    ]
    return tuple(
        sorted(found, key=lambda each: (each.cpu, -(each.priority or 0), each.start_ns or 0))
    )


def _starts_of_cpus(servers: Servers) -> dict[str, int]:
    slots = {name: each for name, each in servers.items() if each.kind == ServerKind.SLOT}
    starts: dict[str, int] = {}
    for cpu in {fields.cpu for fields in slots.values()}:
        starts |= _starts({name: each for name, each in slots.items() if each.cpu == cpu})
    return starts


def _signals(name: str, fields: ServerFields, tasks: Tasks) -> tuple[str, ...]:
    """What it says, and what the steps of its tasks do."""
    found = dict.fromkeys(fields.signals)
    for task in tasks.values():
        for step in task.body if task.server == name else []:
            if isinstance(step, Activate | Chain | SetEvent):
                other = tasks.get(step.task)  # one that is not there is a mistake of the step
                if other and other.server and other.server != name:
                    found.setdefault(other.server)
    return tuple(found)


def servers_of_users(resource: str, tasks: Tasks, servers: Sequence[Server]) -> tuple[str, ...]:
    """Return the servers of the tasks that use a resource, the most urgent first."""
    using = {tasks[user].server for user in users_of(resource, tasks)}
    return tuple(server.name for server in servers if server.name in using)
