# SPDX-License-Identifier: MIT
"""Colours and patterns in a Gantt chart."""

from typing import TYPE_CHECKING, Any

from plafond.report import drawing
from plafond.report.gantt import Gantt
from plafond.report.rows import State

if TYPE_CHECKING:
    from matplotlib.artist import Artist

RESOURCE_COLOURS = (
    drawing.ORANGE,
    drawing.GREEN,
    drawing.PURPLE,
    drawing.SKY,
    drawing.YELLOW,
)
RESOURCE_PATTERNS = ("", "..", "\\\\\\", "xxx")  # after five resources the next pattern
STATES: dict[State, dict[str, Any]] = {
    State.RUNNING: {"facecolor": drawing.BLUE, "linewidth": 0},
    State.BLOCKED: {
        "facecolor": drawing.PAPER,
        "edgecolor": drawing.VERMILION,
        "hatch": "//////",
        "linewidth": 1.0,
    },
    State.KEPT_OUT: {
        "facecolor": drawing.PALE_ORANGE,
        "edgecolor": drawing.VERMILION,
        "linewidth": 1.0,
    },
    State.READY: {"facecolor": drawing.PALE, "linewidth": 0},
    State.OUTSIDE: {
        "facecolor": drawing.PAPER,
        "edgecolor": drawing.GREY,
        "hatch": "....",
        "linewidth": 0.8,
    },
    State.SLEEPING: {
        "facecolor": drawing.PAPER,
        "edgecolor": drawing.GREY,
        "linestyle": ":",
        "linewidth": 0.8,
    },
    State.UNSERVED: {"facecolor": drawing.PAPER, "edgecolor": drawing.GREY, "linewidth": 0.8},
    State.SERVED: {"facecolor": drawing.GREY, "linewidth": 0},
    State.DEPLETED: {
        "facecolor": drawing.PAPER,
        "edgecolor": drawing.GREY,
        "hatch": r"\\\\\\",
        "linewidth": 0.6,
    },
    State.POSTPONED: {
        "facecolor": drawing.PAPER,
        "edgecolor": drawing.VERMILION,
        "hatch": "---",
        "linewidth": 1.0,
    },
    State.OVERRUN: {"facecolor": drawing.VERMILION, "linewidth": 0},
    State.SHUT_OUT: {
        "facecolor": drawing.PALE_ORANGE,
        "edgecolor": drawing.VERMILION,
        "linestyle": ":",
        "linewidth": 0.8,
    },
    State.THREAD: {"facecolor": drawing.INK, "linewidth": 0},
    State.SOFTIRQ: {"facecolor": drawing.GREY, "edgecolor": drawing.INK, "linewidth": 0.8},
    State.INTERRUPT: {"facecolor": drawing.VERMILION, "linewidth": 0},
}
DEADLINE: dict[str, Any] = {"color": drawing.INK, "linestyle": (0, (6, 2, 1, 2)), "linewidth": 1.2}
BOUND: dict[str, Any] = {"color": drawing.INK, "linestyle": (0, (3, 2)), "linewidth": 1.2}


def resources_of(gantt: Gantt) -> list[str]:
    """Return the resources of a chart in the order of their colours."""
    rows = (row for chart in gantt.charts for row in chart.rows)
    return sorted({section.resource for row in rows for section in row.sections})


class Paint:
    """The paint for a picture: a colour for each of its resources."""

    def __init__(self, gantt: Gantt) -> None:
        """Collect the resources and states of the chart."""
        rows = [row for chart in gantt.charts for row in chart.rows]
        self._resources = {name: _resource(i) for i, name in enumerate(resources_of(gantt))}
        self._states = {
            stretch.state
            for row in rows
            for stretch in row.stretches
            if stretch.state is not State.RUNNING or stretch.resource is None
        }
        self._has_replenishments = any(row.is_server and row.arrivals_ns for row in rows)
        self._across_cpus = gantt.across_cpus
        self._has_bound = any(chart.bound_ns is not None for chart in gantt.charts)
        self._has_deadline = any(
            chart.deadline_ns is not None and chart.deadline_ns <= gantt.end_ns
            for chart in gantt.charts
        )

    def running_in(self, resource: str | None) -> dict[str, Any]:
        """Return the style of a running task."""
        return STATES[State.RUNNING] if resource is None else self._resources[resource]

    def legend(self) -> "list[Artist]":
        """Return an entry for everything in the picture."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        entries: list[Artist] = [
            Patch(label=state.value, **STATES[state]) for state in State if state in self._states
        ]
        entries += [
            Patch(
                label=f"section of {name}{', global' if name in self._across_cpus else ''}", **paint
            )
            for name, paint in self._resources.items()
        ]
        entries.append(_mark("^", "arrives"))
        entries.append(_mark("v", "ends"))
        if self._has_replenishments:
            entries.append(_mark("|", "server is replenished", size=9))
        if self._has_bound:
            entries.append(Line2D([], [], label="bound of the response", **BOUND))
        if self._has_deadline:
            entries.append(Line2D([], [], label="deadline", **DEADLINE))
        return entries


def _resource(index: int) -> dict[str, Any]:
    turn, colour = divmod(index, len(RESOURCE_COLOURS))
    pattern = RESOURCE_PATTERNS[turn % len(RESOURCE_PATTERNS)]
    return {
        "facecolor": RESOURCE_COLOURS[colour],
        "edgecolor": drawing.PAPER,
        "hatch": pattern,
        "linewidth": 0,
    }


def _mark(marker: str, label: str, size: float = 4) -> "Artist":
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=drawing.INK, marker=marker, markersize=size, linestyle="none", label=label
    )
