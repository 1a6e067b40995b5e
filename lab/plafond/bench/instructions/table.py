# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond import rows
from plafond.bench.instructions.model import (
    Conditions,
    DropInRow,
    FunctionRow,
    InstructionsReport,
    KernelRow,
    PreemptedRow,
    SavingRow,
    WayRow,
)
from plafond.bench.tables import Table, noted, print_tables, targets_table

TEXT_COLUMNS = (
    "lock",
    "arrival",
    "its priority",
    "it works",
    "threads",
    "version",
    "function",
    "saved of",
    "mutex",
)


def print_report(report: InstructionsReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    yield f"Emulated: Linux {c.kernel}, one CPU"
    yield f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.samples} samples"
    yield (
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority} or at the ceiling, "
        f"ceiling {c.ceiling}"
    )
    yield from noted(c.notes)
    unstable = "no figure" if c.unstable == 0 else f"{c.unstable} figures"
    yield f"- The median differs from the least in {unstable}."


def _tables(report: InstructionsReport) -> Iterator[Table | rows.Table]:
    yield Table(
        "The ways to lock: uncontended, a thread arrives, cost to others (instructions)",
        ("lock", "pair", "3 nested", "arrival locks", "passes by", "others' __schedule"),
        map(_way_cells, report.ways),
        TEXT_COLUMNS,
    )
    yield Table(
        "The drop-in: a pair, plain and preloaded (instructions)",
        ("mutex", "plain", "preloaded"),
        map(_drop_in_cells, report.drop_in),
        TEXT_COLUMNS,
    )
    yield Table(
        "Preempted section: a thread above the holder arrives (instructions)",
        ("lock", "arrival", "its priority", "it works", "instructions", "context switches"),
        map(_preempted_cells, report.preempted),
        TEXT_COLUMNS,
    )
    yield Table(
        "One pass through the scheduler, with its switch and system call (instructions)",
        ("threads", "instructions", "added"),
        ((row.state, _count(row.instructions), _count(row.added)) for row in report.schedule),
        TEXT_COLUMNS,
    )
    yield Table(
        "Almatary 2015, Table I (instructions; beside them the paper's nanoseconds)",
        ("version", "function", "instructions", "paper: ns"),
        map(_function_cells, report.functions),
        TEXT_COLUMNS,
    )
    yield Table(
        "Saved by the lazy form (of instructions; the paper: of nanoseconds)",
        ("saved of", "paper", "drop-in", "strict", "robust"),
        map(_saving_cells, report.savings),
        TEXT_COLUMNS,
    )
    yield Table(
        "Mutexes of the kernel (instructions)",
        ("mutex", "pair", "3 nested"),
        map(_kernel_cells, report.kernel_mutexes),
        TEXT_COLUMNS,
    )
    yield targets_table(report.targets, _count, " (instructions)")


def _way_cells(row: WayRow) -> tuple[str, ...]:
    counts = (row.pair, row.nested, row.uses_lock, row.passes_by, row.schedule)
    return (row.lock, *map(_count, counts))


def _drop_in_cells(row: DropInRow) -> tuple[str, ...]:
    return (row.mutex, _count(row.plain), _count(row.preloaded))


def _preempted_cells(row: PreemptedRow) -> tuple[str, ...]:
    priority = "at the ceiling" if row.at_ceiling else "below the ceiling"
    when = "in the section" if row.inside else "after it"
    counts = (_count(row.instructions), _count(row.switches))
    return (row.lock, row.arrival, priority, when, *counts)


def _function_cells(row: FunctionRow) -> tuple[str, ...]:
    paper = "" if row.paper_ns is None else f"{row.paper_ns}"
    return (row.version, row.function, _count(row.instructions), paper)


def _saving_cells(row: SavingRow) -> tuple[str, ...]:
    paper = "" if row.paper is None else f"{row.paper:.1%}"
    return (row.what, paper, *(f"{each:.1%}" for each in (row.drop_in, row.strict, row.robust)))


def _kernel_cells(row: KernelRow) -> tuple[str, ...]:
    return (row.mutex, _count(row.flat), _count(row.nested))


def _count(value: float | None) -> str:
    if value is None:
        return ""
    return f"{round(value, 2):.7g}"
