# SPDX-License-Identifier: MIT
"""The report of `bench locks` as tables for the terminal."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from plafond import rows
from plafond.bench.cells import (
    MARK,
    break_even_cells,
    count,
    named,
    ns,
    pair_cells,
    preempted_cells,
)
from plafond.bench.model import Conditions, LocksReport, Row, SpinLimit
from plafond.bench.tables import Table, noted, print_tables, targets_table
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.units import format_duration

TEXT_COLUMNS = ("lock", "rival", "arrival", "spinning", "sleeping")
ROW_COLUMNS = ("lock", "ns median", "min", "max", "system calls", "instructions")

HANDOVER_COLUMNS = (
    *("section us", "lock", "ns median", "min", "max", "processor ns", "calls", "switches"),
)


def print_report(report: LocksReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(condition_lines(report.conditions), _tables(report), console)


def condition_lines(conditions: Conditions) -> Iterator[str]:
    """Yield under which the figures hold."""
    c = conditions
    if c.quick:
        yield "QUICK RUN: few repetitions, a first look and not a result\n"
    yield f"{c.cpu_model}, CPU {c.cpu}, governor {c.governor}; Linux {c.kernel}"
    yield f"{c.libc}, compiler {c.compiler}, {c.flags}; {c.repetitions} repetitions"
    yield (
        f"SCHED_FIFO: holder {c.priority}, arrival {c.arrival_priority}, ceiling {c.ceiling}; "
        f"empty loop {c.empty_loop_ns:.2f} ns, {count(c.empty_loop_instructions)} instructions"
    )
    yield (
        f"{c.again} repetitions measured again: in them the machine stopped a thread for more than "
        f"{format_duration(LONGEST_OWN_NS)}"
    )
    if c.rows_with_stops:
        yield f"{MARK}: this row could not be measured without such stops"
    yield from noted(c.notes)


def _tables(report: LocksReport) -> Iterator[Table | rows.Table]:
    yield _table("Uncontended pair", ROW_COLUMNS, map(_row_cells, report.uncontended))
    yield _table("Two nested pairs", ROW_COLUMNS, map(_row_cells, report.nested))
    yield _table("Wake hook", ROW_COLUMNS, map(_row_cells, report.hook))
    yield _table(
        "Preempted section: a thread at or below the ceiling arrives",
        ("lock", "arrival", "ns median", "min", "max", "system calls", "context switches"),
        ((named(row.lock, row), *preempted_cells(row)) for row in report.preempted),
    )
    yield _table(
        "Break-even: cheaper up to this share of preempted sections",
        ("lock", "rival", "arrival", "share"),
        map(break_even_cells, report.break_even),
    )
    yield _table(
        "Uncontended pair with many threads attached and as many mutexes in turn",
        ("threads", *ROW_COLUMNS),
        ((str(row.threads), *_row_cells(row)) for row in report.scaling),
    )
    if report.handover:
        yield _table("Hand-over between two CPUs", HANDOVER_COLUMNS, _handover_cells(report))
        yield _table(
            "Sections from which on sleeping costs less processor time than spinning",
            ("spinning", "sleeping", "section us"),
            map(_limit_cells, report.spin_limits),
        )
    yield targets_table(report.targets, "{:.2f}".format)


def _table(title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Table:
    return Table(title, columns, rows, TEXT_COLUMNS)


def _row_cells(row: Row) -> tuple[str, ...]:
    return (named(row.lock, row), *pair_cells(row))


def _handover_cells(report: LocksReport) -> Iterator[tuple[str, ...]]:
    """By length: then the locks stand beside each other."""
    for row in sorted(report.handover, key=lambda row: row.section_ns):
        times = (row.ns_median, row.ns_min, row.ns_max, row.processor_ns)
        counts = (count(row.system_calls), count(row.context_switches))
        yield (f"{row.section_ns / 1000:g}", named(row.lock, row), *map(ns, times), *counts)


def _limit_cells(row: SpinLimit) -> tuple[str, ...]:
    limit = "none measured" if row.section_ns is None else f"{row.section_ns / 1000:g}"
    return (row.spinning, row.sleeping, limit)
