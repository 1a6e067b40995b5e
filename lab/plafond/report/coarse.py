# SPDX-License-Identifier: MIT
"""Remove stretches from a picture that are too short to see.

Otherwise an interrupt of some microseconds would cut a bar of milliseconds in two.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from plafond.report.gantt import Gantt
from plafond.report.rows import Row, State, Stretch

MARKS_FACTOR = 12  # replenishments of a server are drawn if they are this many least lengths apart
OUTSIDE_FACTOR = 8  # OUTSIDE, which no task causes, needs this many least lengths


def coarse(gantt: Gantt, least_ns: float) -> Gantt:
    """Return the charts; a stretch that is too short is added to the stretch before it."""
    charts = (
        replace(chart, rows=tuple(_row(row, least_ns) for row in chart.rows))
        for chart in gantt.charts
    )
    return replace(gantt, charts=tuple(charts))


def _row(row: Row, least_ns: float) -> Row:
    stretches = tuple(_joined(_absorbed(row.stretches, least_ns)))
    gaps = (later - one for one, later in pairwise(row.arrivals_ns))
    if row.is_server and any(gap < least_ns * MARKS_FACTOR for gap in gaps):
        return replace(row, stretches=stretches, arrivals_ns=())
    return replace(row, stretches=stretches)


def _absorbed(stretches: Iterable[Stretch], least_ns: float) -> Iterator[Stretch]:
    last: Stretch | None = None
    for stretch in stretches:
        factor = OUTSIDE_FACTOR if stretch.state is State.OUTSIDE else 1
        is_short = stretch.end_ns - stretch.begin_ns < least_ns * factor
        if not is_short:
            if last:
                yield last
            last = stretch
        elif last and last.end_ns == stretch.begin_ns:
            last = replace(last, end_ns=stretch.end_ns)
    if last:
        yield last


def _joined(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Join neighbours in the same state."""
    last: Stretch | None = None
    for stretch in stretches:
        if last and replace(last, begin_ns=last.end_ns, end_ns=stretch.end_ns) == stretch:
            last = replace(last, end_ns=stretch.end_ns)
            continue
        if last:
            yield last
        last = stretch
    if last:
        yield last
