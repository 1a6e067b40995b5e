# SPDX-License-Identifier: MIT
"""The first table: kept deadlines and bounds of each task under each protocol."""

from dataclasses import dataclass
from typing import Annotated

from plafond.report.alike import in_one_line
from plafond.rows import Column, Table, columns_of, duration
from plafond.run.model import Execution
from plafond.trace.measures import Measures
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration
from plafond.words import NO_BOUND_YET


def left_words(left: float) -> str:
    """Return a share of a bound or deadline in percent, rounded to a tenth or to two significant
    digits."""
    percent = 100 * left
    return f"{percent:.1f}%" if abs(percent) >= 10 else f"{percent:.2g}%"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task under a protocol."""

    task: Annotated[str, Column("task")]
    protocol: Annotated[str, Column("protocol")]
    missed: Annotated[str | None, Column("missed", missing="-", is_text=False)]
    deadline_ns: Annotated[int | None, duration("deadline")]
    longest_ns: Annotated[int | None, duration("longest")]
    bound: Annotated[str, Column("bound", is_text=False)]
    left: Annotated[float | None, Column("left", format=left_words, missing="-")]
    verdict: Annotated[Verdict | None, Column("verdict", missing="-")]


def summary_table(execution: Execution) -> Table:
    """Return a line for each task and protocol, or for each task if its protocols all agree."""
    report, tasks = execution.report, execution.system.tasks
    rows = [_outcome(row) for task in tasks for row in report.rows if row.task == task.name]
    columns = columns_of(Outcome, rows)
    return Table("Deadlines and bounds", in_one_line(columns, len(execution.traces)))


def _outcome(row: Measures) -> Outcome:
    longest_ns = row.response.maximum_ns if row.response else None
    bound_ns = row.judged_bound_ns
    known = "-" if bound_ns is None else format_duration(bound_ns)
    return Outcome(
        task=row.task,
        protocol=row.protocol,
        missed=None if row.deadline_ns is None else f"{row.deadline_misses} of {row.activations}",
        deadline_ns=row.deadline_ns,
        longest_ns=longest_ns if row.compared_ns is None else row.compared_ns,
        bound=NO_BOUND_YET if row.no_bound_yet else known,
        left=row.left,
        verdict=row.verdict,
    )
