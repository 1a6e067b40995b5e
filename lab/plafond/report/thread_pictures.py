# SPDX-License-Identifier: MIT
"""Distributions of threads' times as small pictures: OSPERT 2010, 6, Figures 7 and 8.

The page draws them from a few rectangles, because each picture of a plotting library would be
larger than all of these together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

from plafond.kernel_trace.model import Distribution, ThreadMeasures
from plafond.report.threads import MEASURES, shown_threads
from plafond.run.model import Execution
from plafond.units import format_duration

BINS = 60
WIDTH, HEIGHT = 300, 60  # of all bars, in units of the picture


@dataclass(frozen=True)
class Bar:
    """The number of times in a bin; lengths in units of the picture."""

    left: float
    top: float
    width: float
    height: float
    words: str


@dataclass(frozen=True)
class Picture:
    """A measure of a thread under a protocol."""

    measure: str
    samples: int
    least: str
    most: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Spread:
    """The pictures of a thread under a protocol."""

    title: str
    pictures: tuple[Picture, ...]


def thread_spreads(execution: Execution) -> Iterator[Spread]:
    """Yield the pictures of each thread in the tables, if it has any."""
    for row in shown_threads(execution):
        pictures = tuple(_pictures(row))
        if pictures:
            yield Spread(f"{row.thread}, under {row.protocol}", pictures)


def _pictures(row: ThreadMeasures) -> Iterator[Picture]:
    for measure, name in MEASURES.items():
        times: Distribution | None = getattr(row, name)
        if times:
            least, most = format_duration(times.least_ns), format_duration(times.most_ns)
            yield Picture(measure, times.samples, least, most, tuple(_bars(times)))


def _bars(times: Distribution) -> Iterator[Bar]:
    """Yield a bar for each bin with values; its height is logarithmic."""
    last_ns = times.counts[-1][0]
    first_ns = times.counts[0][0]
    bin_ns = max((last_ns - first_ns) / BINS, 1e-9)
    counts: dict[int, int] = {}
    for time_ns, count in times.counts:
        place = min(int((time_ns - first_ns) / bin_ns), BINS - 1)
        counts[place] = counts.get(place, 0) + count
    most = max(counts.values())
    for place, count in sorted(counts.items()):
        height = HEIGHT * log10(1 + count) / log10(1 + most)
        width = WIDTH / BINS
        at = format_duration(first_ns + place * bin_ns, 2)
        yield Bar(place * width, HEIGHT - height, width, height, f"{count} about {at}")
