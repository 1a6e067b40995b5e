# SPDX-License-Identifier: MIT
"""Statistics of a thread over all runs, in exact numbers, because budgets follow from them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from plafond.kernel_trace.model import Distribution


@dataclass(frozen=True)
class Times:
    """Times of a thread in all runs."""

    samples: int
    average_ns: Fraction
    least_ns: int
    most_ns: int
    counts: tuple[tuple[int, int], ...]  # (time rounded up, number of samples), ascending

    def quantile_ns(self, share: Fraction) -> int:
        """Return the least time that this share of all samples does not exceed."""
        seen = 0
        for time_ns, count in self.counts:
            seen += count
            if seen >= share * self.samples:
                return min(time_ns, self.most_ns)
        return self.most_ns

    def lost(self, served_ns: Fraction) -> Fraction:
        """Return the share of interrupts that a device loses if it keeps none waiting.

        Interrupts come at equal intervals, in each of which `served_ns` of an execution are served.
        An execution of several intervals loses the interrupts that come meanwhile. Times are
        rounded up, so the result is rather too large.
        """
        came = sum(
            count * ceil(min(each_ns, self.most_ns) / served_ns) for each_ns, count in self.counts
        )
        return Fraction(came - self.samples, came)


def together(distributions: Sequence[Distribution]) -> Times | None:
    """Return the times of all runs together; None without runs."""
    if not distributions:
        return None
    samples = sum(each.samples for each in distributions)
    counts: Counter[int] = Counter()
    for each in distributions:
        counts.update(dict(each.counts))
    sums_ns = (each.samples * Fraction(each.average_ns) for each in distributions)
    return Times(
        samples=samples,
        average_ns=sum(sums_ns, Fraction(0)) / samples,
        least_ns=min(each.least_ns for each in distributions),
        most_ns=max(each.most_ns for each in distributions),
        counts=tuple(sorted(counts.items())),
    )
