# SPDX-License-Identifier: MIT
"""What resources of several servers add to the account of the tasks of a server.

Between servers: sharing.py. Q is a budget, P a period, X the longest hold.

- The ceiling of a shared resource is the local one (System.local_ceiling). So all other tasks of a
  server that overruns wait for a section, once, as for one of a resource of their own.
- Payback takes X from the supply, once: supply.py.
- Deferrable: as a sleep ends, B can come once more (sharing.py), and as much of the supply late:
  the sleep lasts longer by B.
- Skip (SIRAP): a task waits if X or less is left, and until it has entered none runs that is not
  above the ceiling. So a wait loses X of the supply at most; what tasks above the ceiling use of it
  is work that counts besides. There are two accounts of this, and the better one holds:
  - one wait before each outermost section at most: a section takes X more, in its own job, in those
    of others, and in what it blocks. SIRAP has its own length there; here the test is against X.
  - one wait in a period at most: each has Q - X for its tasks, of which no more comes late than
    without waits. A window can begin with the wait: X more of its first period is lost. A polling
    server has lost all of that, and aligned windows begin with whole periods.
  The kernel tests again when the task goes on, behind those above the ceiling that have come since
  it began to wait, less than 2P before. These have to leave more than X of the next budget. Else it
  could wait for the one after that, too, and so on: no bound.
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
    """Return the supply without what an overrun before the window took in advance."""
    return replace(supply, owed_ns=owed_ns(system, server))


def as_in_server(system: System, server: Server) -> System:
    """Return the tasks of a server as they are in it, with local ceilings, but for waits."""
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
    """Return for how long it can be kept out once more as a sleep ends."""
    return kept_out_ns(system, server) if server.kind is ServerKind.DEFERRABLE else 0


def _with_sleeps(task: Task, after_ns: int) -> Task:
    steps = (
        Sleep(step.duration_ns + after_ns) if isinstance(step, Sleep) else step
        for step in task.body
    )
    return task.changed(body=tuple(steps))


# ---- Skip --------------------------------------------------------------------------------


def skips(system: System, server: Server) -> bool:
    """Whether its tasks may wait for the next budget."""
    return server.sharing is Sharing.SKIP and bool(system.shared_by(server.name))


def wait_before_section_ns(server: Server) -> int:
    """Return what of the supply a wait loses before a section."""
    return server.hold_ns or 0


def wait_in_period_ns(server: Server) -> int:
    """Return what of the supply waits lose in a period."""
    return server.hold_ns or 0


def with_waits(system: System, server: Server) -> System:
    """Return the tasks of a server with a wait as a part of each outermost section."""
    tasks = (with_waits_of(system, server, task) for task in system.tasks)
    return replace(system, tasks=tuple(tasks))


def with_waits_of(system: System, server: Server, task: Task) -> Task:
    """Return the same of one task."""
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
    """Return why one wait may not be enough, of a server that skips."""
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
    """What tasks above the ceiling use of a budget before the task that waited for it goes on."""
    preempting = (with_waits_of(system, server, task) for task in above if task.interval)
    return sum(jobs_in_two_periods(server, task) * task.run_ns for task in preempting)


def jobs_in_two_periods(server: Server, task: Task) -> int:
    """Return how many jobs of a task can arrive from a wait on to the end of the section."""
    return -(-2 * server.period_ns // task.least_interval_ns)
