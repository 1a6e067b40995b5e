# SPDX-License-Identifier: MIT
"""Response times under EDF with floors: the busy periods of a deadline.

Follow a job of task i that is released at a, to be due at t = a + D_i, from the last instant
before its release at which no job due by t was pending. Until it ends, the processor runs
jobs due by t that have arrived since, and at most one section of a task due later (see
workload.py), in all time that it has for these tasks: s, the supply (supply.py). The window
is longest if the section has just begun, all other tasks arrive at once and as often as they
can, and the last job of task i at a (Spuri 1996, Theorem 4.1): the least w(a) with

  s(w(a)) >= B(t) + (floor(a/T_i) + 1)*C_i
         + sum of min(ceil((w + J_j)/T_j), floor((t + J_j - D_j)/T_j) + 1)*C_j

over the other tasks with D_j <= t. Relative deadlines D are those of releases (workload.py), which
come up to the jitter J after arrivals. The job itself responds latest if it is released as late as
it can be, at J_i: the later, the more is due before it, and its own jobs before it, released after
the window began, are not more. The bound is the largest w(a) - a + J_i. It can be largest only
where the right side rises with t, at deadlines and at floors, and only below the busy period
of the processor. Equal deadlines count as earlier ones. w does not fall with a, for the
reason that h + B does not (see demand.py): each search begins where the last one ended.

All bounds are within the deadlines if and only if the processor demand test says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    release_ns: int  # of that job

    @property
    def response_ns(self) -> int:
        """How long that job takes from its release on."""
        return self.length_ns - self.release_ns


def due_bounds(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> Bounds:
    """Return the bounds of one of the tasks; NoWindowError if that takes too long."""
    worst = worst_window(workload, task, busy_ns, effort)
    # The section may be over, in part or all, when the job arrives.
    blocking_ns = min(worst.blocking_ns, worst.response_ns - task.cost_ns)
    return Bounds(blocking_ns, worst.response_ns + task.jitter_ns)


def worst_window(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> DueWindow:
    """Return the first window with the longest response; NoWindowError if that takes too long."""
    worst: DueWindow | None = None
    others = [other for other in workload.jobs if other is not task]
    window_ns = 1
    own = replace(task, jitter_ns=0)  # the last one is as late as those before it can be
    for due_ns in due_times(workload, task.deadline_ns, task.deadline_ns + busy_ns):
        blocking_ns = workload.blocking_ns(due_ns)
        fixed_ns = blocking_ns + own.due(due_ns) * task.cost_ns
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
        release_ns = due_ns - task.deadline_ns
        if worst is None or window_ns - release_ns > worst.response_ns:
            worst = DueWindow(due_ns, blocking_ns, window_ns, release_ns)
    assert worst is not None  # the first time is the deadline
    return worst


def due_times(workload: Workload, first_ns: int, end_ns: int) -> Iterator[int]:
    """Yield the times from the first, below the end, at which h + B can rise.

    A task with release jitter is due as if it had none, too: it may be the one that is followed.
    """

    def deadlines(task: Sporadic, early_ns: int) -> range:
        from_ns = max(first_ns, task.deadline_ns)
        ahead_ns = (task.deadline_ns - early_ns - from_ns) % task.interval_ns
        return range(from_ns + ahead_ns, end_ns, task.interval_ns)

    due = [deadlines(task, early_ns) for task in workload.jobs for early_ns in {0, task.jitter_ns}]
    floors = sorted(s.floor_ns for s in workload.sections if first_ns <= s.floor_ns < end_ns)
    last_ns = -1
    for time_ns in merge(floors, *due):
        if time_ns != last_ns:
            yield time_ns
        last_ns = time_ns
