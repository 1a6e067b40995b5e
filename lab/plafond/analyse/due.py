# SPDX-License-Identifier: MIT
"""Response times under EDF with floors, in ns: the busy periods of a deadline.

Follow a job of task i, released at a and due at t = a + D_i. Its window begins at the last instant
before the release at which no job due by t was pending, and ends with the job. In the window the
processor has the supply s (supply.py). It runs jobs due by t that arrived in the window, and at
most one section of a task due later (workload.py). The window is longest in this case (Spuri 1996,
Theorem 4.1): the section has just begun, and all other tasks arrive at once and then as often as
they can. The last job of task i is released at a. The length is the least w(a) with

  s(w(a)) >= B(t) + (floor(a/T_i) + 1)*C_i + sum of min(arrived_j, due_j)*C_j

  arrived_j = ceil((w(a) + J_j)/T_j),  due_j = floor((t + J_j - D_j)/T_j) + 1

The sum is over the other tasks with D_j <= t. Relative deadlines D count from releases
(workload.py). A release comes up to the jitter J after its arrival. The followed job responds
latest if it is released J_i after its arrival, because then most work is due before it. Its jitter
adds no earlier jobs of task i, because these are released after the window began.

The bound is the largest w(a) - a + J_i. It can be largest only if the right side rises at t, which
is then a deadline or a floor. It needs an a below the busy period of the processor. Equal deadlines
count as earlier deadlines. w does not fall with a, because h + B does not (demand.py). So each
search begins at the end of the last search.

All bounds are within the deadlines if and only if the processor demand test passes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import merge

from plafond.analyse.response import Bounds
from plafond.analyse.window import Effort
from plafond.analyse.workload import Sporadic, Workload


@dataclass(frozen=True)
class DueWindow:
    """The window of a followed job. Times count from the start of the window, in ns."""

    due_ns: int  # t
    blocking_ns: int
    length_ns: int
    release_ns: int  # a

    @property
    def response_ns(self) -> int:
        """The response time of the followed job, from its release."""
        return self.length_ns - self.release_ns


def due_bounds(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> Bounds:
    """Return the bounds of a task, from arrivals; NoWindowError if the search takes too long."""
    worst = worst_window(workload, task, busy_ns, effort)
    # The section may be over, in part or all, when the job arrives.
    blocking_ns = min(worst.blocking_ns, worst.response_ns - task.cost_ns)
    return Bounds(blocking_ns, worst.response_ns + task.jitter_ns)


def worst_window(workload: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> DueWindow:
    """Return the first window with the longest response; NoWindowError if it takes too long."""
    worst: DueWindow | None = None
    others = [other for other in workload.jobs if other is not task]
    window_ns = 1
    own = replace(task, jitter_ns=0)  # the followed job is as late as the jobs before it
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
    assert worst is not None  # due_times() yields the relative deadline first
    return worst


def due_times(workload: Workload, first_ns: int, end_ns: int) -> Iterator[int]:
    """Yield the times at which h + B can rise, from `first_ns` on and below `end_ns`.

    A task with release jitter also has the due times without jitter, because it may be followed.
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
