# SPDX-License-Identifier: MIT
"""Figures 2 to 4 of OSPERT 2010, 4: delays by working set, length and number of tasks."""

from pathlib import Path
from typing import TYPE_CHECKING

from plafond.bench.cpmd.caches import KIB, PREEMPTION, through
from plafond.bench.cpmd.model import CpmdReport, KindRow
from plafond.bench.cpmd.plan import PAPER_RATIO, Load
from plafond.bench.cpmd.tasks_report import TasksReport
from plafond.report import drawing
from plafond.report.drawing import LINE_COLOURS, MARKERS, WIDTH_IN
from plafond.units import UNIT_NS, format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT_IN = 6.5
SCATTER_HEIGHT_IN = 3.6
# Insets as in the paper. Rows: largest, average. Columns: under load, idle.
INSETS = (
    ("(a) largest, under load", Load.POLLUTED, False),
    ("(b) largest, idle", Load.IDLE, False),
    ("(c) average, under load", Load.POLLUTED, True),
    ("(d) average, idle", Load.IDLE, True),
)
LINEAR_US = 0.1  # the axis is linear around 0, because delays may be negative


def write_figures(report: CpmdReport, folder: Path) -> None:
    """Draw figure-2.svg, and figure-3.svg if its samples were taken; ArgumentError on failure."""
    drawing.write_picture(draw_sizes(report), folder / "figure-2.svg")
    if report.points:
        drawing.write_picture(draw_lengths(report), folder / "figure-3.svg")


def draw_sizes(report: CpmdReport) -> str:
    """Return Figure 2."""
    from matplotlib.figure import Figure

    rows = [row for row in report.rows if row.write_ratio == str(PAPER_RATIO)]
    kinds = list(dict.fromkeys(row.kind for row in rows))
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), layout="constrained")
        grid = figure.subplots(2, 2, sharex=True)
        for axes, (title, load, is_average) in zip(grid.flat, INSETS, strict=True):
            axes.set_title(title, loc="left")
            for index, kind in enumerate(kinds):
                own = [row for row in rows if row.load is load and row.kind == kind]
                _draw_line(axes, own, is_average, index)
            _set_axes(axes, [row for row in rows if row.load is load], is_average)
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=4, frameon=False)
        return drawing.to_svg(figure, "cpmd-sizes", "Cache-related delay by working set")


def _draw_line(axes: "Axes", rows: list[KindRow], is_average: bool, index: int) -> None:
    us = UNIT_NS["us"]
    axes.errorbar(
        [row.size_bytes / KIB for row in rows],
        [(row.mean_ns if is_average else row.largest_ns) / us for row in rows],
        yerr=[row.deviation_ns / us for row in rows] if is_average else None,
        color=LINE_COLOURS[index % len(LINE_COLOURS)],
        marker=MARKERS[index % len(MARKERS)],
        markersize=3.5,
        linewidth=1,
        capsize=2,
        label=rows[0].kind if rows else "",
    )


def _set_axes(axes: "Axes", rows: list[KindRow], is_average: bool) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xscale("log", base=2)
    sizes = sorted({row.size_bytes / KIB for row in rows})
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.set_yscale("symlog", linthresh=LINEAR_US)
    lowest = [row.mean_ns - row.deviation_ns if is_average else row.largest_ns for row in rows]
    highest = [row.mean_ns + row.deviation_ns if is_average else row.largest_ns for row in rows]
    if all(end >= 0 for end in lowest):
        axes.set_ylim(0, 2 * max(highest, default=1) / UNIT_NS["us"])
    axes.set_xlabel("working set, KiB")
    axes.set_ylabel("delay, us")


def draw_lengths(report: CpmdReport) -> str:
    """Return Figure 3: a picture for each kind of the paper that was measured, else for all
    kinds."""
    from matplotlib.figure import Figure

    found = list(dict.fromkeys(point.kind for point in report.points))
    kinds = [kind for kind in (PREEMPTION, through(3)) if kind in found] or found
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, SCATTER_HEIGHT_IN), layout="constrained")
        grid = figure.subplots(1, len(kinds), sharey=True, squeeze=False)
        for axes, kind in zip(grid.flat, kinds, strict=True):
            own = [point for point in report.points if point.kind == kind]
            axes.scatter(
                [point.away_ns / UNIT_NS["ms"] for point in own],
                [point.delay_ns / UNIT_NS["us"] for point in own],
                s=3,
                color=LINE_COLOURS[0],
                rasterized=len(own) > 1000,
            )
            axes.set_title(kind, loc="left")
            axes.spines[["top", "right"]].set_visible(False)
            axes.set_xlabel("length of the preemption, ms")
            axes.set_ylabel("delay, us")
        return drawing.to_svg(figure, "cpmd-lengths", "Cache-related delay by preemption length")


def write_tasks_figure(report: TasksReport, folder: Path) -> None:
    """Draw figure-4.svg; PlafondError on failure."""
    drawing.write_picture(draw_task_counts(report), folder / "figure-4.svg")


def draw_task_counts(report: TasksReport) -> str:
    """Return Figure 4: the largest delay by number of tasks of the CPU, for each load and size."""
    from matplotlib.figure import Figure

    lines = sorted({(row.load, row.size_bytes) for row in report.rows}, reverse=True)
    with drawing.drawing_style():
        figure = Figure(figsize=(WIDTH_IN, SCATTER_HEIGHT_IN), layout="constrained")
        axes = figure.add_subplot()
        for index, (load, size_bytes) in enumerate(lines):
            largest: dict[int, int] = {}
            for row in report.rows:
                if (row.load, row.size_bytes) == (load, size_bytes):
                    so_far = largest.get(row.task_count, row.largest_ns)
                    largest[row.task_count] = max(so_far, row.largest_ns)
            axes.plot(
                sorted(largest),
                [largest[count] / UNIT_NS["us"] for count in sorted(largest)],
                color=LINE_COLOURS[index % len(LINE_COLOURS)],
                marker=MARKERS[index % len(MARKERS)],
                markersize=3.5,
                linewidth=1,
                label=f"{format_size(size_bytes)}, {load}",
            )
        axes.spines[["top", "right"]].set_visible(False)
        highest = max((row.largest_ns for row in report.rows), default=0)
        axes.set_ylim(0, max(1.0, 1.1 * highest / UNIT_NS["us"]))
        axes.set_xlabel("tasks of the CPU")
        axes.set_ylabel("largest delay, us")
        if lines:
            figure.legend(loc="outside upper left", ncols=4, frameon=False)
        return drawing.to_svg(figure, "cpmd-tasks", "Largest cache-related delay by tasks")
