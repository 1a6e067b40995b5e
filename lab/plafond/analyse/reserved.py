# SPDX-License-Identifier: MIT
"""The time that reservations take and that their tasks have, in ns: OSPERT 2010, 6, II.

On Linux SCHED_DEADLINE runs before SCHED_FIFO. So a reservation (Q, T) takes time from every task
without a reservation, on the CPU of its thread. The thread of an interrupt can run on any CPU, the
thread of a task runs on the task's CPU. Linux's constant bandwidth server changes the budget q and
the deadline d of the thread by these rules (kernel/sched/deadline.c; Abeni and Buttazzo 1998):

- It wakes up at t. If d <= t, or q > (d - t) * Q/T, then d = t + T and q = Q. Else both stay.
- It has used q. Then it is stopped until d, when q = Q, and d is T later.

Let I(t) be the most time that the thread uses in a window of length t. At instants r_1, ..., r_n in
the window q became Q.

- From r_k to r_k+1 it uses at most (r_k+1 - r_k) * Q/T. If q was used up, or d had passed, the two
  are T apart or more, and it uses at most Q. Else it woke up with q > (d - r_k+1) * Q/T. So it had
  used less than Q - (d - r_k+1) * Q/T = (r_k+1 - r_k) * Q/T.
- From r_n on it uses at most Q, and at most the time that is left.
- Before r_1, with a deadline set before the window, it uses at most Q, and at most the time to r_1.

The sum is largest with Q at the start, Q at the end, and the rate Q/T between:

  I(t) <= Q + (t - 2Q) * Q/T + Q = (t + 2(T - Q)) * Q/T

A deferrable server has ceil((t + T - Q)/T) * Q. That is less for some t, because its budget comes
back only at multiples of T. The budget of a reservation comes back as a thread that slept wakes up.

If the reservation is the only one, no other thread keeps its thread from running. While it runs,
q <= (d - s) * Q/T at each instant s. This is true as it wakes up, by the first rule. It stays true
as it goes on, because q falls by more than the right side. So the time before r_1 has the rate Q/T,
too:

  I(t) <= (t + T - Q) * Q/T

The rules assume that a thread with work has used q when d comes. It has, if the sum of all Q/T is
at most 1, whichever CPUs the threads may use. Proof: a thread waits only while each of its CPUs
runs another thread with a deadline up to d. Follow such a CPU back from d, to when no thread with a
deadline up to d ran there. All that ran since belongs to deadlines up to d that were set since: for
each reservation at most Q/T of the time. If the sum is more than 1, no task has a bound.

Ticks: the kernel looks at q only at its ticks, and as the thread goes to sleep. So a thread can use
more than q, by an o of at most a tick. At d, q becomes m * Q - o, with the least m that makes this
more than 0, and d is m * T later. From r_k to r_k+1 it uses o_k less than above, and o_k+1 more. In
the sum this cancels, except for o_1, which q lacks before r_1, and for o_n and o_n+1. These are two
ticks more. The o of a reservation also keeps all other reservations waiting. So for each other
reservation, a thread uses its q up to o after d, and then begins with the next q at once. That adds
as much to its window. taken_late_ns() is the sum of all this, and counts as overheads.

The task in a reservation has this supply (supply.py). Follow its thread from an arrival before
which it had nothing to do, and which wakes it up at t.

- Suppose that it wakes up with its old q and d. Then it used (t - r) * Q/T or more since r, when q
  became Q. From s, the last such arrival up to r with a new d, to r it used Q in each T. So it used
  (t - s) * Q/T for k jobs. But these are an interval or more apart. If there is a bound at all,
  each asks for less than its share of an interval. That is a contradiction. So it wakes up with Q
  and a deadline T from t, and nothing is lost. The job must ask for less by two units of the
  kernel, because the kernel compares in units of 1,024 ns. Else T - Q are lost, because
  q >= Q - (t - r), and d is T - (t - r) from t.
- Alone: it runs whenever it has work and is not stopped. From r on it is stopped at most once: when
  it has used Q, until r + T. So no stop is longer than T - Q, and the ends of two stops are T apart
  or more, wherever it sleeps. Each Q comes without delay.
- Beside others: it has Q in each T, at the end at the latest, so the delay is T - Q. A wake-up can
  set a new deadline, up to which it waits again. So there is no bound if the task sleeps.
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
    """Work at a constant rate: `cost_ns` in each interval.

    The work of `jitter_ns` is there as the window begins.
    """

    interval_ns: int
    cost_ns: int
    jitter_ns: int

    def work_ns(self, window_ns: int) -> int:
        """Return the most work that can fall into a window, rounded up."""
        return -(-(window_ns + self.jitter_ns) * self.cost_ns // self.interval_ns)


def taken_by_reservations(system: System, cpu: int) -> tuple[Steady, ...]:
    """Return the most time that each reservation can take of a CPU."""
    return tuple(
        _taken_by(each, is_alone=_is_alone(system))
        for each in system.reservations
        if each.takes_from(cpu)
    )


def _is_alone(system: System) -> bool:
    return len(system.reservations) == 1


def supply_of_reservation(system: System, reservation: Server, task: Task) -> Supply:
    """Return the least supply of the task in a reservation."""
    rest_ns = reservation.period_ns - reservation.budget_ns
    lost_ns = 0 if _leaves_some(reservation, task) else rest_ns
    delay_ns = 0 if _is_alone(system) else rest_ns
    return Supply(reservation.period_ns, reservation.budget_ns, lost_ns, delay_ns)


def _leaves_some(reservation: Server, task: Task) -> bool:
    """Return whether a job asks for less than its share of an interval, rounding included."""
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
    """Return the further time that all reservations take of a window with late ticks."""
    count = len(system.reservations)
    return count * (2 + count - 1) * overheads.tick_ns if overheads else 0


def why_late(system: System) -> str | None:
    """Return why reservations may get their budgets after their deadlines, or None."""
    share = sum((each.share for each in system.reservations), Fraction(0))
    if share <= 1:
        return None
    names = ", ".join(each.name for each in system.reservations)
    return (
        f"the reservations {names} have {format_above(share, Fraction(1))} of a CPU; with 100% "
        "they keep their deadlines, whichever CPUs they run on"
    )
