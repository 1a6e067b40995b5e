# SPDX-License-Identifier: MIT
"""The tables of Mueller 2014."""

from collections.abc import Iterator, Sequence

from plafond.bench.kernel.model import (
    GlobalRow,
    GrowthRow,
    KernelReport,
    SpinlockRow,
    TransitionRow,
    UsersRow,
)
from plafond.bench.kernel.mpcp import LOCKS, SPINLOCKS
from plafond.bench.kernel.mueller import ACROSS, TRANSITIONS
from plafond.bench.kernel.variants import BY
from plafond.columns import Column
from plafond.rows import Table, columns_of, each, table


def mueller_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all tables."""
    yield table(TRANSITIONS.title, TransitionRow, report.transitions)
    yield table(ACROSS.title, TransitionRow, report.across_cores)
    yield Table(
        "Mueller 2014, a system that grows: by software, and by hardware (instructions)",
        list(_by_scheduler("tasks", GrowthRow, report.growth)),
    )
    yield table(LOCKS.title, GlobalRow, report.across_locks, without=["system_calls"])
    yield table(
        "Mueller 2014, Table III: system calls",
        GlobalRow,
        report.across_locks,
        without=["instructions", "paper"],
    )
    paper = (text for row in SPINLOCKS.rows for text in SPINLOCKS.texts(row))
    yield Table(
        SPINLOCKS.title,
        [*columns_of(SpinlockRow, report.spinlocks), each("paper, without a service", paper)],
    )
    yield Table(
        "Mueller 2014, a resource with more users: by software, and by hardware (instructions)",
        list(_by_scheduler("users", UsersRow, report.users)),
    )


def _by_scheduler(
    size: str, row_class: type, rows: Sequence[GrowthRow | UsersRow]
) -> Iterator[Column]:
    """Yield the sizes, and the columns of both schedulers beside each other."""
    yield each(size, dict.fromkeys(getattr(row, size) for row in rows))
    for scheduler, by in BY.items():
        own = [row for row in rows if row.scheduler == scheduler]
        for column in columns_of(row_class, own):
            yield Column(f"{by}: {column.heading}", column.cells, column.is_text)
