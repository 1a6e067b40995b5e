# SPDX-License-Identifier: MIT
"""Whether a thread is periodic, and its period: OSPERT 2010, 6, Section III.A.

The rule. The candidate is the median P of the times between arrivals. A time *fits* if it is off by
at most JITTER of P from a multiple k of P, k >= 1: k - 1 arrivals are missing then. The thread is
periodic if there are at least LEAST_TIMES of these times, at least FITTING of them fit, and of the
arrivals that these stand for at most MISSING are missing. The period is the length of the times
that fit over the sum of their k, and the same must hold for it.

Its limits. An arrival may be late by half of JITTER, of the one before it or of a grid: a period
that drifts is found as well as one that does not. An arrival too much spoils two times, so one in
ten may be one too much. Of what misses more than a quarter of its arrivals no period is found; of
what misses every second, twice the period. A share of a third would find one in times that are by
turns P and 2 P, as those of a task that also wakes up when it gets a lock. What comes in bursts has
no period. Two periodic sources of one thread have none either, unless one period is a multiple of
the other and the rule holds.
"""

from collections.abc import Sequence
from math import ceil
from statistics import median_low

LEAST_TIMES = 12
JITTER = 0.15
FITTING = 0.8
MISSING = 0.25


def infer_period(inter_arrivals_ns: Sequence[int]) -> int | None:
    """Return the period, rounded to nanoseconds; None: there is none by the rule."""
    if len(inter_arrivals_ns) < LEAST_TIMES:
        return None
    refined = _refined(inter_arrivals_ns, median_low(inter_arrivals_ns))
    if refined is None:
        return None
    period = _refined(inter_arrivals_ns, refined)
    return None if period is None else round(period)


def _refined(times_ns: Sequence[int], period: float) -> float | None:
    """Return the period as the times have it that fit a rough one; None: the rule does not hold."""
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
