# SPDX-License-Identifier: MIT
"""A histogram as a figure of matplotlib: a strip for each protocol, on one scale."""

from typing import TYPE_CHECKING

from plafond.report import drawing
from plafond.report.drawing import BLUE, WIDTH_IN
from plafond.report.gantt_paint import BOUND, DEADLINE
from plafond.report.histograms import Histogram, Strip
from plafond.units import UNIT_NS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STRIP_IN, FRAME_IN = 0.8, 0.7
BINS = 120


def strips_figure(histogram: Histogram) -> "Figure":
    """Return the picture; the caller should set the style of drawing.py.

    It ends as the histogram does, and the title of a strip has the number of values beyond.
    """
    from matplotlib.figure import Figure

    count = max(len(histogram.strips), 1)
    figure = Figure(figsize=(WIDTH_IN, FRAME_IN + STRIP_IN * count), layout="constrained")
    grid = figure.subplots(count, 1, sharex=True, sharey=True, squeeze=False)
    unit = drawing.axis_unit(histogram.end_ns)
    for axes, strip in zip(grid[:, 0], histogram.strips, strict=False):
        _draw(axes, histogram, strip, UNIT_NS[unit])
    label = drawing.unit_label(unit, histogram.clock).rstrip(",")
    grid[-1, 0].set_xlabel(f"{histogram.measure} of {histogram.task}, {label}")
    return figure


def _draw(axes: "Axes", histogram: Histogram, strip: Strip, unit_ns: int) -> None:
    end = max(histogram.end_ns, 1) / unit_ns
    values = [value / unit_ns for value in strip.values_ns if value <= histogram.end_ns]
    axes.hist(values, bins=BINS, range=(0, end), color=BLUE, log=bool(values))
    for limit_ns, style in ((strip.bound_ns, BOUND), (histogram.deadline_ns, DEADLINE)):
        if limit_ns is not None and limit_ns <= histogram.end_ns:
            axes.axvline(limit_ns / unit_ns, **style)
    beyond = histogram.beyond(strip)
    words = f"{strip.protocol}: {len(strip.values_ns)} values"
    axes.set_title(
        f"{words}, {beyond} beyond" if beyond else words, loc="left", size=drawing.FONT_SIZE
    )
    axes.set_ylim(bottom=0.5 if values else 0)
    axes.spines[["top", "right"]].set_visible(False)
