# SPDX-License-Identifier: MIT
"""The report as a table for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.programs.model import Conditions, ProgramRow, ProgramsReport
from plafond.bench.tables import Table, noted, print_tables

TITLE = "Programs that lock, plain and with the drop-in"
COLUMNS = ("program", "counted", "pairs", "plain", "drop-in", "ratio", "min", "max")


def print_report(report: ProgramsReport, console: Console | None = None) -> None:
    """Print the conditions, and a row for each program."""
    table = Table(TITLE, COLUMNS, map(_cells, report.programs), ("program", "counted"))
    print_tables(_condition_lines(report.conditions), [table], console)


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
