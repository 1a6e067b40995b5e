# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console

from plafond.bench.cells import (
    TARGET_COLUMNS,
    break_even_cells,
    count,
    pair_cells,
    preempted_cells,
    target_cells,
)
from plafond.bench.model import Conditions, LocksReport, Row
from plafond.output import print_table

TEXT_COLUMNS = ("lock", "rival", "arrival", "figure", "verdict")
ROW_COLUMNS = ("lock", "ns median", "min", "max", "system calls", "instructions")


def print_report(report: LocksReport, console: Console | None = None) -> None:
    """Print all tables."""
    console = console or Console(highlight=False)
    print_conditions(console, report.conditions)
    _print_table(console, "Uncontended pair", ROW_COLUMNS, map(_row_cells, report.uncontended))
    _print_table(console, "Two nested pairs", ROW_COLUMNS, map(_row_cells, report.nested))
    _print_table(console, "Wake hook", ROW_COLUMNS, map(_row_cells, report.hook))
    _print_table(
        console,
        "Preempted section: a thread at or below the ceiling arrives",
        ("lock", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        ((row.lock, *preempted_cells(row)) for row in report.preempted),
    )
    _print_table(
        console,
        "Break-even: cheaper up to this share of preempted sections",
        ("lock", "rival", "arrival", "share"),
        map(break_even_cells, report.break_even),
    )
    _print_table(
        console,
        "Uncontended pair with many threads attached and as many mutexes in turn",
        ("threads", *ROW_COLUMNS),
        ((str(row.threads), *_row_cells(row)) for row in report.scaling),
    )
    _print_table(
        console,
        "Figures to reach",
        TARGET_COLUMNS,
        map(target_cells, report.targets),
    )


def print_conditions(console: Console, conditions: Conditions) -> None:
    """Print under which the figures hold."""
    c = conditions
    if c.quick:
        console.print("QUICK RUN: few repetitions, a first look and not a result\n")
    console.print(f"{c.cpu_model}, CPU {c.cpu}, governor {c.governor}; Linux {c.kernel}")
    console.print(f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.repetitions} repetitions")
    console.print(
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority}, ceiling {c.ceiling}; "
        f"empty loop {c.empty_loop_ns:.2f} ns, {count(c.empty_loop_instructions)} instructions"
    )
    for note in c.notes:
        console.print(f"- {note}")


def _print_table(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]
) -> None:
    print_table(console, title, columns, rows, TEXT_COLUMNS)


def _row_cells(row: Row) -> tuple[str, ...]:
    return (row.lock, *pair_cells(row))
