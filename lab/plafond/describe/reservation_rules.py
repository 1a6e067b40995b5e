# SPDX-License-Identifier: MIT
"""Rules of reservations, and their conversion for a system.

Linux tests that reservations leave time for other threads, but not if SCHED_FIFO throttling is off.
So these rules repeat the test. All reservations together may use at most all CPUs. The reservations
of tasks on a CPU must leave some of that CPU free.

A reservation without an interrupt is for a single task. That task must not lock, because a ceiling
is a SCHED_FIFO priority.
"""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from plafond.describe.body import Lock
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Tasks
from plafond.describe.server import Server
from plafond.units import format_above

Servers = Mapping[str, Server]
# Largest share of a CPU for reservations of tasks; the rest is for the watchdog of a run.
MOST_OF_TASKS = Fraction(95, 100)


def reservations_among(servers: Servers) -> Servers:
    """Return the reservations; each has one thread, of an interrupt or of a task."""
    return {name: each for name, each in servers.items() if each.is_reservation}


def tasks_outside(servers: Servers, tasks: Tasks) -> Tasks:
    """Return the tasks without a reservation."""
    reserved = reservations_among(servers)
    return {name: task for name, task in tasks.items() if task.server not in reserved}


def servers_among(servers: Servers) -> Servers:
    """Return the servers that are not reservations and may have any number of tasks."""
    return {name: each for name, each in servers.items() if not each.is_reservation}


def problems_of_reservations(servers: Servers, tasks: Tasks, cpus: int | None) -> Iterator[Problem]:
    """Yield faults of reservations alone, together and beside servers; `cpus`: None if
    malformed."""
    reserved, others = reservations_among(servers), servers_among(servers)
    for name, fields in reserved.items():
        yield from _problems_of_thread(name, fields, _tasks_of(name, tasks))
    yield from _problems_of_threads(reserved)
    yield from _problems_of_locks(reserved, tasks)
    share = sum((each.share for each in reserved.values()), Fraction(0))
    if cpus is not None and share > cpus:
        asked = format_above(share, Fraction(cpus))
        found = f"reservations of {asked} of a CPU: {', '.join(reserved)}"
        yield Problem(("server",), found, f"at most {cpus:.0%} in all: cpus is {cpus}")
    for cpu in sorted({task.cpu for task in tasks.values() if task.server in reserved}):
        yield from _problems_of_cpu(cpu, reserved, tasks)
    if reserved:
        yield from _problems_beside(reserved, others)


def _problems_of_thread(name: str, fields: Server, own: Tasks) -> Iterator[Problem]:
    """Yield faults of its thread: it must have an interrupt's thread, or a single task's."""
    if fields.irq is None and not own:
        expected = (
            "the name of an interrupt's action, as /proc/interrupts has it, or one task with "
            f'server = "{name}"'
        )
        yield Problem(("server", name, "irq"), "nothing", expected)
    first = next(iter(own), "")
    for task in own:
        where: Where = ("task", task, "server")
        if fields.irq is not None:
            expected = f"another server, or none: {name} has the thread of an interrupt"
            yield Problem(where, name, expected)
        elif task != first:
            expected = f"another server, or none: the reservation {name} has one thread, {first}"
            yield Problem(where, name, expected)


def _problems_of_threads(reserved: Servers) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for name, fields in reserved.items():
        if fields.irq is None:
            continue
        other = taken.setdefault(fields.irq, name)
        if other != name:
            expected = f"an interrupt of its own: {other} has that one"
            yield Problem(("server", name, "irq"), f'"{fields.irq}"', expected)


def _problems_beside(names: Collection[str], others: Servers) -> Iterator[Problem]:
    for other, fields in others.items():
        for index, signalled in enumerate(fields.signals):
            if signalled in names:
                expected = f"a server with tasks: {signalled} is a reservation"
                yield Problem(("server", other, "signals", index), signalled, expected)


def _problems_of_locks(reserved: Servers, tasks: Tasks) -> Iterator[Problem]:
    for name, task in tasks.items():
        for index, step in enumerate(task.body if task.server in reserved else ()):
            if isinstance(step, Lock):
                expected = (
                    f"no lock in the reservation {task.server}: a ceiling is a priority of "
                    "SCHED_FIFO, and its thread has none"
                )
                where: Where = ("task", name, "body", index)
                yield Problem(where, f"lock {step.resource}", expected)


def _problems_of_cpu(cpu: int, reserved: Servers, tasks: Tasks) -> Iterator[Problem]:
    """Yield reservations of the CPU's tasks that leave too little time for the watchdog of a
    run."""
    here = {task.server for task in tasks.values() if task.cpu == cpu}
    own = {name: each for name, each in reserved.items() if name in here}
    share = sum((each.share for each in own.values()), Fraction(0))
    if share > MOST_OF_TASKS:
        asked = format_above(share, MOST_OF_TASKS)
        found = f"reservations of {asked} of CPU {cpu}: {', '.join(own)}"
        expected = (
            f"at most {float(MOST_OF_TASKS):.0%}, where tasks have them: what watches over a run "
            "comes after them"
        )
        yield Problem(("server",), found, expected)


def _tasks_of(server: str, tasks: Tasks) -> Tasks:
    return {name: task for name, task in tasks.items() if task.server == server}


def reservations_of(servers: Servers, tasks: Tasks) -> tuple[Server, ...]:
    """Return the reservations of a description without mistakes, in the file's order."""
    reserved = reservations_among(servers)
    return tuple(_with_task(server, _tasks_of(name, tasks)) for name, server in reserved.items())


def _with_task(reservation: Server, own: Tasks) -> Server:
    for name, task in own.items():
        return reservation.changed(task=name, cpu=task.cpu)
    return reservation
