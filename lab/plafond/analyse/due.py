# SPDX-License-Identifier: MIT
"""Response times under EDF with floors: the busy periods of a deadline.

Follow a job of task i that arrives at a, to be due at t = a + D_i, from the last instant
before its arrival at which no job due by t was pending. Until it ends, the processor runs
jobs due by t that have arrived since, and at most one section of a task due later (see
workload.py), in all time that it has for these tasks: s, the supply (supply.py). The window
is longest if the section has just begun, all other tasks arrive at once and as often as they
can, and the last job of task i at a (Spuri 1996, Theorem 4.1): the least w(a) with

  s(w(a)) >= B(t) + (floor(a/T_i) + 1)*C_i
         + sum of min(ceil(w/T_j), floor((t - D_j)/T_j) + 1)*C_j

over the other tasks with D_j <= t. The bound is the largest w(a) - a. It can be largest only
where the right side rises with t, at deadlines and at floors, and only below the busy period
of the processor. Equal deadlines count as earlier ones. w does not fall with a, for the
reason that h + B does not (see demand.py): each search begins where the last one ended.

All bounds are within the deadlines if and only if the processor demand test says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge

from plafond.analyse.response import Bounds
from plafond.analyse.window import Effort
from plafond.analyse.workload import Sporadic, Workload


@dataclass(frozen=True)
class DueWindow:
    """The busy period of a deadline, of which the last job of a task is due at its end or later."""

    due_ns: int  # from the begin of the window, as all here
    blocking_ns: int
    length_ns: int
    arrival_ns: int  # of that job

    @property
    def response_ns(self) -> int:
        """How long that job takes."""
        return self.length_ns - self.arrival_ns


def due_bounds(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> Bounds:
    """Return the bounds of one of the tasks; NoWindowError if that takes too long."""
    worst = worst_window(workload, task, busy_ns, effort)
    # The section may be over, in part or all, when the job arrives.
    return Bounds(min(worst.blocking_ns, worst.response_ns - task.cost_ns), worst.response_ns)


def worst_window(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> DueWindow:
    """Return the first window with the longest response; NoWindowError if that takes too long."""
    worst: DueWindow | None = None
    others = [other for other in workload.jobs if other is not task]
    window_ns = 1
    for due_ns in due_times(workload, task.deadline_ns, task.deadline_ns + busy_ns):
        blocking_ns = workload.blocking_ns(due_ns)
        fixed_ns = blocking_ns + task.due(due_ns) * task.cost_ns
        due = [(other, other.due(due_ns)) for other in others]
        while True:
            effort.spend(workload.terms)
            needed_ns = workload.supply.within_ns(
                fixed_ns
                + workload.besides_ns(window_ns)
                + sum(min(other.arrived(window_ns), jobs) * other.cost_ns for other, jobs in due)
            )
            if needed_ns <= window_ns:
                break
            window_ns = needed_ns
        arrival_ns = due_ns - task.deadline_ns
        if worst is None or window_ns - arrival_ns > worst.response_ns:
            worst = DueWindow(due_ns, blocking_ns, window_ns, arrival_ns)
    assert worst is not None  # the first time is the deadline
    return worst


def due_times(workload: Workload, first_ns: int, end_ns: int) -> Iterator[int]:
    """Yield the times from the first, below the end, at which h + B can rise."""

    def deadlines(task: Sporadic) -> range:
        behind = -((task.deadline_ns - first_ns) // task.interval_ns)
        start_ns = task.deadline_ns + max(0, behind) * task.interval_ns
        return range(start_ns, end_ns, task.interval_ns)

    floors = sorted(s.floor_ns for s in workload.sections if first_ns <= s.floor_ns < end_ns)
    last_ns = -1
    for time_ns in merge(floors, *map(deadlines, workload.jobs)):
        if time_ns != last_ns:
            yield time_ns
        last_ns = time_ns
