# SPDX-License-Identifier: MIT
"""The equations of OSPERT 2010, 6, Section II.C, in whole nanoseconds.

A thread that serves an interrupt for C at most, P after the one before at least, loses none under a
reservation of Q in each T if

  Q/T >= C/P         (1)
  (T - Q)/P < N_c    (2)

where N_c is how many interrupts its device can have pending: for T - Q none is served, and of those
that come meanwhile all must find a place.
"""

from fractions import Fraction


def least_budget_by_load(period_ns: int, execution_ns: int, interval_ns: int) -> int:
    """Return the least Q of equation 1; it is above T where C is above P."""
    return -(-period_ns * execution_ns // interval_ns)


def least_budget_by_pending(period_ns: int, interval_ns: int, pending: int) -> int:
    """Return the least Q of equation 2; 0 or less: it holds with any."""
    return period_ns - pending * interval_ns + 1


def least_pending(period_ns: int, budget_ns: int, interval_ns: int) -> int:
    """Return the least N_c of equation 2."""
    return (period_ns - budget_ns) // interval_ns + 1


def served_in_interval_ns(period_ns: int, budget_ns: int, interval_ns: Fraction) -> Fraction:
    """Return the longest C of equation 1: what a reservation serves in an interval."""
    return Fraction(budget_ns, period_ns) * interval_ns
