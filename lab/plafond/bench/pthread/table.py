# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console

from plafond.bench.cells import TARGET_COLUMNS, count, ns, share, target_cells
from plafond.bench.model import BreakEven
from plafond.bench.pthread.model import PathRow, PreemptedRow, ProgramRow, PthreadReport
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
        map(_row_cells, report.rows),
    )
    _print(
        console,
        "Preempted section, plain and with the drop-in: a thread at or below the ceiling arrives",
        ("path", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        map(_preempted_cells, report.preempted),
    )
    _print(
        console,
        "Break-even with the drop-in: cheaper up to this share of preempted sections",
        ("path", "rival", "arrival", "share"),
        map(_break_even_cells, report.break_even),
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


def _row_cells(row: PathRow) -> tuple[str, ...]:
    return (row.path, *_times(row), count(row.system_calls), count(row.instructions))


def _preempted_cells(row: PreemptedRow) -> tuple[str, ...]:
    counts = (count(row.system_calls), count(row.context_switches))
    return (row.path, row.arrival.value, *_times(row), *counts)


def _times(row: PathRow | PreemptedRow) -> tuple[str, str, str]:
    return (ns(row.ns_median), ns(row.ns_min), ns(row.ns_max))


def _break_even_cells(row: BreakEven) -> tuple[str, ...]:
    return (row.lock, row.rival, row.arrival.value, share(row.share))


def _program_cells(row: ProgramRow) -> tuple[str, ...]:
    seconds = (f"{row.plain_s:.3f}", f"{row.preloaded_s:.3f}")
    ratios = (f"{row.ratio:.3f}", f"{row.ratio_low:.3f}", f"{row.ratio_high:.3f}")
    verdict = "within" if row.within_noise else "outside"
    return (row.program, str(row.pairs), *seconds, *ratios, verdict)
