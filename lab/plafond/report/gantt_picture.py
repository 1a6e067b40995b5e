# SPDX-License-Identifier: MIT
"""The Gantt chart as a picture: a panel for each chart, all on one time scale."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plafond.report import drawing
from plafond.report.alike import in_words
from plafond.report.coarse import coarse
from plafond.report.drawing import LETTER_IN, WIDTH_IN
from plafond.report.gantt import Gantt
from plafond.report.gantt_paint import Paint
from plafond.report.gantt_panel import Scale, draw_panel
from plafond.report.gantt_words import about

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_IN = 0.36
ARROW_IN = 0.24  # the strip for the response, above the rows
HEADER_IN = 0.68  # a panel's title and labels, above that strip
GAP_IN = 0.12
FOOTER_IN = 0.48
LEGEND_LINE_IN = 0.2
RIGHT_IN = 0.25
HANDLE_IN = 0.6  # width of a legend entry without its text
LEAST_IN = 0.012  # narrower stretches are not drawn
MOST_COLUMNS = 4


def draw_gantt(gantt: Gantt, name: str = "gantt") -> str:
    """Return the picture as an `<svg>` element."""
    with drawing.drawing_style():
        return drawing.to_svg(gantt_figure(gantt), name, _title(gantt))


def gantt_figure(gantt: Gantt) -> "Figure":
    """Return the picture; the caller should set the style, as draw_gantt() does."""
    from matplotlib.figure import Figure

    width_in = WIDTH_IN - _left_in(gantt) - RIGHT_IN
    gantt = coarse(gantt, (gantt.end_ns - gantt.begin_ns) / width_in * LEAST_IN)
    paint = Paint(gantt)
    entries = paint.legend()
    columns = _columns([str(entry.get_label()) for entry in entries])
    legend_in = LEGEND_LINE_IN * -(-len(entries) // columns) + 0.16
    panels_in = [_panel_in(len(chart.rows)) for chart in gantt.charts]
    height_in = legend_in + sum(panels_in) + FOOTER_IN
    figure = Figure(figsize=(WIDTH_IN, height_in))
    figure.legend(
        handles=entries,
        loc="upper left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=columns,
        frameon=False,
        borderaxespad=0.3,
        columnspacing=1.6,
        handlelength=2.2,
    )
    _draw_panels(figure, gantt, paint, legend_in, panels_in)
    return figure


def _columns(labels: Sequence[str]) -> int:
    """Return the number of columns that fit; the legend fills a column before the next."""
    for columns in range(MOST_COLUMNS, 1, -1):
        lines = -(-len(labels) // columns)
        longest = (max(map(len, labels[at : at + lines])) for at in range(0, len(labels), lines))
        if sum(length * LETTER_IN + HANDLE_IN for length in longest) <= WIDTH_IN:
            return columns
    return 1


def _panel_in(rows: int) -> float:
    return HEADER_IN + ARROW_IN + ROW_IN * max(rows, 1) + GAP_IN


def _draw_panels(
    figure: "Figure", gantt: Gantt, paint: Paint, legend_in: float, panels_in: list[float]
) -> None:
    height_in = figure.get_figheight()
    left_in = _left_in(gantt)
    scale = Scale(
        begin_ns=gantt.begin_ns,
        end_ns=gantt.end_ns,
        unit=drawing.axis_unit(gantt.end_ns - gantt.begin_ns),
        width_in=WIDTH_IN - left_in - RIGHT_IN,
        arrow=ARROW_IN / ROW_IN,
    )
    top_in = height_in - legend_in
    for index, (chart, panel_in) in enumerate(zip(gantt.charts, panels_in, strict=True)):
        rows_in = panel_in - HEADER_IN - GAP_IN
        bottom_in = top_in - HEADER_IN - rows_in
        axes = figure.add_axes(
            (
                left_in / WIDTH_IN,
                bottom_in / height_in,
                scale.width_in / WIDTH_IN,
                rows_in / height_in,
            )
        )
        draw_panel(axes, chart, scale, paint)
        is_last = index == len(gantt.charts) - 1
        axes.tick_params(axis="x", labelbottom=is_last, length=2 if is_last else 0)
        if is_last:
            unit = drawing.unit_label(scale.unit, gantt.clock)
            axes.set_xlabel(f"{unit} from {_zero(gantt, chart.task)}")
        top_in -= panel_in


def _zero(gantt: Gantt, task: str) -> str:
    if gantt.is_whole_run:
        return "the start of the run"
    return f"the arrival of the worst activation of {task}"


def _left_in(gantt: Gantt) -> float:
    longest = max((len(row.label) for chart in gantt.charts for row in chart.rows), default=4)
    return min(0.25 + longest * LETTER_IN, 2.6)


def _title(gantt: Gantt) -> str:
    protocols = in_words([chart.title for chart in gantt.charts])
    task = gantt.charts[0].task if gantt.charts else "the task"
    return f"{about(gantt, task)} under {protocols}"
