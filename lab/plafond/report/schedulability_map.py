# SPDX-License-Identifier: MIT
"""Maps of a study with two variables: the best alternatives, and their W."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plafond.report import drawing
from plafond.report.drawing import (
    BRIGHT_LETTERS,
    DARK_LETTERS,
    LINE_COLOURS,
    PALE,
    PAPER,
    SKY,
    WIDTH_IN,
)
from plafond.studies.cases import best_in_words, columns_by_variable
from plafond.studies.model import BestRow, CaseRow, SchedulabilityReport
from plafond.units import UNIT_NS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES = {
    "cache_ns": "cache delay of a job",
    "overhead_ns": "overhead of a job",
    "section_ns": "length of sections",
    "share": "share of the resources that a task uses",
    "budget": "budgets of all servers, as a share of the CPU",
}
CELL_IN, FRAME_IN = 0.36, 1.5


def scale_of(rows: Sequence[CaseRow], variable: str) -> tuple[float, str]:
    """Return the divisor of values on an axis, and the unit."""
    if not variable.endswith("_ns"):
        return 1, ""
    unit = drawing.axis_unit(max(getattr(row, variable) for row in rows))
    return UNIT_NS[unit], f", {unit}"


def map_figure(report: SchedulabilityReport, variables: Sequence[str]) -> "Figure":
    """Return the best alternatives on the left, their W on the right, without a style."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    up, across = variables
    columns = columns_by_variable(report.best)
    heads, sides = (list(dict.fromkeys(columns[name].cells)) for name in (across, up))
    names = list(dict.fromkeys(row.compared for row in report.weighted))
    winners = [each for each in names if any(row.best == [each] for row in report.best)]
    colours = {each: LINE_COLOURS[n % len(LINE_COLOURS)] for n, each in enumerate(winners)}
    height_in = FRAME_IN + CELL_IN * len(sides)
    figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for place, row in enumerate(report.best):
        at = (place % len(heads), place // len(heads))
        _fill(left, at, _colour(row, colours), _margin(row))
        _fill(right, at, _shade(row.weighted), f"{row.weighted:.2f}")
    left.set_title("the largest W, and by how much", fontsize=drawing.FONT_SIZE, loc="left")
    right.set_title("W of it", fontsize=drawing.FONT_SIZE, loc="left")
    for axes in (left, right):
        axes.set(xlim=(-0.5, len(heads) - 0.5), ylim=(-0.5, len(sides) - 0.5))
        axes.set_xticks(range(len(heads)), heads)
        axes.set_yticks(range(len(sides)), sides)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel(AXES[across])
    left.set_ylabel(AXES[up])
    patches = [Patch(facecolor=colours[each], label=each) for each in winners]
    if any(len(row.best) > 1 for row in report.best):
        patches.append(Patch(facecolor=PALE, label="several are equal"))
    figure.legend(handles=patches, loc="outside upper left", ncols=6, frameon=False)
    return figure


def map_title(report: SchedulabilityReport) -> str:
    """Return how many cases each alternative wins, in words."""
    counts: dict[str, int] = {}
    for row in report.best:
        counts[best_in_words(row)] = counts.get(best_in_words(row), 0) + 1
    return ", ".join(f"{each} in {count} cases" for each, count in counts.items())


def _colour(row: BestRow, colours: dict[str, str]) -> str:
    return colours[row.best[0]] if len(row.best) == 1 else PALE


def _margin(row: BestRow) -> str:
    """The lead of the best alternative, or the number of equals."""
    return f"{len(row.best)} equal" if len(row.best) > 1 else f"+{row.margin or 0:.3f}"


def _shade(weighted: float) -> str:
    """Return a colour between white and a blue that is bright enough for dark letters."""
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    return to_hex(LinearSegmentedColormap.from_list("W", [PAPER, SKY])(weighted))


def _fill(axes: "Axes", at: tuple[int, int], colour: str, text: str) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    axes.add_patch(
        Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1)
    )
    letters = BRIGHT_LETTERS if _is_dark(colour) else DARK_LETTERS
    axes.text(x, y, text, ha="center", va="center", color=letters, fontsize=8)


def _is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue < 128_000
