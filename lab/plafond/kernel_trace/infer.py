# SPDX-License-Identifier: MIT
"""Decide whether a thread is periodic, and find its period: OSPERT 2010, 6, Section III.A.

The rule: the candidate is the median P of the times between arrivals. A time *fits* if it differs
by at most JITTER * P from a multiple k * P, k >= 1. Then k - 1 arrivals are missing in it. The
thread is periodic if all these hold:

- There are at least LEAST_TIMES times.
- At least the share FITTING of them fits.
- At most the share MISSING of their arrivals is missing.

The period is the sum of the fitting times divided by the sum of their k. The rule must hold for it,
too.

Limits of the rule: an arrival may be late by half of JITTER, compared with the arrival before or
with a grid. So a period is found whether it drifts or not. A superfluous arrival spoils two times,
so a tenth of the arrivals may be superfluous. If more than a quarter of the arrivals is missing, no
period is found. If every second arrival is missing, the result is twice the period. MISSING is
below a third because times P and 2 P in turn must have no period. A task has such times if it also
wakes up when it gets a lock. Bursts have no period. A thread with two periodic sources has no
period, unless one period is a multiple of the other and the rule holds.
"""

from collections.abc import Sequence
from math import ceil
from statistics import median_low

LEAST_TIMES = 12
JITTER = 0.15
FITTING = 0.8
MISSING = 0.25


def infer_period(inter_arrivals_ns: Sequence[int]) -> int | None:
    """Return the period, rounded to nanoseconds; None if the rule does not hold."""
    if len(inter_arrivals_ns) < LEAST_TIMES:
        return None
    refined = _refined(inter_arrivals_ns, median_low(inter_arrivals_ns))
    if refined is None:
        return None
    period = _refined(inter_arrivals_ns, refined)
    return None if period is None else round(period)


def _refined(times_ns: Sequence[int], period: float) -> float | None:
    """Return a better period from the times that fit a rough period; None: it breaks the rule."""
    if period <= 0:
        return None
    fitting = [
        (time_ns, multiple)
        for time_ns in times_ns
        if (multiple := round(time_ns / period)) >= 1
        and abs(time_ns - multiple * period) <= JITTER * period
    ]
    arrivals = sum(multiple for _, multiple in fitting)
    if len(fitting) < ceil(FITTING * len(times_ns)):
        return None
    if arrivals - len(fitting) > MISSING * arrivals:
        return None
    return sum(time_ns for time_ns, _ in fitting) / arrivals
