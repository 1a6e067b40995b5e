# SPDX-License-Identifier: MIT
"""The cost of resources shared by several servers, for the tasks inside a server.

sharing.py has the cost between servers. Q is a budget, P a period, X the longest hold, in ns.

- A shared resource has the local ceiling (System.local_ceiling). Under overrun no other task of the
  server runs in a section. So each task waits for such a section once, as under a ceiling.
- Payback takes X from the supply, once: supply.py.
- Deferrable: as a sleep ends, less urgent servers can keep the server out for B again (sharing.py).
  The supply comes later by B, so each sleep lasts longer by B.
- Skip (SIRAP): a task waits before a section if X or less of the budget is left. Until it has
  entered, only tasks above the ceiling run. So a wait loses at most X of the supply. The work of
  the tasks above the ceiling counts anyway. There are two accounts of waits, and the smaller bound
  holds:
  - At most one wait before each outermost section. Each section takes X more, in its job, in the
    interference of the job, and in the blocking. SIRAP adds the length of the section instead, but
    here the kernel compares the budget with X.
  - At most one wait in a period. Each period has Q - X for the tasks, and no more of it comes late
    than without waits. A window can begin with the wait, so X more of its first period is lost.
    This is no loss for a polling server, which loses the whole first period, nor for aligned
    windows, which begin with whole periods.
  The kernel compares again when the task goes on. Tasks above the ceiling that have come since the
  wait began, less than 2P before, run first. They must leave more than X of the next budget.
  Otherwise the task could wait for the budget after that, and so on, so there is no bound.
"""

from collections.abc import Iterator
from dataclasses import replace

from plafond.analyse.sharing import above_ceiling, kept_out_ns, owed_ns
from plafond.analyse.supply import Supply
from plafond.describe.body import Lock, Run, Sleep, Step
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import System, Task
from plafond.units import format_duration


def with_payback(system: System, server: Server, supply: Supply) -> Supply:
    """Return the supply less the X that an overrun before the window may have taken in advance."""
    return replace(supply, owed_ns=owed_ns(system, server))


def as_in_server(system: System, server: Server) -> System:
    """Return a system with the tasks of a server alone, their local ceilings, and longer sleeps.

    Waits are not included.
    """
    shared = system.shared_by(server.name)
    after_ns = after_sleep_ns(system, server)
    return replace(
        system,
        tasks=tuple(_with_sleeps(task, after_ns) for task in system.tasks_of(server.name)),
        resources=tuple(
            each.changed(ceiling=system.local_ceiling(each, server.name))
            if each in shared
            else each
            for each in system.resources
        ),
    )


def after_sleep_ns(system: System, server: Server) -> int:
    """Return how long the server can be kept out once more as a sleep ends."""
    return kept_out_ns(system, server) if server.kind is ServerKind.DEFERRABLE else 0


def _with_sleeps(task: Task, after_ns: int) -> Task:
    steps = (
        Sleep(step.duration_ns + after_ns) if isinstance(step, Sleep) else step
        for step in task.body
    )
    return task.changed(body=tuple(steps))


# ---- Skip --------------------------------------------------------------------------------


def skips(system: System, server: Server) -> bool:
    """Return whether tasks of the server may wait for the next budget before a section."""
    return server.sharing is Sharing.SKIP and bool(system.shared_by(server.name))


def wait_before_section_ns(server: Server) -> int:
    """Return the supply that a wait loses before a section: X."""
    return server.hold_ns or 0


def wait_in_period_ns(server: Server) -> int:
    """Return the supply that waits lose in a period: X."""
    return server.hold_ns or 0


def with_waits(system: System, server: Server) -> System:
    """Return the system with a wait at the start of each outermost section of a shared resource."""
    tasks = (with_waits_of(system, server, task) for task in system.tasks)
    return replace(system, tasks=tuple(tasks))


def with_waits_of(system: System, server: Server, task: Task) -> Task:
    """Return a task with a wait at the start of each outermost section of a shared resource."""
    shared = frozenset(each.name for each in system.shared_by(server.name))
    wait_ns = wait_before_section_ns(server)

    def steps() -> Iterator[Step]:
        for step, held in task.held():
            yield step
            if _is_outermost(step, held, shared):
                yield Run(wait_ns)

    return task.changed(body=tuple(steps()))


def _is_outermost(step: Step, held: tuple[str, ...], shared: frozenset[str]) -> bool:
    return isinstance(step, Lock) and step.resource in shared and not shared.intersection(held)


def supply_with_waits(server: Server, supply: Supply, is_aligned: bool) -> Supply:
    """Return the supply of a server with a wait in each period."""
    wait_ns = wait_in_period_ns(server)
    is_lost = is_aligned or server.kind is ServerKind.POLLING
    return replace(
        supply,
        budget_ns=supply.budget_ns - wait_ns,
        lost_ns=supply.lost_ns + (0 if is_lost else wait_ns),
    )


def why_waits_again(system: System, server: Server) -> str | None:
    """Return why a task of the server may have to wait again after a wait, or None."""
    if not skips(system, server):
        return None
    for resource in system.shared_by(server.name):
        above = above_ceiling(system, server, resource)
        sleeping = next((task for task in above if task.sleeps_ns), None)
        if sleeping:
            return (
                f"{sleeping.name} sleeps, and preempts sections of {resource.name}: how often is "
                "not known"
            )
        used_ns = _used_before_ns(system, server, above)
        if used_ns + (server.hold_ns or 0) >= server.budget_ns:
            names = ", ".join(task.name for task in above)
            budget, used = format_duration(server.budget_ns), format_duration(used_ns)
            return (
                f"{server.name} has {budget}, and {names} can take {used} of it before a section "
                f"of {resource.name}, which waits for the next budget again then"
            )
    return None


def _used_before_ns(system: System, server: Server, above: tuple[Task, ...]) -> int:
    """Return the budget that tasks above a ceiling use before a task that waited goes on."""
    preempting = (with_waits_of(system, server, task) for task in above if task.interval)
    return sum(jobs_in_two_periods(server, task) * task.run_ns for task in preempting)


def jobs_in_two_periods(server: Server, task: Task) -> int:
    """Return how many jobs of a task arrive at most from the start of a wait to its section."""
    return -(-2 * server.period_ns // task.least_interval_ns)
