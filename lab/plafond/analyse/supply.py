# SPDX-License-Identifier: MIT
"""How much processor time a window holds, in ns: the supply of a server, or all of a CPU.

A window begins with an arrival before which no counted work is pending, and in it some always is.
(A job that sleeps counts as served, because its sleeps are part of the demand.) A server has Q of
each period P. Its least supply in a window of length t, wherever that lies, is

  nothing for `lost`; and then, period after period, nothing for `delay` and Q without a break.

- idling: the worst window begins as the budget ends. That can be Q after the replenishment, so P-Q
  of this period are lost. In each later period Q comes at its end at the latest: a delay of P-Q.
  No other begin is worse. A window that begins x after the replenishment finds a budget of at least
  Q-x. This comes before the period ends (servers.py), as does the whole budget.
- deferrable: the same, because a budget that was kept only adds. While all tasks sleep, the budget
  is not spent, or it is spent on less urgent tasks, for no longer than the sleep.
- polling: the window begins right after the rest of a budget was dropped, at the earliest with the
  replenishment, so all of the period is lost. From the next period on some work is pending, so
  nothing is dropped. If the pending work sleeps, there is no bound (coverage.py).
- slot: the worst window begins as the slot ends. There a delay of P-Q begins, so nothing is lost.

So the first gap, `lost` and `delay`, is 2(P-Q), 2P-Q for polling, P-Q for slots. Arrivals may lie
anywhere: no bound needs arrivals at replenishments.

Slots and aligned arrivals: if all arrivals of a server's tasks fall on multiples of P, so do the
windows. Then the delay is the start of the slot (OSPERT 2010, 3: eq. 17, clamped).

Payback: a budget is less by the overrun of the period before, at most X. An overrun in the window
was supplied early, and is missing later. An overrun before the window is only missing: at most X,
once in the whole window. This is in the supply and not in the blocking, because it also concerns
the least urgent task. No instant in between is worse, because each budget comes at the end of its
period at the latest. The gap is longer by X.

Two consecutive windows hold at least the supply of their lengths: s(t + u) >= s(t) + s(u). For
aligned windows this is so if t is a multiple of P.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Supply:
    """The least supply of a window."""

    period_ns: int
    budget_ns: int
    lost_ns: int  # of the window, before its first whole period
    delay_ns: int  # of each period, before its budget
    owed_ns: int = 0  # less in the window, once, as it was used before; less than a budget

    @property
    def gap_ns(self) -> int:
        """How long nothing is supplied at first."""
        return self.lost_ns + self.delay_ns + self.owed_ns

    @property
    def behind_ns(self) -> int:
        """How far the supply is behind its share of all time as a budget ends.

        Negative if the supply is ahead.
        """
        return self.gap_ns - (self.period_ns - self.budget_ns)

    def provided_ns(self, window_ns: int) -> int:
        """Return s(t): the least supply of a window of this length."""
        periods, rest_ns = divmod(max(window_ns - self.lost_ns, 0), self.period_ns)
        came_ns = periods * self.budget_ns + clamped(rest_ns - self.delay_ns, self.budget_ns)
        return max(came_ns - self.owed_ns, 0)

    def within_ns(self, work_ns: int) -> int:
        """Return the length of the least window that supplies `work_ns`."""
        if work_ns == 0:
            return 0
        came_ns = work_ns + self.owed_ns
        full = (came_ns - 1) // self.budget_ns  # number of periods before the last
        gap_ns = self.lost_ns + self.delay_ns
        return gap_ns + full * (self.period_ns - self.budget_ns) + came_ns


def clamped(time_ns: int, most_ns: int) -> int:
    """Return the time, at least 0 and at most `most_ns`."""
    return min(max(time_ns, 0), most_ns)


WHOLE_CPU = Supply(period_ns=1, budget_ns=1, lost_ns=0, delay_ns=0)
