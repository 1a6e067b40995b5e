# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console

from plafond.bench.instructions.model import (
    Conditions,
    FunctionRow,
    InstructionsReport,
    KernelRow,
    PreemptedRow,
    SavingRow,
    WayRow,
)
from plafond.bench.model import Target
from plafond.output import print_table

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
    "figure",
    "verdict",
)


def print_report(report: InstructionsReport, console: Console | None = None) -> None:
    """Print all tables."""
    console = console or Console(highlight=False)
    _print_conditions(console, report.conditions)
    _print(
        console,
        "The ways to lock: uncontended, a thread arrives, cost to others (instructions)",
        ("lock", "pair", "3 nested", "arrival locks", "passes by", "others' __schedule"),
        map(_way_cells, report.ways),
    )
    _print(
        console,
        "Preempted section: a thread above the holder arrives (instructions)",
        ("lock", "arrival", "its priority", "it works", "instructions", "context switches"),
        map(_preempted_cells, report.preempted),
    )
    _print(
        console,
        "One pass through the scheduler, with its switch and system call (instructions)",
        ("threads", "instructions", "added"),
        ((row.state, _count(row.instructions), _count(row.added)) for row in report.schedule),
    )
    _print(
        console,
        "Almatary 2015, Table I (instructions; beside them the paper's nanoseconds)",
        ("version", "function", "instructions", "paper: ns"),
        map(_function_cells, report.functions),
    )
    _print(
        console,
        "Saved by the lazy form (of instructions; the paper: of nanoseconds)",
        ("saved of", "paper", "drop-in", "strict", "robust"),
        map(_saving_cells, report.savings),
    )
    _print(
        console,
        "Mutexes of the kernel (instructions)",
        ("mutex", "pair", "3 nested"),
        map(_kernel_cells, report.kernel_mutexes),
    )
    _print(
        console,
        "Figures to reach (instructions)",
        ("figure", "value", "at most", "verdict"),
        map(_target_cells, report.targets),
    )


def _print_conditions(console: Console, conditions: Conditions) -> None:
    c = conditions
    console.print(f"Emulated: Linux {c.kernel}, one CPU")
    console.print(f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.samples} samples")
    console.print(
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority} or at the ceiling, "
        f"ceiling {c.ceiling}"
    )
    for note in c.notes:
        console.print(f"- {note}")
    unstable = "no figure" if c.unstable == 0 else f"{c.unstable} figures"
    console.print(f"- The median differs from the least in {unstable}.")


def _print(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]
) -> None:
    print_table(console, title, columns, rows, TEXT_COLUMNS)


def _way_cells(row: WayRow) -> tuple[str, ...]:
    counts = (row.pair, row.nested, row.uses_lock, row.passes_by, row.schedule)
    return (row.lock, *map(_count, counts))


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


def _target_cells(target: Target) -> tuple[str, ...]:
    verdict = {True: "reached", False: "not reached", None: ""}[target.reached]
    limit = "" if target.limit is None else _count(target.limit)
    return (target.name, _count(target.value), limit, verdict)


def _count(value: float | None) -> str:
    if value is None:
        return ""
    return f"{round(value, 2):.7g}"
