# SPDX-License-Identifier: MIT
"""The tables of Almatary 2015, and of EDF's ready queue."""

from collections.abc import Iterator

from plafond.bench.kernel.almatary import SAVED, TABLE
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import FunctionRow, KernelReport, ReadyRow, SavingRow, SectionRow
from plafond.bench.kernel.ready import ORDERS
from plafond.bench.kernel.relative import compared
from plafond.bench.kernel.variants import LAZY
from plafond.bench.kernel.zuepke import TABLE_II, TABLE_III
from plafond.columns import Column
from plafond.describe.kernel import Scheduler
from plafond.rows import Table, each, table


def lazy_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all tables."""
    figures = Figures(report.rows)
    yield Table(
        "Lazy ceilings: micro benchmarks (instructions)",
        compared(figures, TABLE_II.rows, LAZY, at=False),
    )
    yield Table(
        "Lazy ceilings: critical sections (instructions)", compared(figures, TABLE_III.rows, LAZY)
    )
    yield table(TABLE.title, FunctionRow, report.functions)
    yield table(SAVED.title, SavingRow, report.savings)
    yield table(
        "Almatary 2015, Section V: the simple scheme, and calls only that change the priority",
        SectionRow,
        report.sections,
    )
    yield Table(
        "The ready queue under EDF, a heap, and under fixed priorities (instructions)",
        list(_ready(report.ready)),
    )


def _ready(rows: list[ReadyRow]) -> Iterator[Column]:
    """Yield a column for each order of the deadlines; for fixed priorities the larger cost."""
    edf = [row for row in rows if row.scheduler == Scheduler.EDF]
    fixed = [row for row in rows if row.scheduler != Scheduler.EDF]
    counts = dict.fromkeys(row.ready for row in rows)
    yield each("ready", counts)
    what = {"queued": "queued", "preempts": "preempting", "next": "dispatched"}
    for heading, field in what.items():
        for order in ORDERS:
            own = {row.ready: getattr(row, field) for row in edf if row.order == order}
            yield each(f"{heading} {order}", map(own.get, counts))
    for heading, field in what.items():
        dearest = (
            max((getattr(row, field) or 0 for row in fixed if row.ready == ready), default=0)
            for ready in counts
        )
        yield each(f"fixed: {heading}", (count or None for count in dearest))
