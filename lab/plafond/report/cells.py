# SPDX-License-Identifier: MIT
"""The tables of the report, cell by cell: the same in the terminal and on the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from plafond.describe.reservation import BEFORE_ALL
from plafond.describe.system import System, Task
from plafond.run.model import Execution
from plafond.trace.measures import Measures, Spread
from plafond.units import format_duration
from plafond.words import NO_BOUND_YET

TEXT_COLUMNS = ("task", "protocol", "verdict")
OF_STOPS = ("no stops", "stopped")
TIME_COLUMNS = (
    "protocol",
    "latency avg",
    "max",
    "blocking avg",
    "max",
    "response avg",
    "std",
    "max",
    *OF_STOPS,
    "bound",
    "with overheads",
    "ratio",
    "verdict",
)
# What begins at these columns, and what it is called then.
TIME_GROUPS = {
    "protocol": "",
    "latency avg": "activation latency",
    "blocking avg": "blocking",
    "response avg": "response",
    "bound": "response bound",
}
COUNT_COLUMNS = (
    "task",
    "protocol",
    "activations",
    "skipped",
    "deadline misses",
    "context switches",
    "lock system calls",
)


@dataclass(frozen=True)
class TaskTable:
    """The times of one task, a line a protocol."""

    task: str
    description: str
    lines: tuple[tuple[str, ...], ...]


def time_columns(execution: Execution) -> list[str]:
    """Return what the columns are called: where nothing can stop, none is of stops."""
    return _shown(execution, TIME_COLUMNS)


def time_groups(execution: Execution) -> list[tuple[str, int]]:
    """Return what columns that belong together are called, and how many they are."""
    columns = time_columns(execution)
    begins = [index for index, column in enumerate(columns) if column in TIME_GROUPS]
    return [
        (TIME_GROUPS[columns[begin]], end - begin)
        for begin, end in pairwise([*begins, len(columns)])
    ]


def time_tables(execution: Execution) -> list[TaskTable]:
    """Return a table for each task, the most urgent first."""
    return [
        TaskTable(
            task.name,
            _describe(execution.system, task) + execution.times,
            tuple(tuple(_shown(execution, _time_cells(row))) for row in _rows(execution, task)),
        )
        for task in execution.system.tasks
    ]


def _shown(execution: Execution, cells: Sequence[str]) -> list[str]:
    """Return those of all columns that say something."""
    has_host = execution.report.has_host
    return [
        cell
        for column, cell in zip(TIME_COLUMNS, cells, strict=True)
        if has_host or column not in OF_STOPS
    ]


def ratio_lines(execution: Execution) -> list[tuple[str, ...]]:
    """Return the ratios of each task under each protocol, in the order of the run."""
    return [
        (task.name, *(_ratio(row) for row in _rows(execution, task)))
        for task in execution.system.tasks
    ]


def count_lines(execution: Execution) -> list[tuple[str, ...]]:
    """Return the counts of each task and protocol; the task is named in its first line."""
    return [
        (task.name if index == 0 else "", *_count_cells(row))
        for task in execution.system.tasks
        for index, row in enumerate(_rows(execution, task))
    ]


def _rows(execution: Execution, task: Task) -> list[Measures]:
    return [row for row in execution.report.rows if row.task == task.name]


def _describe(system: System, task: Task) -> str:
    deadline = "no deadline"
    if task.deadline_ns is not None:
        deadline = f"deadline {format_duration(task.deadline_ns)}"
    return f"{_urgency(system, task)}, CPU {task.cpu}, {deadline}"


def _urgency(system: System, task: Task) -> str:
    if task.priority == BEFORE_ALL:
        return f"in the reservation {task.server}"
    return f"priority {task.priority}" if system.scheduler.has_priorities else "EDF"


def _time_cells(row: Measures) -> tuple[str, ...]:
    return (
        row.protocol,
        *_average_and_maximum(row.latency),
        *_average_and_maximum(row.blocking),
        *_all(row.response),
        _average_and_maximum(row.response_without_stops)[1],
        str(row.stopped),
        _bound(row, row.response_bound_ns, digits=4),
        # Overheads may be a thousandth.
        _bound(row, row.response_bound_with_overheads_ns, digits=6),
        _ratio(row),
        row.verdict or "-",
    )


def _ratio(row: Measures) -> str:
    return "-" if row.ratio is None else f"{row.ratio:.4f}"


def _bound(row: Measures, bound_ns: int | None, digits: int) -> str:
    if bound_ns is not None:
        return format_duration(bound_ns, digits)
    return NO_BOUND_YET if row.no_bound_yet else "-"


def _count_cells(row: Measures) -> tuple[str, ...]:
    return (
        row.protocol,
        str(row.activations),
        str(row.skipped),
        str(row.deadline_misses),
        "cut off" if row.context_switches is None else str(row.context_switches),
        "not counted" if row.lock_calls is None else str(row.lock_calls),
    )


def _average_and_maximum(spread: Spread | None) -> tuple[str, str]:
    average, _, maximum = _all(spread)
    return average, maximum


def _all(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return ("-", "-", "-")
    times = (spread.average_ns, spread.deviation_ns, spread.maximum_ns)
    average, deviation, maximum = map(format_duration, times)
    return average, deviation, maximum
