# SPDX-License-Identifier: MIT
"""The processor demand test of EDF with blocking: each window must hold the work due in it.

  h(t) + B(t) <= s(t)  for every t below L at which the left side can rise

Such t are the deadlines and the floors of resources. Times are in ns. workload.py defines the
demand h and the blocking B. supply.py defines the supply s, which is t unless a server pays.

L is the synchronous busy period. If all tasks arrive at once and as often as they can, nothing is
pending after L. It is the least solution above 0 of

  s(L) >= W = sum of ceil((L+J)/T)*C

The least t that fails is below L. Proof: suppose that a t from L on fails. The blocking task is due
after t, so its first job is part of W and not of h(t). That job is no shorter than its section. So
h(t) + B(t) - W is at most h(t - L). The supply left for it is s(t) - W >= s(t) - s(L) >= s(t - L).
So the shorter window t - L fails, too.

If arrivals are aligned, take the next multiple of P in place of L. Nothing arrives from L until
then, so W is the same.

B falls at a t at which the blocking task itself is due. It falls by at most a section of the due
tasks, while h rises by their whole jobs. So h + B never falls, and the quick processor-demand
analysis (QPA: Zhang, Burns 2009) holds for h + B as for h. Let u be the least window with
s(u) >= h(t) + B(t). No window from u up to t fails, so the search goes on at u. If u is t, it goes
on at the next lower point at which h + B can rise, which need not be a deadline. If a section
counted only from its place in the job, B could fall alone, and QPA would not hold.
"""

from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.window import Effort, NoWindowError
from plafond.analyse.workload import Workload


@dataclass(frozen=True)
class Failure:
    """A window whose supply is too small for its demand and blocking."""

    window_ns: int
    demand_ns: int
    blocking_ns: int


def least_failure(workload: Workload, busy_ns: int, effort: Effort) -> Failure | None:
    """Return the shortest window below L that fails, or None; `busy_ns` is L."""
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
    """Return L in ns; NoWindowError if there is none, or if the search takes too long.

    If the tasks ask for all time, L can be the least common multiple of the intervals.
    """
    asked = (Fraction(task.cost_ns + task.interrupt_ns, task.interval_ns) for task in workload.jobs)
    supply = workload.supply
    left = Fraction(supply.budget_ns, supply.period_ns) - sum(asked)
    # At full load the tasks never catch up with lost supply, or with jobs released early.
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
