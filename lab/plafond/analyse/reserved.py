# SPDX-License-Identifier: MIT
"""What reservations take from the tasks without one, and have for their own: OSPERT 2010, 6, II.

On Linux SCHED_DEADLINE is before SCHED_FIFO. So a reservation (Q, T) takes what it uses from every
task, on whichever CPU its thread runs: that of an interrupt on any, that of a task on the task's.
How much it can use in a window follows from the rules by which Linux's constant bandwidth server
changes the budget q and the deadline d of a thread (kernel/sched/deadline.c; Abeni and Buttazzo
1998):

- it wakes up at t: if d <= t, or q > (d - t) * Q/T, then d = t + T and q = Q; else they stay;
- it has used q: it is stopped until d; then q = Q, and d is T later.

Follow the thread through a window of length t. At instants r_1, ..., r_n in it q became Q.

- From r_k to r_k+1 it uses at most (r_k+1 - r_k) * Q/T. If q was used up, or d had passed, the two
  are T apart or more, and it is at most Q. Else it woke up with q > (d - r_k+1) * Q/T, so that it
  had used less than Q - (d - r_k+1) * Q/T = (r_k+1 - r_k) * Q/T.
- From r_n on: at most Q, and at most the time that is left.
- Before r_1, from a deadline of before the window: at most Q, and at most the time until r_1.

The sum is largest with Q at the begin, Q at the end, and all between at the rate Q/T:

  I(t) <= Q + (t - 2Q) * Q/T + Q = (t + 2(T - Q)) * Q/T

A deferrable server has ceil((t + T - Q)/T) * Q, which is less for some t: its budget comes back at
multiples of T only. That of a reservation comes back as a thread that slept wakes up.

Where the reservation is the only one, no other thread keeps its own from running. While it runs,
q <= (d - s) * Q/T at each instant s: true as it wakes up, by the rule, and as it goes on, since q
falls by more than the right side. So what comes before r_1 has the rate Q/T, too:

  I(t) <= (t + T - Q) * Q/T

These are the rules of threads that have used q when d comes. They have, if the sum of all Q/T is at
most 1, whichever CPUs they may use. A thread waits only while on each of these another one with a
deadline up to its own runs. Follow such a CPU back from d, to when none with a deadline up to d ran
there: what ran since belongs to such deadlines that were set since, and that is Q/T of the time at
most, of each reservation. If the sum is more than 1, no task has a bound.

Ticks: the kernel looks at q at its ticks, and as the thread goes to sleep. So a thread can use o
more than q, a tick at most. Then q becomes m * Q - o at d, with the least m that makes this more
than 0, and d is m * T later. From r_k to r_k+1 it uses o_k less than above, and o_k+1 more. In the
sum this cancels, but for o_1, which q lacks before r_1, and o_n and o_n+1: two ticks more. And o of
one reservation keeps all others waiting: each has used q by so much after d, for each other one,
and then begins with the next q at once, which adds as much to its window. All of that is overheads.

The task in a reservation has this supply (supply.py). Follow its thread from an arrival before
which it had nothing to do, and which wakes it up at t.

- If it wakes up with its old q and d, it used (t - r) * Q/T or more since r, when q became Q. Up to
  r, it was such an arrival at s, or Q was used in each T from s to r. So it used (t - s) * Q/T of k
  jobs. But these are an interval or more apart, and each asks for less than the share of one, where
  there is a bound at all. So it wakes up with Q and a deadline T from t, and nothing is lost: if a
  job asks for less by two units of the kernel, which compares in units of 1,024 ns. Else T - Q are
  lost, for q >= Q - (t - r), and d is T - (t - r) from t.
- Alone: it runs whenever it has work and is not stopped. From r on it is stopped once, if at all:
  when it has used Q, until r + T. So no stop is longer than T - Q, and the ends of two are T apart
  or more, wherever it sleeps. Each Q comes without delay.
- Beside others: it has Q in each T, at the end at the latest, a delay of T - Q. A wake-up can set a
  new deadline, up to which it waits again: where it sleeps there is no bound.
"""

from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.overheads import Overheads
from plafond.analyse.supply import Supply
from plafond.describe.server import LEAST_BUDGET_NS, Server
from plafond.describe.system import System, Task
from plafond.units import format_above


@dataclass(frozen=True)
class Steady:
    """Work that comes at a rate: `cost_ns` in each interval, the jitter's already as it begins."""

    interval_ns: int
    cost_ns: int
    jitter_ns: int

    def work_ns(self, window_ns: int) -> int:
        """How much can fall into a window, rounded up."""
        return -(-(window_ns + self.jitter_ns) * self.cost_ns // self.interval_ns)


def taken_by_reservations(system: System, cpu: int) -> tuple[Steady, ...]:
    """Return what each reservation can take of a CPU."""
    return tuple(
        _taken_by(each, is_alone=_is_alone(system))
        for each in system.reservations
        if each.takes_from(cpu)
    )


def _is_alone(system: System) -> bool:
    return len(system.reservations) == 1


def supply_of_reservation(system: System, reservation: Server, task: Task) -> Supply:
    """Return the least that the task of a reservation has."""
    rest_ns = reservation.period_ns - reservation.budget_ns
    lost_ns = 0 if _leaves_some(reservation, task) else rest_ns
    delay_ns = 0 if _is_alone(system) else rest_ns
    return Supply(reservation.period_ns, reservation.budget_ns, lost_ns, delay_ns)


def _leaves_some(reservation: Server, task: Task) -> bool:
    """Whether it asks for less than its share of an interval, by more than the kernel rounds."""
    if task.interval is None:
        return False
    asked_ns = task.run_ns + 2 * LEAST_BUDGET_NS
    return asked_ns * reservation.period_ns <= task.least_interval_ns * reservation.budget_ns


def why_no_supply(system: System, reservation: Server, task: Task) -> str | None:
    """Return why the task of a reservation has no bound, or None."""
    if _is_alone(system) or not task.sleeps_ns:
        return None
    others = ", ".join(each.name for each in system.reservations if each != reservation)
    return (
        f"{task.name} sleeps, and after each sleep its reservation {reservation.name} can come "
        f"after {others} again"
    )


def _taken_by(reservation: Server, *, is_alone: bool) -> Steady:
    rest_ns = reservation.period_ns - reservation.budget_ns
    jitter_ns = rest_ns if is_alone else 2 * rest_ns
    return Steady(reservation.period_ns, reservation.budget_ns, jitter_ns)


def taken_late_ns(system: System, overheads: Overheads | None) -> int:
    """Return what they can take beyond it, once in a window, as budgets end at ticks."""
    count = len(system.reservations)
    return count * (2 + count - 1) * overheads.tick_ns if overheads else 0


def why_late(system: System) -> str | None:
    """Return why reservations may have their budgets after their deadlines, or None."""
    share = sum((each.share for each in system.reservations), Fraction(0))
    if share <= 1:
        return None
    names = ", ".join(each.name for each in system.reservations)
    return (
        f"the reservations {names} have {format_above(share, Fraction(1))} of a CPU; with 100% "
        "they keep their deadlines, whichever CPUs they run on"
    )
