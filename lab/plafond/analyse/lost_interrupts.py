# SPDX-License-Identifier: MIT
"""The equations of OSPERT 2010, 6, Section II.C, in whole nanoseconds.

A thread serves each interrupt for at most C, and interrupts come at least P apart. Under a
reservation of Q in each T no interrupt is lost if

  Q/T >= C/P         (1)
  (T - Q)/P < N_c    (2)

N_c is the number of interrupts that the device can keep pending. In T - Q of each period the thread
serves none, so the device must keep all interrupts that come meanwhile.
"""

from fractions import Fraction


def least_budget_by_load(period_ns: int, execution_ns: int, interval_ns: int) -> int:
    """Return the least Q of equation 1; it is above T if C is above P."""
    return -(-period_ns * execution_ns // interval_ns)


def least_budget_by_pending(period_ns: int, interval_ns: int, pending: int) -> int:
    """Return the least Q of equation 2; it is 0 or less if every Q satisfies the equation."""
    return period_ns - pending * interval_ns + 1


def least_pending(period_ns: int, budget_ns: int, interval_ns: int) -> int:
    """Return the least N_c of equation 2."""
    return (period_ns - budget_ns) // interval_ns + 1


def served_in_interval_ns(period_ns: int, budget_ns: int, interval_ns: Fraction) -> Fraction:
    """Return the longest C of equation 1: the time that a reservation gives in an interval."""
    return Fraction(budget_ns, period_ns) * interval_ns
