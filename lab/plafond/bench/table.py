# SPDX-License-Identifier: MIT
"""Print the report of `bench locks` as tables."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.model import (
    MARK,
    NOT_COUNTED,
    BreakEven,
    Conditions,
    HandoverRow,
    LocksReport,
    PreemptedRow,
    Row,
    ScalingRow,
    SpinLimit,
    count,
)
from plafond.bench.tables import noted, print_tables, targets_table
from plafond.rows import Table, table
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.units import format_duration


def print_report(report: LocksReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(condition_lines(report.conditions), _tables(report), console)


def condition_lines(conditions: Conditions) -> Iterator[str]:
    """Yield lines that describe the conditions of the figures."""
    c, empty = conditions, conditions.empty_loop_instructions
    if c.quick:
        yield "QUICK RUN: few repetitions, a first look and not a result\n"
    yield f"{c.cpu_model}, CPU {c.cpu}, governor {c.governor}; Linux {c.kernel}"
    yield f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.repetitions} repetitions"
    yield (
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority}, ceiling {c.ceiling}; "
        f"empty loop {c.empty_loop_ns:.2f} ns, "
        f"{NOT_COUNTED if empty is None else count(empty)} instructions"
    )
    yield (
        f"{c.again} repetitions measured again: in them the machine stopped a thread for more than "
        f"{format_duration(LONGEST_OWN_NS)}"
    )
    if c.rows_with_stops:
        yield f"{MARK}: this row could not be measured without such stops"
    yield from noted(c.notes)


def _tables(report: LocksReport) -> Iterator[Table]:
    yield table("Uncontended pair", Row, report.uncontended)
    yield table("Two nested pairs", Row, report.nested)
    yield table("Wake hook", Row, report.hook)
    yield table(
        "Preempted section: a thread at or below the ceiling arrives",
        PreemptedRow,
        report.preempted,
    )
    yield table(
        "Break-even: cheaper up to this share of preempted sections", BreakEven, report.break_even
    )
    yield table(
        "Uncontended pair with many threads attached and as many mutexes in turn",
        ScalingRow,
        report.scaling,
    )
    if report.handover:
        # sorted by length, so that the locks stand beside each other
        by_length = sorted(report.handover, key=lambda row: row.section_ns)
        yield table("Hand-over between two CPUs", HandoverRow, by_length)
        yield table(
            "Sections from which on sleeping costs less processor time than spinning",
            SpinLimit,
            report.spin_limits,
        )
    yield targets_table(report.targets, "{:.2f}".format)
