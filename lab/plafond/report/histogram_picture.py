# SPDX-License-Identifier: MIT
"""Histograms as a picture: all protocols in one plot, a strip each, on one axis of time.

Counts are logarithmic: of a thousand values nearly all may be small, and the few large
ones are what matters.
"""

from collections import Counter
from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any

from plafond.report import drawing
from plafond.report.drawing import FONT_SIZE, LETTER_IN, WIDTH_IN
from plafond.report.gantt_paint import BOUND, DEADLINE
from plafond.report.histograms import Histogram, Measure, Strip
from plafond.trace.measures import Verdict
from plafond.units import UNIT_NS, format_duration

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLES = {
    Measure.LATENCY: "Activation latency",
    Measure.BLOCKING: "Blocking",
    Measure.RESPONSE: "Response",
}
BINS = 160
NEAR = 1.35  # a limit farther than so many maxima is outside the picture
FILL = 0.72  # of the height of a strip
STRIP_IN = 0.56
HEADER_IN = 0.62
FOOTER_IN = 0.5
COUNTS_IN = 0.42
WORDS_IN = 2.05
SMALL = 8.0
TINY = 6.5


@dataclass(frozen=True)
class _Scale:
    """The axis of time and the height of counts, the same for all strips."""

    begin_ns: int
    end_ns: int
    unit: str
    largest_count: int

    @property
    def bin_ns(self) -> float:
        return (self.end_ns - self.begin_ns) / BINS

    def bin(self, value_ns: int) -> int:
        return min(int((value_ns - self.begin_ns) / self.bin_ns), BINS - 1)

    def at(self, time_ns: float) -> float:
        return time_ns / UNIT_NS[self.unit]

    def height(self, count: float) -> float:
        return FILL * log10(1 + count) / log10(1 + self.largest_count)


def draw_histogram(histogram: Histogram) -> str:
    """Return the picture as an `<svg>` element."""
    from matplotlib.figure import Figure

    title = f"{TITLES[histogram.measure]} of {histogram.task}"
    names = [_name(strip) for strip in histogram.strips]
    left_in = 0.2 + max(map(len, names), default=0) * LETTER_IN + COUNTS_IN
    strips_in = STRIP_IN * max(len(names), 1)
    height_in = HEADER_IN + strips_in + FOOTER_IN
    box = (left_in, FOOTER_IN, WIDTH_IN - left_in - WORDS_IN, strips_in)
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, height_in))
        left, width = box[0] / WIDTH_IN, box[2] / WIDTH_IN
        axes = figure.add_axes((left, box[1] / height_in, width, box[3] / height_in))
        scale = _scale(histogram)
        _set_up(axes, histogram, scale)
        for index, strip in enumerate(histogram.strips):
            _draw_strip(axes, -index, strip, scale)
        _draw_deadline(axes, histogram, scale)
        _draw_header(figure, title, histogram, scale)
        return drawing.to_svg(figure, histogram.measure, f"{title} under each protocol")


def _name(strip: Strip) -> str:
    return f"{strip.protocol} (cut)" if strip.cut else strip.protocol


def _scale(histogram: Histogram) -> _Scale:
    values = [value for strip in histogram.strips for value in strip.values_ns]
    begin, end = min([0, *values]), max([0, *values])
    limits = [strip.bound_ns for strip in histogram.strips] + [histogram.deadline_ns]
    end = max([end, *(limit for limit in limits if limit and limit <= end * NEAR)])
    end += max((end - begin) // 50, 1)  # so that the last bar is not cut
    unit = drawing.axis_unit(end - begin)
    scale = _Scale(begin, end, unit, 1)
    counts = [
        count
        for strip in histogram.strips
        for count in Counter(map(scale.bin, strip.values_ns)).values()
    ]
    return _Scale(begin, end, unit, max(counts, default=1))


def _set_up(axes: "Axes", histogram: Histogram, scale: _Scale) -> None:
    count = max(len(histogram.strips), 1)
    axes.set_xlim(scale.at(scale.begin_ns), scale.at(scale.end_ns))
    axes.set_ylim(-count + 1, 1)
    axes.set_yticks([])
    axes.set_xlabel(drawing.unit_label(scale.unit, histogram.clock).rstrip(","))
    axes.grid(axis="x", color=drawing.PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _draw_strip(axes: "Axes", y: float, strip: Strip, scale: _Scale) -> None:
    axes.axhline(y, color=drawing.GREY, linewidth=0.6)
    words = {"textcoords": "offset points", "annotation_clip": False}
    beside: Any = {"xycoords": ("axes fraction", "data"), **words}
    name_points = -COUNTS_IN * 72
    axes.annotate(_name(strip), (0, y), (name_points, 5), ha="right", va="bottom", **beside)
    if not strip.values_ns:
        axes.annotate(
            "no activation finished", (0, y), (8, 8), color=drawing.GREY, size=SMALL, **beside
        )
        return
    _draw_counts(axes, y, strip, scale)
    axes.annotate(_words(strip), (1, y), (10, 3), va="bottom", size=SMALL, **beside)
    if strip.bound_ns is not None and strip.bound_ns <= scale.end_ns:
        axes.vlines(scale.at(strip.bound_ns), y, y + 0.9, **BOUND)


def _draw_counts(axes: "Axes", y: float, strip: Strip, scale: _Scale) -> None:
    for count in (1, 10, 100, 1000, 10_000, 100_000):
        if count > scale.largest_count:
            break
        height = y + scale.height(count)
        axes.axhline(height, color=drawing.PALE, linewidth=0.4, zorder=0.5)
        axes.annotate(
            f"{count}",
            (0, height),
            (-3, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right",
            va="center",
            size=TINY,
            color=drawing.GREY,
        )
    counts = sorted(Counter(map(scale.bin, strip.values_ns)).items())
    axes.bar(
        [scale.at(scale.begin_ns + index * scale.bin_ns) for index, _ in counts],
        [scale.height(count) for _, count in counts],
        width=scale.at(scale.bin_ns),
        bottom=y,
        align="edge",
        color=drawing.BLUE,
        linewidth=0,
    )
    last, count = counts[-1]
    middle = scale.at(scale.begin_ns + (last + 0.5) * scale.bin_ns)
    top = y + scale.height(count) + 0.1
    axes.plot(middle, top, "v", color=drawing.VERMILION, markersize=4, clip_on=False)


def _words(strip: Strip) -> str:
    count = len(strip.values_ns)
    maximum = format_duration(max(strip.values_ns))
    words = f"{count} value{'s' if count > 1 else ''}, max {maximum}"
    if strip.bound_ns is None:
        return words
    bound = f"its bound {format_duration(strip.bound_ns)}"
    match strip.verdict:
        case Verdict.EXCEEDED:
            return f"{words}\nEXCEEDS {bound}"
        case Verdict.EXCEEDED_OUTSIDE:
            return f"{words}\nexceeds {bound},\nonly where disturbed"
        case _:
            return f"{words}\nwithin {bound}"


def _draw_deadline(axes: "Axes", histogram: Histogram, scale: _Scale) -> None:
    if histogram.deadline_ns is not None and histogram.deadline_ns <= scale.end_ns:
        axes.axvline(scale.at(histogram.deadline_ns), **DEADLINE)


def _draw_header(figure: "Figure", title: str, histogram: Histogram, scale: _Scale) -> None:
    from matplotlib.lines import Line2D

    height_in = figure.get_figheight()
    figure.text(0.012, 1 - 0.1 / height_in, title, weight="bold", size=11, va="top")
    explanation = "height: number of activations, logarithmic"
    figure.text(0.012, 1 - 0.31 / height_in, explanation, size=SMALL, va="top")
    entries: list[Artist] = [
        Line2D(
            [], [], color=drawing.VERMILION, marker="v", markersize=4, linestyle="", label="maximum"
        )
    ]
    if any(strip.bound_ns and strip.bound_ns <= scale.end_ns for strip in histogram.strips):
        entries.append(Line2D([], [], label="bound", **BOUND))
    if histogram.deadline_ns is not None:
        label = f"deadline {format_duration(histogram.deadline_ns)}"
        if histogram.deadline_ns <= scale.end_ns:
            entries.append(Line2D([], [], label=label, **DEADLINE))
        else:
            entries.append(Line2D([], [], linestyle="", label=f"{label}: outside the picture"))
    figure.legend(
        handles=entries,
        loc="upper right",
        bbox_to_anchor=(1, 1),
        ncols=len(entries),
        frameon=False,
        fontsize=FONT_SIZE,
        borderaxespad=0.3,
    )
