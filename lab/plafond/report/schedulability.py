# SPDX-License-Identifier: MIT
"""A study of schedulability as a picture: a line a scheduler, with 95 % intervals
(OSPERT 2010, 4, Figure 5).
"""

from pathlib import Path

from plafond.report import drawing
from plafond.report.drawing import LINE_COLOURS, MARKERS, WIDTH_IN
from plafond.studies.model import Ratio, SchedulabilityReport
from plafond.units import UNIT_NS

HEIGHT_IN = 4.2


def write_schedulability(report: SchedulabilityReport, file: Path) -> None:
    """Draw into a file; PlafondError where that cannot be written."""
    drawing.write_picture(draw_schedulability(report), file)


def draw_schedulability(report: SchedulabilityReport, name: str = "schedulability") -> str:
    """Return the picture as an `<svg>` element: W by delay, or of one delay the ratios."""
    from matplotlib.figure import Figure

    longest_ns = max((row.cache_ns for row in report.weighted), default=0)
    unit = drawing.axis_unit(longest_ns)
    lines: dict[str, list[tuple[float, Ratio]]] = {}
    if longest_ns:
        across, up = f"cache delay of a job, {unit}", "weighted schedulability"
        for row in report.weighted:
            point = (row.cache_ns / UNIT_NS[unit], row.weighted)
            lines.setdefault(row.scheduler, []).append(point)
    else:
        across, up = "utilisation", "acceptance ratio"
        for each in report.acceptance:
            lines.setdefault(each.scheduler, []).append((each.utilisation, each.ratio))
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), layout="constrained")
        axes = figure.add_subplot()
        for index, (scheduler, points) in enumerate(lines.items()):
            colour = LINE_COLOURS[index % len(LINE_COLOURS)]
            places = [place for place, _ in points]
            low, high = [ratio.low for _, ratio in points], [ratio.high for _, ratio in points]
            axes.fill_between(places, low, high, color=colour, alpha=0.25, linewidth=0)
            axes.plot(
                places,
                [ratio.value for _, ratio in points],
                color=colour,
                marker=MARKERS[index % len(MARKERS)],
                markersize=3.5,
                linewidth=1,
                label=scheduler,
            )
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        figure.legend(loc="outside upper left", ncols=4, frameon=False)
        return drawing.to_svg(figure, name, f"{report.name}: {up}")
