# SPDX-License-Identifier: MIT
"""Whether all deadlines are kept: the verdict of analyse() without its bounds, and sooner.

It is the same verdict, by the same terms (response.py, blocking.py, plain.py, inflate.py), but for
what a verdict does not need. With deadlines up to the intervals a level keeps them if, and only
if, the window of its first job ends by the deadline: it ends before the next job arrives. So one
job is followed for each level, the least urgent level first, and no further than to its deadline:

  w = B + piece + C_i + sum of ceil(w/T_j)*C_j + what other tasks interrupt,  w <= D_i

CPUs that share resources: kept_across.py. Where a description has more than that (servers, sleeps,
ticks, release jitter, later deadlines), or where EDF has a test of its own, the analysis is asked.
It is also asked if less urgent tasks share a resource under inheritance (requests.py).
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
    """What a window contains, once and for each arrival, and by when it has to end."""

    once_ns: int
    arrivals: tuple[tuple[int, int], ...]  # interval and cost; the job that is followed is one
    deadline_ns: int

    def is_kept(self) -> bool:
        """Whether the least window that holds all of it ends by the deadline."""
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
    """Whether analyse() says of every task that it is schedulable."""
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
    """By the bounds."""
    return all(row.schedulable for row in analyse(system, [protocol], overheads).rows)


def _is_followed(system: System, protocol: Protocol, overheads: Overheads | None) -> bool:
    """Whether one job of each level says all, and nothing of the system but its tasks matters."""
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
        and task.is_preemptable
        and task.internal is None
        and all(
            isinstance(step, Run | Unlock) or (isinstance(step, Lock) and (may_nest or not held))
            for step, held in task.held()
        )
    )


def _leave_time(tasks: tuple[Task, ...]) -> bool:
    """Whether they ask for at most all of it. Each term is rounded up."""
    asked = sum(-(-task.run_ns * WHOLE // task.least_interval_ns) for task in tasks)
    return asked <= WHOLE + len(tasks)


def _levels(system: System, cpu: int, protocol: Protocol, costs: Costs) -> Iterator[Level]:
    tasks = system.tasks_on(cpu)
    works = [(task.least_interval_ns, task.run_ns) for task in tasks]
    deadlines_ns = [task.deadline_ns or 0 for task in tasks]
    if protocol is Protocol.NONE:  # the busy period of all
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
