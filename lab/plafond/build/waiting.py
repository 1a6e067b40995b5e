# SPDX-License-Identifier: MIT
"""Where tasks wait for resources of their own core: what does not go together with that."""

from collections.abc import Iterator

from plafond.build.locks import Locks
from plafond.describe.problems import Problem
from plafond.describe.system import System


def users_that_wait(system: System, locks: Locks) -> set[str]:
    """Return the tasks that may be suspended in a request for a resource."""
    if locks.protocol.traits.waits:
        return {user for each in system.resources for user in each.users}
    spins = locks.global_protocol is None or locks.global_protocol.traits.spins
    return set() if spins else {user for each in system.global_resources for user in each.users}


def problems_of_waiting(system: System, locks: Locks) -> Iterator[Problem]:
    """Yield the tasks that may wait, and that could be activated again meanwhile."""
    if not locks.protocol.traits.waits:
        return
    waiting = users_that_wait(system, locks)
    for task in system.tasks:
        if task.name in waiting and (task.queue or 1) > 1:
            name = locks.protocol
            expected = f"1: with {name} a task that may wait is not activated again before its end"
            yield Problem(("task", task.name, "queue"), str(task.queue), expected)
