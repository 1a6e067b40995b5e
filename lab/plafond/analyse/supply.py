# SPDX-License-Identifier: MIT
"""How much processor time a window holds: the supply of a server, or all of a CPU.

A window begins with an arrival before which nothing that counts is pending, and in it something
always is. (A job that sleeps counts as served: its sleeps are part of the demand.) A server has
Q of each period P. Its least supply in a window of length t, wherever that lies, is

  nothing for `lost`; and then, period after period, nothing for `delay` and Q without a break.

- idling: the worst window begins as the budget ends, which it can do Q after the replenishment: P-Q
  of this period are lost. In each later period Q comes at its end at the latest: a delay of P-Q.
  Within the first period, too: a window that begins x after the replenishment finds a budget of
  at least Q-x, and this comes before the end (servers.py), as does the whole budget.
- deferrable: the same. A budget that was kept only adds. While all sleep, it is not spent, or on
  less urgent tasks, by no more than the time slept.
- polling: the window begins right after the rest of a budget was dropped, at the earliest with
  the replenishment: all of the period is lost. From the next one on something is pending, and
  nothing is dropped, unless what is pending sleeps: that has no bound (coverage.py).
- slot: the worst window begins as the slot ends. There a delay of P-Q begins; nothing is lost.

So the first gap, `lost` and `delay`, is 2(P-Q), 2P-Q for polling, P-Q for slots. Arrivals may lie
anywhere: no bound asks that they meet replenishments.

Slots and aligned arrivals: if all arrivals of a server's tasks fall on multiples of P, so do the
windows. Then the delay is that of the slot, its start (OSPERT 2010, 3: eq. 17, clamped).

Payback: a budget is less by what the server overran in the period before, X at most. What of this
came in the window was supplied early, and lacks later. What came before the window lacks only: X
at most, once, of the whole window. No blocking stands for it: the least urgent task has it, too. As
each budget comes at the end of its period at the latest, no instant in between is worse. The gap
is longer by X.

Two windows after each other hold at least what their lengths hold: s(t + u) >= s(t) + s(u). Aligned
ones do, if t is a multiple of P.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Supply:
    """The least that a window holds."""

    period_ns: int
    budget_ns: int
    lost_ns: int  # of the window, before its first whole period
    delay_ns: int  # of each period, before its budget
    owed_ns: int = 0  # of the window, less than one budget: what was paid before it

    @property
    def gap_ns(self) -> int:
        """For how long nothing comes at first."""
        return self.lost_ns + self.delay_ns + self.owed_ns

    @property
    def behind_ns(self) -> int:
        """How long the supply takes to reach what its share of all time is, as it does again and
        again; below 0: it is ahead of that.
        """
        return self.gap_ns - (self.period_ns - self.budget_ns)

    def provided_ns(self, window_ns: int) -> int:
        """Return the time that a window holds at least."""
        periods, rest_ns = divmod(max(window_ns - self.lost_ns, 0), self.period_ns)
        came_ns = periods * self.budget_ns + clamped(rest_ns - self.delay_ns, self.budget_ns)
        return max(came_ns - self.owed_ns, 0)

    def within_ns(self, work_ns: int) -> int:
        """Return the least window that holds so much time."""
        if work_ns == 0:
            return 0
        came_ns = work_ns + self.owed_ns
        full = (came_ns - 1) // self.budget_ns  # periods before the one in which it ends
        gap_ns = self.lost_ns + self.delay_ns
        return gap_ns + full * (self.period_ns - self.budget_ns) + came_ns


def clamped(time_ns: int, most_ns: int) -> int:
    """Return the part of a period's budget that has come so far."""
    return min(max(time_ns, 0), most_ns)


WHOLE_CPU = Supply(period_ns=1, budget_ns=1, lost_ns=0, delay_ns=0)
