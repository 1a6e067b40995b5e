# SPDX-License-Identifier: MIT
"""Longest time that a server's tasks hold a resource that they share with other servers.

The unit is processor time of the server. Under overrun no task of the server preempts a holder, so
the hold is the section. Under skip, tasks above the ceiling do preempt it. A section starts only if
enough budget is left, so it ends within one server period P. During P, a task k above the ceiling
arrives at most ceil(P / T_k) times. This generalises SIRAP's resource hold time (Behnam 2007),
where T_k > P, so each task preempts at most once.
"""

from dataclasses import replace

from plafond.describe.body import WaitEvent
from plafond.describe.server import Server
from plafond.describe.system import Resource, Run, System, Task


def with_holds(system: System) -> System:
    """Return the system with X computed for each server that shares resources and gives no X."""
    servers = (
        server if server.hold_ns or not server.sharing else _with_hold(system, server)
        for server in system.servers
    )
    return replace(system, servers=tuple(servers))


def _with_hold(system: System, server: Server) -> Server:
    return server.changed(hold_ns=longest_hold_ns(system, server))


def longest_hold_ns(system: System, server: Server) -> int | None:
    """Return X as computed from the bodies; None if they do not bound a hold."""
    holds = [hold_of_ns(system, server, each) for each in system.shared_by(server.name)]
    known = [hold for hold in holds if hold is not None]
    return max(known, default=0) if len(known) == len(holds) else None


def hold_of_ns(system: System, server: Server, resource: Resource) -> int | None:
    """Return the longest hold of a resource by the server's tasks; None if the bodies do not bound
    it."""
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
    """Whether only arrivals start the task's jobs, and none of its jobs began before the
    section."""
    waits = any(isinstance(step, WaitEvent) for step in task.body)
    by_others = task.name in system.activators or system.c_files
    return bool(task.body and task.interval) and not waits and not by_others


def _longest_with_ns(task: Task, resource: str, shared: frozenset[str]) -> int:
    """Return the longest hold that includes the resource; nested shared resources are one hold."""
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
