# SPDX-License-Identifier: MIT
"""A panel of the Gantt chart's picture: a chart of protocols that agree."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plafond.report import drawing
from plafond.report.drawing import LETTER_IN, WIDTH_IN
from plafond.report.gantt import Chart
from plafond.report.gantt_paint import BOUND, DEADLINE, STATES, Paint
from plafond.report.gantt_words import sentence
from plafond.report.labels import Label, align
from plafond.report.rows import Row, State, Stretch
from plafond.units import UNIT_NS, format_duration

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR = 0.52  # height of a bar, in rows
BAR_TOP = 0.34  # top of a bar, above the middle of the row
BELOW = 0.29  # room for sections below the bar, stacked by depth
STRIP = 0.11  # largest height of a section
BAND = 0.24  # height of a server's band, in the middle of a bar
GAP = 0.02
MARGIN_IN = 0.2  # labels may extend this far beyond the axes
DARK = (drawing.BLUE, drawing.GREEN)  # colours for bright letters
SMALL = 8.0
SMALL_LETTER_IN = LETTER_IN * SMALL / drawing.FONT_SIZE


@dataclass(frozen=True)
class Scale:
    """Conversion of times to lengths; the same in all panels."""

    begin_ns: int
    end_ns: int
    unit: str
    width_in: float
    arrow: float  # height of the strip for the response, in rows

    @property
    def span_ns(self) -> int:
        """Return the time of the whole width."""
        return self.end_ns - self.begin_ns

    def at(self, time_ns: float) -> float:
        """Return the coordinate on the time axis."""
        return time_ns / UNIT_NS[self.unit]

    def inches(self, time_ns: float) -> float:
        """Return the length of a time."""
        return time_ns / self.span_ns * self.width_in


def draw_panel(axes: "Axes", chart: Chart, scale: Scale, paint: Paint) -> None:
    """Draw the rows, marks and words of a panel."""
    count = max(len(chart.rows), 1)
    axes.set_xlim(scale.at(scale.begin_ns), scale.at(scale.end_ns))
    axes.set_ylim(-count + 0.5, 0.5 + scale.arrow)
    middles = [BAR_TOP - BAR / 2 - index for index in range(len(chart.rows))]
    axes.set_yticks(middles, [row.label for row in chart.rows])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=drawing.PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    _write_title(axes, chart)
    if not chart.rows:
        _write_nothing(axes, chart)
        return
    for index, row in enumerate(chart.rows):
        _draw_row(axes, -index, row, scale, paint)
    _draw_response(axes, chart, scale)
    _draw_limits(axes, chart, scale)
    _shade_unrecorded(axes, chart, scale)


def _write_title(axes: "Axes", chart: Chart) -> None:
    corner = ("figure fraction", "axes fraction")
    left: dict[str, Any] = {"xycoords": corner, "textcoords": "offset points", "va": "bottom"}
    axes.annotate(chart.title, (0.012, 1), (0, 33), weight="bold", size=11, **left)
    words = sentence(chart)
    size = min(drawing.FONT_SIZE, drawing.FONT_SIZE * (WIDTH_IN - 0.2) / (len(words) * LETTER_IN))
    axes.annotate(words, (0.012, 1), (0, 19), size=size, **left)


def _write_nothing(axes: "Axes", chart: Chart) -> None:
    axes.set_yticks([0], [chart.task])
    axes.text(
        0.5, 0.4, "nothing to show", transform=axes.transAxes, ha="center", color=drawing.GREY
    )


def _draw_row(axes: "Axes", y: float, row: Row, scale: Scale, paint: Paint) -> None:
    if row.is_server:
        _draw_band(axes, y, row, scale)
        return
    for stretch in row.stretches:
        _draw_stretch(axes, y, stretch, scale, paint)
    depths = 1 + max((section.depth for section in row.sections), default=0)
    step = min(STRIP, BELOW / depths)
    for section in row.sections:
        top = y + BAR_TOP - BAR - GAP - section.depth * step
        begin, width = scale.at(section.begin_ns), scale.at(section.end_ns - section.begin_ns)
        style = paint.running_in(section.resource)
        axes.broken_barh([(begin, width)], (top - step + GAP, step - GAP), **style)
    _draw_marks(axes, y, row, scale)


def _draw_band(axes: "Axes", y: float, row: Row, scale: Scale) -> None:
    middle = y + BAR_TOP - BAR / 2
    for stretch in row.stretches:
        span = (scale.at(stretch.begin_ns), scale.at(stretch.end_ns - stretch.begin_ns))
        axes.broken_barh([span], (middle - BAND / 2, BAND), **STATES[stretch.state])
    places = [scale.at(time) for time in row.arrivals_ns]
    axes.vlines(places, middle - BAR / 2, middle + BAR / 2, color=drawing.INK, linewidth=0.9)


def _draw_marks(axes: "Axes", y: float, row: Row, scale: Scale) -> None:
    axes.vlines(
        [scale.at(time) for time in (*row.arrivals_ns, *row.ends_ns)],
        y + BAR_TOP - BAR,
        y + BAR_TOP + 0.04,
        color=drawing.INK,
        linewidth=0.9,
    )
    for times, marker, height in (
        (row.arrivals_ns, "^", y + BAR_TOP + 0.06),
        (row.ends_ns, "v", y + BAR_TOP - BAR),
    ):
        places = [scale.at(time) for time in times]
        axes.plot(
            places, [height] * len(places), marker, color=drawing.INK, markersize=4, clip_on=False
        )


def _draw_stretch(axes: "Axes", y: float, stretch: Stretch, scale: Scale, paint: Paint) -> None:
    duration_ns = stretch.end_ns - stretch.begin_ns
    running = stretch.state is State.RUNNING
    style = paint.running_in(stretch.resource) if running else STATES[stretch.state]
    span = (scale.at(stretch.begin_ns), scale.at(duration_ns))
    axes.broken_barh([span], (y + BAR_TOP - BAR, BAR), **style)
    text = _words(stretch, scale.inches(duration_ns))
    if text:
        letters = drawing.INK
        if running:
            dark = style["facecolor"] in DARK
            letters = drawing.BRIGHT_LETTERS if dark else drawing.DARK_LETTERS
        axes.text(
            span[0] + span[1] / 2,
            y + BAR_TOP - BAR / 2,
            text,
            ha="center",
            va="center_baseline",
            size=SMALL,
            color=letters,
            bbox=None if running else {"facecolor": drawing.PAPER, "linewidth": 0, "pad": 1.0},
        )


def _words(stretch: Stretch, width_in: float) -> str:
    if stretch.resource is None:
        return ""
    waits = stretch.state is State.BLOCKED
    choices = (f"waits for {stretch.resource}", stretch.resource) if waits else (stretch.resource,)
    return next((text for text in choices if len(text) * SMALL_LETTER_IN + 0.08 <= width_in), "")


def _draw_response(axes: "Axes", chart: Chart, scale: Scale) -> None:
    if chart.worst is None:
        return
    y, end = 0.5 + scale.arrow * 0.45, scale.at(chart.worst.response_ns)
    axes.annotate(
        "",
        (0, y),
        (end, y),
        arrowprops={
            "arrowstyle": "<|-|>",
            "color": drawing.INK,
            "linewidth": 0.8,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 7,
        },
    )
    text = f"response {format_duration(chart.worst.response_ns)}"
    fits = len(text) * SMALL_LETTER_IN + 0.4 <= scale.inches(chart.worst.response_ns)
    axes.annotate(
        text,
        (end / 2 if fits else end, y),
        (0 if fits else 5, 0),
        textcoords="offset points",
        ha="center" if fits else "left",
        va="center_baseline",
        size=SMALL,
        bbox={"facecolor": drawing.PAPER, "linewidth": 0, "pad": 1.5},
    )


def _draw_limits(axes: "Axes", chart: Chart, scale: Scale) -> None:
    limits = [("bound", chart.bound_ns, BOUND), ("deadline", chart.deadline_ns, DEADLINE)]
    labels = []
    for name, time_ns, style in limits:
        if time_ns is not None and time_ns <= scale.end_ns:
            axes.axvline(scale.at(time_ns), **style)
            text = f"{name} {format_duration(time_ns)}"
            labels.append(Label(scale.inches(time_ns - scale.begin_ns), text))
    if not labels:
        return
    room = (-MARGIN_IN, scale.width_in + MARGIN_IN)
    for label in align(sorted(labels), room, SMALL_LETTER_IN):
        axes.annotate(
            label.text,
            ((label.x_in + label.pad_in) / scale.width_in, 1),
            xycoords="axes fraction",
            xytext=(0, 3),
            textcoords="offset points",
            ha=label.alignment,
            size=SMALL,
        )


def _shade_unrecorded(axes: "Axes", chart: Chart, scale: Scale) -> None:
    words = "cut off" if chart.cut else "after the run"
    begin, end = chart.recorded
    for a, b, text in ((scale.begin_ns, begin, "before the run"), (end, scale.end_ns, words)):
        if a >= b:
            continue
        axes.axvspan(scale.at(a), scale.at(b), facecolor=drawing.SHADE, linewidth=0, zorder=0.1)
        if scale.inches(b - a) > len(text) * SMALL_LETTER_IN:
            middle = (scale.at(a) + scale.at(b)) / 2
            axes.text(
                middle,
                0.5 - len(chart.rows) / 2,
                text,
                ha="center",
                va="center",
                size=SMALL,
                color=drawing.GREY,
            )
