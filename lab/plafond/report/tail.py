# SPDX-License-Identifier: MIT
"""The number of activations of the shown task that took at least some time, by protocol.

The joint tail of Carminati 2012, Figure 12, as numbers; also for the latencies of Figures 6 and 9.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.report.histograms import Measure, make_histogram
from plafond.rows import Table, each
from plafond.run.model import Execution
from plafond.units import format_duration

STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Tail:
    """A measure: by protocol, the number of activations that reached each time."""

    task: str
    measure: Measure
    times_ns: tuple[int, ...]  # from 0, equally spaced
    counts: dict[str, tuple[int, ...]]  # by protocol

    @property
    def table(self) -> Table:
        """A line for each protocol."""
        by_time = zip(self.times_ns, zip(*self.counts.values(), strict=True), strict=True)
        return Table(
            f"Activations of {self.task} with a {self.measure} of at least",
            [
                each("protocol", self.counts, text=True),
                *(each(format_duration(time_ns), counts) for time_ns, counts in by_time),
            ],
        )


def make_tail(execution: Execution, measure: Measure, most: int) -> Tail:
    """Count at up to `most` round times, from 0 to the longest value."""
    histogram = make_histogram(execution, measure)
    values_ns = {strip.protocol: strip.values_ns for strip in histogram.strips}
    longest_ns = max((value for values in values_ns.values() for value in values), default=0)
    times_ns = tuple(range(0, longest_ns + 1, _step(longest_ns, most)))
    counts = {
        protocol: tuple(sum(value >= time_ns for value in values) for time_ns in times_ns)
        for protocol, values in values_ns.items()
    }
    return Tail(histogram.task, measure, times_ns, counts)


def _step(longest_ns: int, most: int) -> int:
    """Return the least step of 1, 2, 5, 10, ... ns that needs at most `most` times."""
    return next(step for step in _steps() if longest_ns // step < most)


def _steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (step * power for step in STEPS)
        power *= 10
