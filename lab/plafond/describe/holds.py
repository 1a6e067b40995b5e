# SPDX-License-Identifier: MIT
"""For how long tasks of a server hold what they share with other servers.

In processor time of the server: under overrun none of its tasks preempts a holder, so it is the
section. Under skip those above the ceiling do. The section began with more than that left of the
budget, and ends before the budget does, within a period P of the server: a task k above the ceiling
arrives at most ceil(P / T_k) times meanwhile (SIRAP's resource hold time, Behnam 2007, where each
task preempts once at most, for its T_k is longer than P).
"""

from dataclasses import replace

from plafond.describe.body import WaitEvent
from plafond.describe.server import Server
from plafond.describe.system import Resource, Run, System, Task


def with_holds(system: System) -> System:
    """Return the system with X for each server that shares resources, and does not give it."""
    servers = (
        server if server.hold_ns or not server.sharing else _with_hold(system, server)
        for server in system.servers
    )
    return replace(system, servers=tuple(servers))


def _with_hold(system: System, server: Server) -> Server:
    return server.changed(hold_ns=longest_hold_ns(system, server))


def longest_hold_ns(system: System, server: Server) -> int | None:
    """Return X as the bodies say it; None: a task that runs inside is not bounded by its body."""
    holds = [hold_of_ns(system, server, each) for each in system.shared_by(server.name)]
    known = [hold for hold in holds if hold is not None]
    return max(known, default=0) if len(known) == len(holds) else None


def hold_of_ns(system: System, server: Server, resource: Resource) -> int | None:
    """Return for how long tasks of the server hold one resource at most; None: see above."""
    tasks = system.tasks_of(server.name)
    shared = frozenset(each.name for each in system.shared_by(server.name))
    users = [task for task in tasks if task.name in resource.users]
    if any(not task.body for task in users):
        return None
    longest = max((_longest_with_ns(task, resource.name, shared) for task in users), default=0)
    ceiling = system.local_ceiling(resource, server.name)
    preempting = [task for task in tasks if task.priority > ceiling]
    if not all(_is_load_known(system, task) for task in preempting):
        return None
    return longest + sum(
        -(-server.period_ns // task.least_interval_ns) * task.run_ns for task in preempting
    )


def _is_load_known(system: System, task: Task) -> bool:
    """Whether its jobs are those of its arrivals, none of which began before the section."""
    waits = any(isinstance(step, WaitEvent) for step in task.body)
    by_others = task.name in system.activators or system.c_files
    return bool(task.body and task.interval) and not waits and not by_others


def _longest_with_ns(task: Task, resource: str, shared: frozenset[str]) -> int:
    """The longest hold in which that one is: shared resources that nest are held as one."""
    longest = hold_ns = 0
    is_in = False
    for step, held in task.held():
        if not shared.intersection(held):
            hold_ns, is_in = 0, False
            continue
        is_in |= resource in held
        hold_ns += step.duration_ns if isinstance(step, Run) else 0
        longest = max(longest, hold_ns) if is_in else longest
    return longest
