# SPDX-License-Identifier: MIT
"""How much processor time a window holds, in ns: the supply of a server, or all of a CPU.

A window begins with an arrival before which no counted work is pending, and in it some always is.
(A job that sleeps counts as served, because its sleeps are part of the demand.) A server has Q of
each period P. Its least supply in a window of length t, wherever that lies, is

  nothing for `lost`; and then, in each period, the first q of the budget within R(q).

R(q) is the response time of q among more urgent servers (servers.py). So R(q) is at most
R(Q) - (Q - q), and R(Q) at most P. The budget of a slot comes without a break: R(q) = `delay` + q.

- idling: the worst window begins as the budget ends. That can be Q after the replenishment, so P-Q
  of this period are lost. No other begin is worse. A window that begins x after the replenishment
  has Q-x of work after P-x, as the period ends. The worst window has as much no sooner. Later
  periods keep this order, because R(q + x) >= R(q) + x, and R(q) <= P - Q + q.
- deferrable: the same, because a budget that was kept only adds. While all tasks sleep, the budget
  is not spent, or it is spent on less urgent tasks, for no longer than the sleep.
- polling: the window begins right after the rest of a budget was dropped, at the earliest with the
  replenishment, so all of the period is lost. From the next period on some work is pending, so
  nothing is dropped. If the pending work sleeps, there is no bound (coverage.py).
- slot: the worst window begins as the slot ends. There a delay of P-Q begins, so nothing is lost.

In the last period only the work that is still missing counts (Davis and Burns 2005, Hierarchical
Fixed Priority Pre-emptive Scheduling). The first gap is `lost` and R(1) - 1: without more urgent
servers P-Q, or P for polling. For slots it is P-Q. Arrivals may lie anywhere: no bound needs
arrivals at replenishments.

Slots and aligned arrivals: if all arrivals of a server's tasks fall on multiples of P, so do the
windows. Then the delay is the start of the slot (OSPERT 2010, 3: eq. 17, clamped).

Payback: a budget is less by the overrun of the period before, at most X. An overrun in the window
was supplied early, and is missing later. An overrun before the window is only missing: at most X,
once in the whole window. This is in the supply and not in the blocking, because it also concerns
the least urgent task. No instant in between is worse. A period after an overrun of x has Q-x, as
soon as without the overrun, and the window already has the x.

Two consecutive windows hold at least the supply of their lengths: s(t + u) >= s(t) + s(u). For
aligned windows this is so if t is a multiple of P. For other windows it follows from `lost` of P-Q
or more, from R(q) <= P - Q + q, and from R(q + x) >= R(q) + x.
"""

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple


class Late(NamedTuple):
    """The delay in ns of a budget's rest, beyond the first `after_ns` of it."""

    after_ns: int
    delay_ns: int

    @property
    def begin_ns(self) -> int:
        """How long after the replenishment the time before the rest ends."""
        return self.after_ns + self.delay_ns


@dataclass(frozen=True)
class Supply:
    """The least supply of a window.

    A budget begins to come after `delay_ns`. Each of `later` delays the rest of it further.
    """

    period_ns: int
    budget_ns: int
    lost_ns: int  # of the window, before its first whole period
    delay_ns: int  # of each period, before its budget
    owed_ns: int = 0  # less in the window, once, as it was used before; less than a budget
    later: tuple[Late, ...] = ()  # by `after_ns`, which is above 0 and below a budget

    @property
    def gap_ns(self) -> int:
        """How long nothing is supplied at first."""
        return self.within_ns(1) - 1

    @cached_property
    def behind_ns(self) -> int:
        """How far the supply is behind its share of all time, at least, rounded down.

        Negative if the supply is ahead. It is least behind as a delay begins or a budget ends.
        """
        came = (*(each.after_ns for each in self.later), self.budget_ns)
        behind = (
            self._response_ns(each) - -(-each * self.period_ns // self.budget_ns) for each in came
        )
        return self.lost_ns + self.owed_ns + min(behind)

    def provided_ns(self, window_ns: int) -> int:
        """Return s(t): the least supply of a window of this length."""
        periods, rest_ns = divmod(max(window_ns - self.lost_ns, 0), self.period_ns)
        came_ns = periods * self.budget_ns + self._came_ns(rest_ns)
        return max(came_ns - self.owed_ns, 0)

    def within_ns(self, work_ns: int) -> int:
        """Return the length of the least window that supplies `work_ns`."""
        if work_ns == 0:
            return 0
        came_ns = work_ns + self.owed_ns
        full = (came_ns - 1) // self.budget_ns  # number of periods before the last
        last_ns = came_ns - full * self.budget_ns
        return self.lost_ns + full * self.period_ns + self._response_ns(last_ns)

    def without(self, taken_ns: int) -> "Supply":
        """Return the supply if each period loses so much of its budget, anywhere in it."""
        return replace(
            self,
            budget_ns=self.budget_ns - taken_ns,
            lost_ns=self.lost_ns + taken_ns,
            delay_ns=self._response_ns(taken_ns + 1) - 1,
            later=tuple(
                Late(after_ns - taken_ns, delay_ns + taken_ns)
                for after_ns, delay_ns in self.later
                if after_ns > taken_ns
            ),
        )

    def _response_ns(self, came_ns: int) -> int:
        """Return R(q): how long after a replenishment so much of the budget has come."""
        place = bisect_left(self.later, came_ns, key=lambda each: each.after_ns)
        return came_ns + (self.later[place - 1].delay_ns if place else self.delay_ns)

    def _came_ns(self, rest_ns: int) -> int:
        """Return how much of a budget has come so long after its replenishment."""
        place = bisect_left(self.later, rest_ns, key=lambda each: each.begin_ns)
        delay_ns = self.later[place - 1].delay_ns if place else self.delay_ns
        most_ns = self.later[place].after_ns if place < len(self.later) else self.budget_ns
        return clamped(rest_ns - delay_ns, most_ns)


def clamped(time_ns: int, most_ns: int) -> int:
    """Return the time, at least 0 and at most `most_ns`."""
    return min(max(time_ns, 0), most_ns)


WHOLE_CPU = Supply(period_ns=1, budget_ns=1, lost_ns=0, delay_ns=0)
