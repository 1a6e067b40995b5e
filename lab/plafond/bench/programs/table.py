# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.programs.model import (
    Conditions,
    ExampleTable,
    OperationRow,
    ProgramRow,
    ProgramsReport,
)
from plafond.bench.tables import Table, noted, print_tables

TITLE = "Programs that lock, plain and with the drop-in"
COLUMNS = ("program", "counted", "pairs", "plain", "drop-in", "ratio", "min", "max")
OPERATIONS_TITLE = "Ada: system calls and processor time of a round, plain and with the drop-in"
OPERATIONS_COLUMNS = ("operation", "", "scheduling", "futex", "yield", "ns", "ratio")
LOCK_COLUMNS = ("lock", "callbacks", "missed", "worst wait us", "scheduling calls a callback")


def print_report(report: ProgramsReport, console: Console | None = None) -> None:
    """Print the conditions, and the tables of the programs, of Ada and of each example."""
    operations = (cells for row in report.operations for cells in _operation_cells(row))
    tables = [
        Table(TITLE, COLUMNS, map(_cells, report.programs), ("program", "counted")),
        Table(OPERATIONS_TITLE, OPERATIONS_COLUMNS, operations, ("operation", "")),
        *map(_example_table, report.examples),
    ]
    print_tables(_condition_lines(report.conditions), tables, console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    if c.quick:
        yield "QUICK RUN: few and short runs, a first look and not a result\n"
    yield f"{c.cpu_model}, {c.cpus} CPUs; Linux {c.kernel}; {c.libc}"
    yield from noted(c.notes)


def _cells(row: ProgramRow) -> tuple[str, ...]:
    ratios = (f"{row.ratio:.3f}", f"{row.ratio_min:.3f}", f"{row.ratio_max:.3f}")
    return (
        row.program,
        row.counted,
        str(row.pairs),
        f"{row.plain:.0f}",
        f"{row.drop_in:.0f}",
        *ratios,
    )


def _operation_cells(row: OperationRow) -> Iterator[tuple[str, ...]]:
    """Return a line for how it is plain, and one for how it is with the drop-in."""
    sides = (
        (row.operation, "plain", row.plain, row.plain_ns, ""),
        ("", "drop-in", row.drop_in, row.drop_in_ns, f"{row.ratio:.2f}"),
    )
    for name, side, calls, ns, ratio in sides:
        counts = (f"{n:g}" for n in (calls.scheduling, calls.futex, calls.yields))
        yield (name, side, *counts, f"{ns:.0f}", ratio)


def _example_table(table: ExampleTable) -> Table:
    rows = (
        (
            row.lock,
            str(row.callbacks),
            str(row.missed),
            str(row.worst_wait_us),
            f"{row.scheduling:.2f}",
            str(row.step_ns),
        )
        for row in table.rows
    )
    return Table(f"{table.program}, under each lock", (*LOCK_COLUMNS, table.step), rows, ("lock",))
