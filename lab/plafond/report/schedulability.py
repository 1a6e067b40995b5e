# SPDX-License-Identifier: MIT
"""A study of schedulability as a picture.

It has a line with 95 % intervals for each alternative (OSPERT 2010, 4, Figure 5), or a map if two
variables vary.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plafond.report import drawing
from plafond.report.drawing import LINE_COLOURS, MARKERS, WIDTH_IN
from plafond.report.schedulability_map import AXES, map_figure, map_title, scale_of
from plafond.studies.cases import varied
from plafond.studies.model import Ratio, SchedulabilityReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT_IN = 4.2


def write_schedulability(report: SchedulabilityReport, file: Path) -> None:
    """Draw into a file; ArgumentError if it cannot be written."""
    drawing.write_picture(draw_schedulability(report), file)


def draw_schedulability(report: SchedulabilityReport, name: str = "schedulability") -> str:
    """Return an `<svg>` element: W by the variable, or the acceptance ratios of a single case."""
    variables = _variables(report)
    title = map_title(report) if len(variables) == 2 else _up(variables)
    with drawing.drawing_style():
        return drawing.to_svg(schedulability_figure(report), name, f"{report.name}: {title}")


def schedulability_figure(report: SchedulabilityReport) -> "Figure":
    """Return the picture; the caller should set the style, as draw_schedulability() does."""
    variables = _variables(report)
    if len(variables) == 2:
        return map_figure(report, variables)
    return _lines(report, variables[0] if variables else None)


def _variables(report: SchedulabilityReport) -> list[str]:
    return list(varied(report.weighted)) if report.weighted else []


def _up(variables: Sequence[str]) -> str:
    return "weighted schedulability" if variables else "acceptance ratio"


def _lines(report: SchedulabilityReport, variable: str | None) -> "Figure":
    from matplotlib.figure import Figure

    lines: dict[str, list[tuple[float, Ratio]]] = {}
    if variable:
        scale, unit = scale_of(report.weighted, variable)
        across = f"{AXES[variable]}{unit}"
        for row in report.weighted:
            lines.setdefault(row.compared, []).append(
                (getattr(row, variable) / scale, row.weighted)
            )
    else:
        across = "utilisation"
        for each in report.acceptance:
            lines.setdefault(each.compared, []).append((each.utilisation, each.ratio))
    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), layout="constrained")
    axes = figure.add_subplot()
    for index, (compared, points) in enumerate(lines.items()):
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
            label=compared,
        )
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(across)
    axes.set_ylabel(_up([variable] if variable else []))
    figure.legend(loc="outside upper left", ncols=4, frameon=False)
    return figure
