# SPDX-License-Identifier: MIT
"""Rules of the scheduler: ceilings are priorities, floors are deadlines."""

from collections.abc import Iterator

from plafond.describe.kernel import SCHEDULER, Scheduler, protocols_under, schedulers_of
from plafond.describe.kernel_table import Kernel
from plafond.describe.problems import Problem
from plafond.describe.resource import Resource
from plafond.describe.rules import Resources, Tasks, kept_out_by, names_of
from plafond.protocols import KernelProtocol
from plafond.units import format_exactly


def problems_of_scheduling(
    scheduler: Scheduler, tasks: Tasks, resources: Resources, kernel: Kernel | None
) -> Iterator[Problem]:
    """Yield a protocol that the scheduler lacks, and ceilings or floors that fail to cover
    users."""
    if kernel and kernel.protocol:
        yield from _problems_of_protocol(scheduler, kernel.protocol)
    if scheduler is Scheduler.EDF:
        yield from _problems_under_edf(tasks, resources)
    else:
        yield from _problems_under_priorities(tasks, resources)


def _problems_of_protocol(scheduler: Scheduler, protocol: KernelProtocol) -> Iterator[Problem]:
    if scheduler not in schedulers_of(protocol):
        able = " or ".join(f'"{each}"' for each in schedulers_of(protocol))
        found = f"{protocol}, which needs scheduler = {able}"
        expected = f'with "{scheduler}" one of {", ".join(protocols_under(scheduler))}'
        yield Problem(("kernel", "protocol"), found, expected)


def _problems_under_priorities(tasks: Tasks, resources: Resources) -> Iterator[Problem]:
    names = names_of(resources)
    for name, fields in resources.items():
        kept_out = kept_out_by(names[name], tasks)
        yield from _problems_of_ceiling(name, fields, {user: tasks[user] for user in kept_out})


def _problems_of_ceiling(name: str, fields: Resource, users: Tasks) -> Iterator[Problem]:
    if fields.given_ceiling is None:
        return
    given = {user: task.priority for user, task in users.items()}
    priorities = {user: priority for user, priority in given.items() if priority}
    if not priorities:
        return
    user, highest = max(priorities.items(), key=lambda item: item[1])
    if name == SCHEDULER and fields.given_ceiling != highest:
        expected = f"{highest}, the priority of the most urgent task {user}"
    elif fields.given_ceiling < highest:
        expected = f"at least {highest}, the priority of its user {user}"
    else:
        return
    yield _of_resource(name, "ceiling", str(fields.given_ceiling), expected)


def _problems_under_edf(tasks: Tasks, resources: Resources) -> Iterator[Problem]:
    names = names_of(resources)
    for name, fields in resources.items():
        kept_out = kept_out_by(names[name], tasks)
        yield from _problems_of_floor(name, fields, {user: tasks[user] for user in kept_out})


def _problems_of_floor(name: str, fields: Resource, users: Tasks) -> Iterator[Problem]:
    if fields.given_floor is None:
        return
    due = {user: task for user, task in users.items() if task.relative_deadline_ns}
    given = {user: task.deadline_from_release_ns for user, task in due.items()}
    deadlines = {user: time_ns for user, time_ns in given.items() if time_ns}
    if not deadlines:
        return
    user, least_ns = min(deadlines.items(), key=lambda item: item[1])
    if name == SCHEDULER and fields.given_floor != least_ns:
        expected = f"{format_exactly(least_ns)}, the least deadline, of task {user}"
    elif fields.given_floor > least_ns:
        expected = f"at most {format_exactly(least_ns)}, the deadline of its user {user}"
    else:
        return
    yield _of_resource(name, "floor", format_exactly(fields.given_floor), expected)


def _of_resource(name: str, field: str, found: str, expected: str) -> Problem:
    return Problem(("resource", name, field), found, expected)
