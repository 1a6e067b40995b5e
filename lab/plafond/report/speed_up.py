# SPDX-License-Identifier: MIT
"""The demand of slots with other periods, as a picture (OSPERT 2010, 3, Figure 11)."""

from collections.abc import Sequence
from pathlib import Path

from plafond.analyse.slots_model import SlotsReport
from plafond.report import drawing
from plafond.report.drawing import GREY, INK, LINE_COLOURS, MARKERS, WIDTH_IN
from plafond.units import UNIT_NS

HEIGHT_IN = 3.4


def write_speed_up(report: SlotsReport, file: Path) -> None:
    """Draw into a file; ArgumentError if it cannot be written."""
    drawing.write_picture(draw_speed_up(report), file)


def draw_speed_up(report: SlotsReport, name: str = "speed-up") -> str:
    """Return the picture as an `<svg>` element: a line for each server."""
    from matplotlib.figure import Figure

    unit = drawing.axis_unit(report.period_ns)
    periods = [row.period_ns / UNIT_NS[unit] for row in report.periods]
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), layout="constrained")
        axes = figure.add_subplot()
        axes.axhline(1, color=GREY, linewidth=0.8)
        for index, slot in enumerate(report.slots):
            axes.plot(
                periods,
                _values([row.speed_ups[slot.server] for row in report.periods]),
                color=LINE_COLOURS[index % len(LINE_COLOURS)],
                marker=MARKERS[index % len(MARKERS)],
                markersize=4,
                linewidth=1,
                label=slot.server,
            )
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel(f"period of the slots, {unit}")
        axes.set_ylabel("further speed-up", color=INK)
        figure.legend(loc="outside upper left", ncols=4, frameon=False)
        return drawing.to_svg(figure, name, f"{report.name}: speed-up for other periods")


def _values(values: Sequence[float | None]) -> list[float]:
    """Return the values; NaN makes a gap in the line if a value is not known."""
    return [float("nan") if value is None else value for value in values]
