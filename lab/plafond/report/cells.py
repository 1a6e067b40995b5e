# SPDX-License-Identifier: MIT
"""The tables of the report, cell by cell: the same in the terminal and on the page."""

from dataclasses import dataclass

from plafond.describe.kernel import Scheduler
from plafond.describe.system import System, Task
from plafond.run.model import Execution
from plafond.trace.measures import Measures, Spread
from plafond.units import format_duration

TEXT_COLUMNS = ("task", "protocol", "verdict")
MAXIMUM_UNDISTURBED = "max*"
TIME_COLUMNS = (
    "protocol",
    "latency avg",
    "max",
    "blocking avg",
    "max",
    "response avg",
    "std",
    "max",
    MAXIMUM_UNDISTURBED,
    "bound",
    "verdict",
)
# How many columns belong together, and what they are called then.
TIME_GROUPS = (
    (1, ""),
    (2, "activation latency"),
    (2, "blocking"),
    (4, "response"),
    (2, "response bound"),
)
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


def time_tables(execution: Execution) -> list[TaskTable]:
    """Return a table for each task, the most urgent first."""
    return [
        TaskTable(
            task.name,
            _describe(execution.system, task) + execution.times,
            tuple(map(_time_cells, _rows(execution, task))),
        )
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
    urgency = f"priority {task.priority}" if system.scheduler is Scheduler.PRIORITY else "EDF"
    return f"{urgency}, CPU {task.cpu}, {deadline}"


def _time_cells(row: Measures) -> tuple[str, ...]:
    return (
        row.protocol,
        *_average_and_maximum(row.latency),
        *_average_and_maximum(row.blocking),
        *_all(row.response),
        _average_and_maximum(row.response_undisturbed)[1],
        "-" if row.response_bound_ns is None else format_duration(row.response_bound_ns),
        row.verdict or "-",
    )


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
