# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console

from plafond.bench.cells import (
    TARGET_COLUMNS,
    break_even_cells,
    pair_cells,
    preempted_cells,
    target_cells,
)
from plafond.bench.pthread.model import ProgramRow, PthreadReport
from plafond.bench.table import print_conditions
from plafond.output import print_table

TEXT_COLUMNS = ("path", "rival", "arrival", "program", "noise", "figure", "verdict")


def print_report(report: PthreadReport, console: Console | None = None) -> None:
    """Print all tables."""
    console = console or Console(highlight=False)
    print_conditions(console, report.conditions)
    _print(
        console,
        "Uncontended pair, plain and with the drop-in",
        ("path", "ns median", "min", "max", "system calls", "instructions"),
        ((row.path, *pair_cells(row)) for row in report.rows),
    )
    _print(
        console,
        "Preempted section, plain and with the drop-in: a thread at or below the ceiling arrives",
        ("path", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        ((row.path, *preempted_cells(row)) for row in report.preempted),
    )
    _print(
        console,
        "Break-even with the drop-in: cheaper up to this share of preempted sections",
        ("path", "rival", "arrival", "share"),
        map(break_even_cells, report.break_even),
    )
    _print(
        console,
        "Whole programs without ceilings: preloaded / plain",
        ("program", "pairs", "s plain", "s preloaded", "ratio", "noise from", "to", "verdict"),
        map(_program_cells, report.programs),
    )
    for row in report.programs:
        console.print(f"- {row.program}: {row.command}")
    _print(
        console,
        "Figures to reach",
        TARGET_COLUMNS,
        map(target_cells, report.targets),
    )


def _print(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]
) -> None:
    print_table(console, title, columns, rows, TEXT_COLUMNS)


def _program_cells(row: ProgramRow) -> tuple[str, ...]:
    seconds = (f"{row.plain_s:.3f}", f"{row.preloaded_s:.3f}")
    ratios = (f"{row.ratio:.3f}", f"{row.ratio_low:.3f}", f"{row.ratio_high:.3f}")
    verdict = "within" if row.within_noise else "outside"
    return (row.program, str(row.pairs), *seconds, *ratios, verdict)
