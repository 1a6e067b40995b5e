# SPDX-License-Identifier: MIT
"""Print the report as tables."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.model import BreakEven
from plafond.bench.pthread.model import PathRow, PreemptedRow, ProgramRow, PthreadReport
from plafond.bench.table import condition_lines
from plafond.bench.tables import noted, print_tables, targets_table
from plafond.rows import Table, table


def print_report(report: PthreadReport, console: Console | None = None) -> None:
    """Print all tables; the commands of the programs follow the table of programs."""
    console = console or Console(highlight=False)
    print_tables(condition_lines(report.conditions), _tables(report), console)
    print_tables(
        noted(f"{row.program}: {row.command}" for row in report.programs),
        [targets_table(report.targets, "{:.2f}".format)],
        console,
    )


def _tables(report: PthreadReport) -> Iterator[Table]:
    yield table("Uncontended pair, plain and with the drop-in", PathRow, report.rows)
    yield table(
        "Preempted section, plain and with the drop-in: a thread at or below the ceiling arrives",
        PreemptedRow,
        report.preempted,
    )
    yield table(
        "Break-even with the drop-in: cheaper up to this share of preempted sections",
        BreakEven,
        report.break_even,
        change={"lock": {"heading": "path"}},
    )
    yield table("Whole programs without ceilings: preloaded / plain", ProgramRow, report.programs)
