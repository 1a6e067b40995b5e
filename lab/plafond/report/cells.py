# SPDX-License-Identifier: MIT
"""The tables of the report, cell by cell; the terminal and the page show the same."""

from collections.abc import Sequence
from itertools import pairwise

from plafond.columns import Column
from plafond.describe.server import BEFORE_ALL
from plafond.describe.system import System, Task
from plafond.report.alike import once
from plafond.rows import Table, columns_of, each
from plafond.run.model import Execution
from plafond.trace.measures import Measures
from plafond.units import format_duration

RATIOS = "Ratios: the longest response without stops over the bound with overheads"
# COUNTS and TIMES are fields of Measures that are counts and times; each table omits the others.
COUNTS = ("activations", "skipped", "deadline_misses", "context_switches", "lock_calls")
TIMES = (
    *("latency", "blocking", "response", "response_without_stops", "stopped"),
    *("response_bound_ns", "response_bound_with_overheads_ns", "ratio", "verdict"),
)
OF_STOPS = ("response_without_stops", "stopped")
# From the first column of a group to the group's heading.
TIME_GROUPS = {
    "protocol": "",
    "latency avg": "activation latency",
    "blocking avg": "blocking",
    "response avg": "response",
    "bound": "response bound",
}


def time_groups(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """Return the heading and the size of each group of columns."""
    begins = [place for place, column in enumerate(columns) if column.heading in TIME_GROUPS]
    return [
        (TIME_GROUPS[columns[begin].heading], end - begin)
        for begin, end in pairwise([*begins, len(columns)])
    ]


def time_tables(execution: Execution) -> list[Table]:
    """Return a table for each task, the most urgent first, without stops if nothing can stop."""
    without = COUNTS if execution.report.has_host else (*COUNTS, *OF_STOPS)
    return [
        Table(
            task.name,
            columns_of(Measures, _rows(execution, task), without=without),
            _describe(execution.system, task) + execution.times,
        )
        for task in execution.system.tasks
    ]


def ratio_table(execution: Execution) -> Table:
    """Return the ratios of each task under each protocol, in the order of the run."""
    rows = [_rows(execution, task) for task in execution.system.tasks]
    names = each("task", (task.name for task in execution.system.tasks), text=True)
    ratios = (
        each(protocol, (_ratio(several[place]) for several in rows))
        for place, protocol in enumerate(execution.traces)
    )
    return Table(RATIOS, [names, *ratios])


def count_table(execution: Execution) -> Table:
    """Return the counts of each task and protocol; a task is named in its first line."""
    rows = [row for task in execution.system.tasks for row in _rows(execution, task)]
    names = each("task", once(row.task for row in rows), text=True)
    return Table("Counts", [names, *columns_of(Measures, rows, without=TIMES)])


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


def _ratio(row: Measures) -> str:
    return "-" if row.ratio is None else f"{row.ratio:.4f}"
