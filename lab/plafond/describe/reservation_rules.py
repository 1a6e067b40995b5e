# SPDX-License-Identifier: MIT
"""What reservations must keep, and how they become those of a system.

The kernel's own test, that reservations leave time for others, is off where SCHED_FIFO is not
throttled. So it is made here: all together have the CPUs at most.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.reservation import LEAST_BUDGET_NS, RESERVATION, Reservation
from plafond.describe.rules import Tasks
from plafond.describe.schema import ServerFields
from plafond.describe.server import ServerKind
from plafond.units import format_exactly

Servers = Mapping[str, ServerFields]

# What other servers have, and why no reservation has it.
NOT_OF_RESERVATIONS = {
    "cpu": "the kernel runs its thread on any CPU",
    "priority": "its thread is before all threads of SCHED_FIFO",
    "start": "that is of slots",
    "clock": "that is of servers with tasks",
    "signals": "that is of servers with tasks",
    "global": "that is of servers with tasks",
    "overrun": "that is of servers with tasks",
}


def reservations_among(servers: Servers) -> Servers:
    """Return those of the kind that have the thread of an interrupt, and no tasks."""
    return {name: each for name, each in servers.items() if each.kind == RESERVATION}


def servers_among(servers: Servers) -> Servers:
    """Return all others: those that have tasks."""
    return {name: each for name, each in servers.items() if each.kind != RESERVATION}


def problems_of_reservations(
    servers: Servers, tasks: Tasks, cpus: int | None, scheduler: Scheduler | None
) -> Iterator[Problem]:
    """Each reservation, all together, and what else there is; `cpus`: None, if that is wrong."""
    reserved, others = reservations_among(servers), servers_among(servers)
    for name, fields in others.items():
        if fields.irq is not None:
            expected = f'no irq: that is of kind = "{RESERVATION}", and this server is '
            yield Problem(("server", name, "irq"), f'"{fields.irq}"', expected + fields.kind)
    for name, fields in reserved.items():
        yield from _problems_of_reservation(name, fields)
    yield from _problems_of_threads(reserved)
    share = sum((Fraction(each.budget, each.period) for each in reserved.values()), Fraction(0))
    if cpus is not None and share > cpus:
        found = f"reservations of {float(share):.1%} of a CPU: {', '.join(reserved)}"
        yield Problem(("server",), found, f"at most {cpus:.0%} in all: cpus is {cpus}")
    if reserved:
        yield from _problems_beside(list(reserved), others, scheduler)
    yield from _problems_of_tasks(reserved, tasks)


def _problems_of_reservation(name: str, fields: ServerFields) -> Iterator[Problem]:
    where: Where = ("server", name)
    if fields.irq is None:
        expected = (
            "the name of an interrupt's action, as /proc/interrupts has it: a task has no "
            "reservation, as its thread is pinned and Linux refuses SCHED_DEADLINE for such"
        )
        yield Problem((*where, "irq"), "nothing", expected)
    if fields.budget > fields.period:
        expected = f"at most the period, {format_exactly(fields.period)}"
        yield Problem((*where, "budget"), format_exactly(fields.budget), expected)
    if fields.budget < LEAST_BUDGET_NS:
        expected = f"at least {LEAST_BUDGET_NS}ns: Linux refuses less"
        yield Problem((*where, "budget"), format_exactly(fields.budget), expected)
    given = {ServerFields.model_fields[key].alias or key for key in fields.model_fields_set}
    for field, why in NOT_OF_RESERVATIONS.items():
        if field in given:
            yield Problem((*where, field), "one of a reservation", f"no {field}: {why}")


def _problems_of_threads(reserved: Servers) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for name, fields in reserved.items():
        if fields.irq is None:
            continue
        other = taken.setdefault(fields.irq, name)
        if other != name:
            expected = f"an interrupt of its own: {other} has that one"
            yield Problem(("server", name, "irq"), f'"{fields.irq}"', expected)


def _problems_beside(
    names: Sequence[str], others: Servers, scheduler: Scheduler | None
) -> Iterator[Problem]:
    if scheduler not in (None, Scheduler.PRIORITY):
        found = f'"{scheduler}", with the reservation {names[0]}'
        yield Problem(("scheduler",), found, '"priority": that is how Linux runs tasks')
    for other, fields in others.items():
        if fields.kind == ServerKind.SLOT:
            found = f'"slot", beside the reservation {names[0]}'
            expected = "no slots: Linux has none, and only Linux has reservations"
            yield Problem(("server", other, "kind"), found, expected)
        for index, signalled in enumerate(fields.signals):
            if signalled in names:
                expected = f"a server with tasks: {signalled} is a reservation"
                yield Problem(("server", other, "signals", index), signalled, expected)


def _problems_of_tasks(reserved: Servers, tasks: Tasks) -> Iterator[Problem]:
    for name, task in tasks.items():
        if task.server in reserved:
            expected = "a server with tasks, or none: a reservation has an interrupt's thread alone"
            yield Problem(("task", name, "server"), f"{task.server}", expected)


def reservations_of(servers: Servers) -> tuple[Reservation, ...]:
    """Return those of a description without mistakes, as the file has them."""
    return tuple(
        Reservation(name, fields.irq or "", fields.period, fields.budget)
        for name, fields in reservations_among(servers).items()
    )
