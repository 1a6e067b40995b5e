# SPDX-License-Identifier: MIT
"""Which task kept its deadline and its bound under which protocol: the first table."""

from collections.abc import Iterator

from plafond.describe.system import Task
from plafond.report.alike import names_of
from plafond.run.model import Execution
from plafond.trace.measures import Measures
from plafond.units import format_duration
from plafond.words import NO_BOUND_YET

SUMMARY_COLUMNS = (
    "task",
    "protocol",
    "missed",
    "deadline",
    "longest",
    "bound",
    "left",
    "verdict",
)


def summary_lines(execution: Execution) -> list[tuple[str, ...]]:
    """Return a line for each task and protocol; one for all protocols, where all agree."""
    return [line for task in execution.system.tasks for line in lines_of(execution, task)]


def lines_of(execution: Execution, task: Task) -> Iterator[tuple[str, ...]]:
    """Yield the lines of one task; the first names it."""
    rows = [row for row in execution.report.rows if row.task == task.name]
    cells = {row.protocol: _cells(row) for row in rows}
    if len(set(cells.values())) == 1:
        cells = {names_of(list(cells), len(cells)): _cells(rows[0])}
    name = task.name
    for protocols, figures in cells.items():
        yield (name, protocols, *figures)
        name = ""


def left_words(left: float) -> str:
    """Say a share of a bound or deadline in percent, with two digits that matter."""
    percent = 100 * left
    return f"{percent:.1f}%" if abs(percent) >= 10 else f"{percent:.2g}%"


def _cells(row: Measures) -> tuple[str, ...]:
    quiet = row.response_without_stops or row.response
    return (
        "-" if row.deadline_ns is None else f"{row.deadline_misses} of {row.activations}",
        _duration(row.deadline_ns),
        _duration(quiet.maximum_ns if quiet else None),
        NO_BOUND_YET if row.no_bound_yet else _duration(row.judged_bound_ns),
        "-" if row.left is None else left_words(row.left),
        row.verdict or "-",
    )


def _duration(time_ns: int | None) -> str:
    return "-" if time_ns is None else format_duration(time_ns)
