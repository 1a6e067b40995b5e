# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console

from plafond.bench.model import BreakEven, Conditions, LocksReport, PreemptedRow, Row, Target
from plafond.output import print_table

TEXT_COLUMNS = ("lock", "rival", "arrival", "figure", "verdict")
ROW_COLUMNS = ("lock", "ns median", "min", "max", "system calls", "instructions")


def print_report(report: LocksReport, console: Console | None = None) -> None:
    """Print all tables."""
    console = console or Console(highlight=False)
    _print_conditions(console, report.conditions)
    _print_table(console, "Uncontended pair", ROW_COLUMNS, map(_row_cells, report.uncontended))
    _print_table(console, "Two nested pairs", ROW_COLUMNS, map(_row_cells, report.nested))
    _print_table(console, "Wake hook", ROW_COLUMNS, map(_row_cells, report.hook))
    _print_table(
        console,
        "Preempted section: a thread at or below the ceiling arrives",
        ("lock", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        map(_preempted_cells, report.preempted),
    )
    _print_table(
        console,
        "Break-even: cheaper up to this share of preempted sections",
        ("lock", "rival", "arrival", "share"),
        map(_break_even_cells, report.break_even),
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
        ("figure", "value", "at most", "verdict"),
        map(_target_cells, report.targets),
    )


def _print_conditions(console: Console, conditions: Conditions) -> None:
    c = conditions
    if c.quick:
        console.print("QUICK RUN: few repetitions, a first look and not a result\n")
    console.print(f"{c.cpu_model}, CPU {c.cpu}, governor {c.governor}; Linux {c.kernel}")
    console.print(f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.repetitions} repetitions")
    console.print(
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority}, ceiling {c.ceiling}; "
        f"empty loop {c.empty_loop_ns:.2f} ns, {_count(c.empty_loop_instructions)} instructions"
    )
    for note in c.notes:
        console.print(f"- {note}")


def _print_table(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]
) -> None:
    print_table(console, title, columns, rows, TEXT_COLUMNS)


def _row_cells(row: Row) -> tuple[str, ...]:
    counts = (_count(row.system_calls), _count(row.instructions))
    return (row.lock, *_times(row), *counts)


def _preempted_cells(row: PreemptedRow) -> tuple[str, ...]:
    counts = (_count(row.system_calls), _count(row.context_switches))
    return (row.lock, row.arrival.value, *_times(row), *counts)


def _times(row: Row | PreemptedRow) -> tuple[str, str, str]:
    return (_ns(row.ns_median), _ns(row.ns_min), _ns(row.ns_max))


def _break_even_cells(row: BreakEven) -> tuple[str, ...]:
    return (row.lock, row.rival, row.arrival.value, _share(row.share))


def _target_cells(target: Target) -> tuple[str, ...]:
    verdict = {True: "reached", False: "not reached", None: ""}[target.reached]
    value = "not counted" if target.value is None else f"{target.value:.2f}"
    return (target.name, value, "" if target.limit is None else f"{target.limit:g}", verdict)


def _ns(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _count(value: float | None) -> str:
    return "not counted" if value is None else f"{value:.4g}"


def _share(share: float | None) -> str:
    words = {1.0: "always", 0.0: "never", None: "only above some share"}
    return words.get(share) or f"{share:.1%}"
