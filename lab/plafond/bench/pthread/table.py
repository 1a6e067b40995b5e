# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.cells import break_even_cells, named, pair_cells, preempted_cells
from plafond.bench.pthread.model import ProgramRow, PthreadReport
from plafond.bench.table import condition_lines
from plafond.bench.tables import Table, noted, print_tables, targets_table

TEXT_COLUMNS = ("path", "rival", "arrival", "program", "noise", "verdict")


def print_report(report: PthreadReport, console: Console | None = None) -> None:
    """Print all tables; below that of the programs, their commands."""
    console = console or Console(highlight=False)
    print_tables(condition_lines(report.conditions), _tables(report), console)
    print_tables(
        noted(f"{row.program}: {row.command}" for row in report.programs),
        [targets_table(report.targets, "{:.2f}".format)],
        console,
    )


def _tables(report: PthreadReport) -> Iterator[Table]:
    yield Table(
        "Uncontended pair, plain and with the drop-in",
        ("path", "ns median", "min", "max", "system calls", "instructions"),
        ((named(row.path, row), *pair_cells(row)) for row in report.rows),
        TEXT_COLUMNS,
    )
    yield Table(
        "Preempted section, plain and with the drop-in: a thread at or below the ceiling arrives",
        ("path", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        ((named(row.path, row), *preempted_cells(row)) for row in report.preempted),
        TEXT_COLUMNS,
    )
    yield Table(
        "Break-even with the drop-in: cheaper up to this share of preempted sections",
        ("path", "rival", "arrival", "share"),
        map(break_even_cells, report.break_even),
        TEXT_COLUMNS,
    )
    yield Table(
        "Whole programs without ceilings: preloaded / plain",
        ("program", "pairs", "s plain", "s preloaded", "ratio", "noise from", "to", "verdict"),
        map(_program_cells, report.programs),
        TEXT_COLUMNS,
    )


def _program_cells(row: ProgramRow) -> tuple[str, ...]:
    seconds = (f"{row.plain_s:.3f}", f"{row.preloaded_s:.3f}")
    ratios = (f"{row.ratio:.3f}", f"{row.ratio_low:.3f}", f"{row.ratio_high:.3f}")
    verdict = "within" if row.within_noise else "outside"
    return (row.program, str(row.pairs), *seconds, *ratios, verdict)
