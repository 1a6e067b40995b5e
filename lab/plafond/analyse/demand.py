# SPDX-License-Identifier: MIT
"""The processor demand test of EDF, with blocking: does every window hold what is due in it?

  h(t) + B(t) <= s(t)  for every t below the synchronous busy period L at which the left side
  can rise: the deadlines, and the floors of resources (see workload.py).

s(t) is the supply: t itself, unless a server pays (supply.py). L, after which nothing is pending,
if all tasks arrive at once and as often as they can, is the least solution above 0 of
s(L) >= W = sum of ceil((L+J)/T)*C.  No least t that fails is at L or beyond: the task that blocks
it is due behind t, so its first job, no shorter than its section, is part of W and not of h(t);
without the W that are done by then, t - L would fail before, for s(t) - W >= s(t) - s(L) is at
least s(t - L). (If arrivals are aligned, none is from L to the next multiple of P, and W and
pending work are the same there: put that in the place of L.)

B falls with t, where the task that blocks is due itself. But it falls there by no more than
one section of the tasks that are due, and h rises by their whole jobs: h + B never falls. So
the quick processor-demand analysis (QPA: Zhang, Burns 2009) holds for h + B as for h: from t
down nothing fails until s has h(t) + B(t). It would not with B alone falling, as where a section is
only counted from its place in the job. And where that is at t, it must go on to the next
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
        if needed_ns > workload.supply.provided_ns(window_ns):
            failure = Failure(window_ns, demand_ns, blocking_ns)
        window_ns = workload.last_change_ns(min(window_ns, workload.supply.within_ns(needed_ns)))
    return failure


def synchronous_busy_ns(workload: Workload, effort: Effort) -> int:
    """Return L; NoWindowError if there is none, or none found: with all of the time asked for,
    it is anything up to the least common multiple of the intervals.
    """
    asked = (Fraction(task.cost_ns + task.interrupt_ns, task.interval_ns) for task in workload.jobs)
    supply = workload.supply
    left = Fraction(supply.budget_ns, supply.period_ns) - sum(asked)
    # What was lost is never made good, nor what was released early.
    is_behind = supply.lost_ns > 0 or any(task.jitter_ns for task in workload.jobs)
    if left < 0 or (left == 0 and is_behind):
        raise NoWindowError("the tasks ask for more time than there is")
    window_ns = 1
    while True:
        effort.spend(len(workload.jobs))
        arrived_ns = sum(task.arrived(window_ns) * task.cost_ns for task in workload.jobs)
        needed_ns = supply.within_ns(arrived_ns + workload.besides_ns(window_ns))
        if needed_ns <= window_ns:
            return window_ns
        window_ns = needed_ns
