# SPDX-License-Identifier: MIT
"""Whether all deadlines are kept: the verdict of analyse(), but sooner, because without bounds.

The verdict and its terms are the same (response.py, blocking.py, plain.py, inflate.py). If no
deadline is above the interval, a window that ends by the deadline ends before the next job arrives.
So a level keeps its deadlines if and only if the window of its first job ends by the deadline. The
check follows that job of each level, the least urgent level first, and stops at the deadline:

  w = B + piece + C_i + sum of ceil(w/T_j)*C_j + interrupts by other tasks,  w <= D_i

kept_across.py checks CPUs with global resources. analyse() decides about all other systems: with
servers, sleeps, ticks, offsets, release jitter or later deadlines, and under EDF. It also decides
if less urgent tasks share a resource under inheritance (requests.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.analyse import kept_across
from plafond.analyse.analysis import analyse
from plafond.analyse.blocking import blocking_ns, reach_of
from plafond.analyse.inflate import inflate
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.requests import needs_requests
from plafond.analyse.response import interferes
from plafond.analyse.window import WHOLE
from plafond.describe.system import Lock, Run, System, Task, Unlock
from plafond.protocols import Protocol

FOLLOWED = (Protocol.CEILING, Protocol.INHERIT, Protocol.NONE)


@dataclass(frozen=True)
class Level:
    """The work of a level's window, once and for each arrival, and its latest end, in ns."""

    once_ns: int
    arrivals: tuple[tuple[int, int], ...]  # (interval, cost), also of the followed job
    deadline_ns: int

    def is_kept(self) -> bool:
        """Return whether the least window that holds all of the work ends by the deadline."""
        window_ns = self.once_ns + sum(cost_ns for _, cost_ns in self.arrivals)
        while window_ns <= self.deadline_ns:
            needed_ns = self.once_ns
            for interval_ns, cost_ns in self.arrivals:
                needed_ns += -(-window_ns // interval_ns) * cost_ns
            if needed_ns == window_ns:
                return True
            window_ns = needed_ns
        return False


def keeps_deadlines(system: System, protocol: Protocol, overheads: Overheads | None = None) -> bool:
    """Return whether every task is schedulable according to analyse()."""
    if not _is_followed(system, protocol, overheads):
        return _are_kept(system, protocol, overheads)
    alone = protocol.on_one_cpu
    costs = overheads.costs[alone] if overheads else Costs()
    real = inflate(system, protocol, overheads) if overheads else system
    if protocol is Protocol.INHERIT:
        reach = reach_of(real, protocol)
        if any(needs_requests(real, task, reach) for task in real.tasks):
            return _are_kept(system, protocol, overheads)
    cpus = {task.cpu for task in real.tasks}
    return (
        all(_leave_time(real.tasks_on(cpu)) for cpu in cpus)
        and all(
            level.is_kept()
            for cpu in cpus
            if not real.globals_on(cpu)
            for level in _levels(real, cpu, alone, costs)
        )
        and (not real.global_resources or kept_across.are_kept(real, protocol, overheads))
    )


def _are_kept(system: System, protocol: Protocol, overheads: Overheads | None) -> bool:
    """Return the verdict of analyse()."""
    return all(row.schedulable for row in analyse(system, [protocol], overheads).rows)


def _is_followed(system: System, protocol: Protocol, overheads: Overheads | None) -> bool:
    """Return whether one job of each level decides, because only tasks matter in the system."""
    is_across = bool(system.global_resources)
    return (
        protocol in (kept_across.FOLLOWED if is_across else FOLLOWED)
        and system.scheduler.has_priorities
        and not (overheads and overheads.noise)
        and not (system.payers or system.reservations or system.isrs or system.activators)
        and not system.c_files
        and all(_is_followed_task(task, protocol) for task in system.tasks)
    )


def _is_followed_task(task: Task, protocol: Protocol) -> bool:
    has_deadline = (
        task.interval is not None
        and task.deadline_ns is not None
        and task.deadline_ns <= task.interval.least_ns
    )
    may_nest = protocol is Protocol.CEILING  # without a ceiling there may be a deadlock
    return (
        has_deadline
        and task.jitter_ns == 0
        and task.offset_ns == 0
        and task.is_preemptable
        and task.internal is None
        and all(
            isinstance(step, Run | Unlock) or (isinstance(step, Lock) and (may_nest or not held))
            for step, held in task.held()
        )
    )


def _leave_time(tasks: tuple[Task, ...]) -> bool:
    """Return whether the tasks ask for at most all time, with a tolerance for rounded terms."""
    asked = sum(-(-task.run_ns * WHOLE // task.least_interval_ns) for task in tasks)
    return asked <= WHOLE + len(tasks)


def _levels(system: System, cpu: int, protocol: Protocol, costs: Costs) -> Iterator[Level]:
    tasks = system.tasks_on(cpu)
    works = [(task.least_interval_ns, task.run_ns) for task in tasks]
    deadlines_ns = [task.deadline_ns or 0 for task in tasks]
    if protocol is Protocol.NONE:  # a single level: the busy period of all tasks
        yield Level(costs.piece_ns, tuple(works), min(deadlines_ns))
        return
    reach = reach_of(system, protocol)
    for place, task in reversed([*enumerate(tasks)]):
        arrivals = tuple(
            work if other is task or interferes(other, task) else (work[0], costs.interrupt_ns)
            for other, work in zip(tasks, works, strict=True)
        )
        once_ns = blocking_ns(system, task, protocol, reach) + costs.piece_ns
        yield Level(once_ns, arrivals, deadlines_ns[place])
