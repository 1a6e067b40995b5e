# SPDX-License-Identifier: MIT
"""The basis of a reservation: a recorded execution time, and a period."""

from enum import StrEnum
from fractions import Fraction

from plafond.errors import ArgumentError
from plafond.units import UNIT_NS, format_duration, parse_duration

# Linux's limits unless an administrator changes sched_deadline_period_min_us and _max_us.
SHORTEST_PERIOD_NS = 100 * UNIT_NS["us"]
LONGEST_PERIOD_NS = (1 << 22) * UNIT_NS["us"]


class Source(StrEnum):
    """The recorded execution time for which a reservation is chosen."""

    MAXIMUM = "maximum"  # with the least inter-arrival: the paper's deterministic case
    MOST = "99.9%"  # of the executions, with the average inter-arrival
    MANY = "99%"

    @property
    def share(self) -> Fraction:
        """The share of the executions that are not longer."""
        return SHARES[self]

    @property
    def least_samples(self) -> int:
        """The least number of executions of which one can be longer."""
        return 1 if self is Source.MAXIMUM else int(1 / (1 - self.share))


SHARES = {
    Source.MAXIMUM: Fraction(1),
    Source.MOST: Fraction(999, 1000),
    Source.MANY: Fraction(99, 100),
}


def period_ns_of(text: str) -> int:
    """Return the period that an option gives; ArgumentError if Linux has no such period."""
    try:
        period_ns = parse_duration(text)
    except ValueError:
        period_ns = 0
    if not SHORTEST_PERIOD_NS <= period_ns <= LONGEST_PERIOD_NS:
        least, most = format_duration(SHORTEST_PERIOD_NS), format_duration(LONGEST_PERIOD_NS)
        raise ArgumentError(f"--period: found {text!r}; expected {least} to {most}, such as 10ms")
    return period_ns
