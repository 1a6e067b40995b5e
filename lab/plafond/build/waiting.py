# SPDX-License-Identifier: MIT
"""Where tasks wait for resources of their own core: what does not go together with that."""

from collections.abc import Iterator

from plafond.build.locks import Locks
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Problem, Where
from plafond.describe.system import Resource, System, Task


def users_that_wait(system: System, locks: Locks) -> set[str]:
    """Return the tasks that may be suspended in a request for a resource."""
    if locks.protocol.traits.waits:
        return {user for each in system.resources for user in each.users}
    spins = locks.global_protocol is None or locks.global_protocol.traits.spins
    return set() if spins else {user for each in system.global_resources for user in each.users}


def problems_of_waiting(system: System, locks: Locks) -> Iterator[Problem]:
    """Yield the fields that need a ceiling, or a task that does not wait."""
    if not locks.protocol.traits.waits:
        return
    name = locks.protocol
    if system.cpus > 1:
        yield Problem(("cpus",), str(system.cpus), f"1: {name} has one core")
    for server in system.servers[:1]:
        expected = f"no servers: with {name} a task could wait for one without a budget"
        yield Problem(("server", server.name), server.name, expected)
    for isr in system.isrs:
        for locked in isr.resources[:1]:
            expected = f"no resources: with {name} a routine would have to wait"
            yield Problem(("isr", isr.name, "resources"), locked, expected)
    for resource in system.resources:
        yield from _problems_of_resource(resource, name)
    waiting = users_that_wait(system, locks)
    for task in system.tasks:
        yield from _problems_of_task(task, name, waits=task.name in waiting)


def _problems_of_resource(resource: Resource, name: str) -> Iterator[Problem]:
    where: Where = ("resource", resource.name)
    if resource.name == SCHEDULER:
        expected = f"other resources: it is a ceiling above all tasks, and {name} has none"
        yield Problem(where, SCHEDULER, expected)
    if resource.is_internal and resource.users:
        expected = f"false: with {name} a task could wait while it holds it"
        yield Problem((*where, "internal"), "true", expected)
    elif resource.names:
        expected = f"no linked resources: with {name} the task would wait for itself"
        yield Problem(where, ", ".join(sorted(resource.names)), expected)


def _problems_of_task(task: Task, name: str, *, waits: bool) -> Iterator[Problem]:
    where: Where = ("task", task.name)
    if not task.is_preemptable:
        expected = f'"full": with {name} other tasks run while it waits'
        yield Problem((*where, "schedule"), '"non"', expected)
    if waits and (task.queue or 1) > 1:
        expected = f"1: with {name} a task that may wait is not activated again before its end"
        yield Problem((*where, "queue"), str(task.queue), expected)
    for resource, _ in task.resource_locks[:1]:
        expected = f"none: with {name} a task may wait between the call and the section"
        yield Problem((*where, "resource_lock_budgets"), resource, expected)
