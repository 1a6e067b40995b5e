# SPDX-License-Identifier: MIT
"""Print the report as tables."""

from collections.abc import Iterator, Sequence

from rich.console import Console

from plafond.bench.programs.model import (
    Conditions,
    ExampleTable,
    LockRow,
    OperationRow,
    ProgramRow,
    ProgramsReport,
)
from plafond.bench.tables import noted, print_tables
from plafond.columns import Column
from plafond.rows import Table, each, table

TITLE = "Programs that lock, plain and with the drop-in"
OPERATIONS_TITLE = "Ada: system calls and processor time of a round, plain and with the drop-in"


def print_report(report: ProgramsReport, console: Console | None = None) -> None:
    """Print the conditions, and the tables of the programs, of Ada and of each example."""
    tables = [
        table(TITLE, ProgramRow, report.programs),
        Table(OPERATIONS_TITLE, list(_operations(report.operations))),
        *map(_example_table, report.examples),
    ]
    print_tables(_condition_lines(report.conditions), tables, console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    if c.quick:
        yield "QUICK RUN: few and short runs, a first look and not a result\n"
    yield f"{c.cpu_model}, {c.cpus} CPUs; Linux {c.kernel}; {c.libc}"
    yield from noted(c.notes)


def _operations(rows: Sequence[OperationRow]) -> Iterator[Column]:
    """Yield the columns; each operation has a line plain, and a line with the drop-in."""
    sides = [calls for row in rows for calls in (row.plain, row.drop_in)]
    yield each("operation", (name for row in rows for name in (row.operation, "")), text=True)
    yield each("", ["plain", "drop-in"] * len(rows), text=True)
    yield each("scheduling", (calls.scheduling for calls in sides), "g")
    yield each("futex", (calls.futex for calls in sides), "g")
    yield each("yield", (calls.yields for calls in sides), "g")
    yield each("ns", (ns for row in rows for ns in (row.plain_ns, row.drop_in_ns)), ".0f")
    yield each("ratio", (ratio for row in rows for ratio in (None, row.ratio)), ".2f")


def _example_table(example: ExampleTable) -> Table:
    title = f"{example.program}, under each lock"
    return table(title, LockRow, example.rows, change={"step_ns": {"heading": example.step}})
