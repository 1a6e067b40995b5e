# SPDX-License-Identifier: MIT
"""Print the report as tables."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.instructions.model import (
    Conditions,
    DropInRow,
    FunctionRow,
    InstructionsReport,
    KernelRow,
    PreemptedRow,
    SavingRow,
    ScheduleRow,
    WayRow,
    count,
)
from plafond.bench.tables import noted, print_tables, targets_table
from plafond.rows import Table, table


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


def _tables(report: InstructionsReport) -> Iterator[Table]:
    yield table(
        "The ways to lock: uncontended, a thread arrives, cost to others (instructions)",
        WayRow,
        report.ways,
    )
    yield table(
        "The drop-in: a pair, plain and preloaded (instructions)", DropInRow, report.drop_in
    )
    yield table(
        "Preempted section: a thread above the holder arrives (instructions)",
        PreemptedRow,
        report.preempted,
    )
    yield table(
        "One pass through the scheduler, with its switch and system call (instructions)",
        ScheduleRow,
        report.schedule,
    )
    yield table(
        "Almatary 2015, Table I (instructions; beside them the paper's nanoseconds)",
        FunctionRow,
        report.functions,
    )
    yield table(
        "Saved by the lazy form (of instructions; the paper: of nanoseconds)",
        SavingRow,
        report.savings,
    )
    yield table("Mutexes of the kernel (instructions)", KernelRow, report.kernel_mutexes)
    yield targets_table(report.targets, count, " (instructions)")
