# SPDX-License-Identifier: MIT
"""The tables of Almatary 2015, and of EDF's ready queue."""

from collections.abc import Iterator

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import FunctionRow, KernelReport, ReadyRow, SavingRow, SectionRow
from plafond.bench.kernel.procedures import TABLE_II, TABLE_III
from plafond.bench.kernel.ready import ORDERS
from plafond.bench.kernel.relative import compared
from plafond.bench.kernel.variants import LAZY
from plafond.bench.tables import Table
from plafond.describe.kernel import Scheduler

LAZY_COLUMNS = tuple(variant.heading for variant in LAZY)
TEXT_COLUMNS = (
    "benchmark",
    "at",
    "version",
    "function",
    "call",
    "paper: call",
    "saved of",
    "arrives",
    "inner ceiling",
    *LAZY_COLUMNS[1:],
)


def lazy_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all of them."""
    figures = Figures(report.rows)
    yield Table(
        "Lazy ceilings: micro benchmarks (instructions)",
        ("benchmark", *LAZY_COLUMNS),
        ((words, *compared(figures, name, LAZY)) for name, words in TABLE_II.items()),
        TEXT_COLUMNS,
    )
    yield Table(
        "Lazy ceilings: critical sections (instructions)",
        ("benchmark", "at", *LAZY_COLUMNS),
        ((s.words, s.at, *compared(figures, s.name, LAZY)) for s in TABLE_III),
        TEXT_COLUMNS,
    )
    yield Table(
        "Almatary 2015, Table I (instructions; beside them the paper's nanoseconds)",
        ("version", "function", "IPCP", "DFP", "call", "paper: ns", "paper: call"),
        map(_function_cells, report.functions),
        TEXT_COLUMNS,
    )
    yield Table(
        "Saved by the lazy forms (of instructions; the paper: of nanoseconds)",
        ("saved of", "paper", "IPCP", "DFP"),
        map(_saving_cells, report.savings),
        TEXT_COLUMNS,
    )
    yield Table(
        "Almatary 2015, Section V: the simple scheme, and calls only that change the priority",
        (
            "arrives",
            "at",
            "inner ceiling",
            "inner sections",
            "syscall: calls",
            "simple: calls",
            "lazy: calls",
            "syscall",
            "simple",
            "lazy",
            "saved",
        ),
        map(_section_cells, report.sections),
        TEXT_COLUMNS,
    )
    yield Table(
        "The ready queue under EDF, a heap, and under fixed priorities (instructions)",
        (
            "ready",
            *(f"{what} {order}" for what in ("queued", "preempts", "next") for order in ORDERS),
            *(f"fixed: {what}" for what in ("queued", "preempts", "next")),
        ),
        _ready_cells(report.ready),
        TEXT_COLUMNS,
    )


def _function_cells(row: FunctionRow) -> tuple[str, ...]:
    paper = "" if row.paper_ns is None else f"{row.paper_ns}"
    ticks = (_tick(row.system_call), paper, _tick(row.paper_system_call))
    return (row.version, row.function, f"{row.ipcp}", f"{row.dfp}", *ticks)


def _tick(calls: bool | None) -> str:
    return "✓" if calls else ""


def _saving_cells(row: SavingRow) -> tuple[str, ...]:
    paper = "" if row.paper is None else f"{row.paper:.1%}"
    return (row.what, paper, f"{row.ipcp:.1%}", f"{row.dfp:.1%}")


def _section_cells(row: SectionRow) -> tuple[str, ...]:
    inner = f"{row.inner_sections}" if row.inner_sections else ""
    calls = (row.syscall_calls, row.simple_calls, row.lazy_calls)
    counts = (row.syscall, row.simple, row.lazy, row.simple - row.lazy)
    return (row.arrival, row.at, row.inner_ceiling, inner, *map(str, (*calls, *counts)))


def _ready_cells(rows: list[ReadyRow]) -> Iterator[tuple[str, ...]]:
    """A row for each number of ready tasks; of fixed priorities the dearer order."""
    for ready in dict.fromkeys(row.ready for row in rows):
        edf = [row for row in rows if row.ready == ready and row.scheduler == Scheduler.EDF]
        fixed = [row for row in rows if row.ready == ready and row.scheduler != Scheduler.EDF]
        yield (
            f"{ready}",
            *(f"{row.queued}" for row in edf),
            *(f"{row.preempting}" for row in edf),
            *(_count(row.dispatched) for row in edf),
            f"{max(row.queued for row in fixed)}",
            f"{max(row.preempting for row in fixed)}",
            _count(max(row.dispatched or 0 for row in fixed) or None),
        )


def _count(count: int | None) -> str:
    return "" if count is None else f"{count}"
