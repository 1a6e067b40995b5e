# SPDX-License-Identifier: MIT
"""The processor demand test of EDF, with blocking: does every window hold what is due in it?

  h(t) + B(t) <= t  for every t below the synchronous busy period L at which the left side
  can rise: the deadlines, and the floors of resources (see workload.py).

L, after which nothing is pending, if all tasks arrive at once and as often as they can, is
the least solution above 0 of  L = sum of ceil(L/T)*C.  No least t that fails is at L or
beyond: the task that blocks it is due behind t, so its first job, no shorter than its section,
is part of L and not of h(t); without the L that are done by then, t - L would fail before.

B falls with t, where the task that blocks is due itself. But it falls there by no more than
one section of the tasks that are due, and h rises by their whole jobs: h + B never falls. So
the quick processor-demand analysis (QPA: Zhang, Burns 2009) holds for h + B as for h: from t
down nothing fails until h(t) + B(t). It would not with B alone falling, as where a section is
only counted from its place in the job. And where h(t) + B(t) is t, it must go on to the next
lower point where B can rise, too, which need not be a deadline.
"""

from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.window import Effort, NoWindowError
from plafond.analyse.workload import Workload


@dataclass(frozen=True)
class Failure:
    """A window that is too short."""

    window_ns: int
    demand_ns: int
    blocking_ns: int


def least_failure(workload: Workload, busy_ns: int, effort: Effort) -> Failure | None:
    """Return the shortest window that fails, or None: every deadline is kept."""
    failure = None
    window_ns = workload.last_change_ns(busy_ns)
    while window_ns is not None:
        effort.spend(workload.terms)
        demand_ns, blocking_ns = workload.demand_ns(window_ns), workload.blocking_ns(window_ns)
        needed_ns = demand_ns + blocking_ns + workload.besides_ns(window_ns)
        if needed_ns > window_ns:
            failure = Failure(window_ns, demand_ns, blocking_ns)
        window_ns = workload.last_change_ns(min(window_ns, needed_ns))
    return failure


def synchronous_busy_ns(workload: Workload, effort: Effort) -> int:
    """Return L; NoWindowError if there is none, or none found: with all of the time asked for,
    it is anything up to the least common multiple of the intervals.
    """
    asked = (Fraction(task.cost_ns + task.interrupt_ns, task.interval_ns) for task in workload.jobs)
    if sum(asked) > 1:
        raise NoWindowError("the tasks ask for more time than there is")
    window_ns = 1
    while True:
        effort.spend(len(workload.jobs))
        arrived_ns = sum(task.arrived(window_ns) * task.cost_ns for task in workload.jobs)
        needed_ns = arrived_ns + workload.besides_ns(window_ns)
        if needed_ns <= window_ns:
            return window_ns
        window_ns = needed_ns
