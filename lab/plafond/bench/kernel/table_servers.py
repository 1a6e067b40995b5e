# SPDX-License-Identifier: MIT
"""The tables of servers, and of resources with users in several servers."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from plafond.bench.kernel.asberg import COMPARED, PAPER
from plafond.bench.kernel.model import KernelReport, ServerRow, SharingRow, SharingSetRow
from plafond.bench.kernel.servers import SERVERS, SHARING
from plafond.columns import Column
from plafond.rows import Table, each, table

# Headings of the counts of OSPERT 2010, 5, by field.
COUNTED = {
    "paper_locks": "lock, unlock: paper",
    "locks": "ours",
    "paper_scheduler": "scheduler: paper",
    "scheduler": "ours",
    "failed_tests": "failed tests",
    "kernel": "all calls",
}


def servers_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all tables."""
    yield table(SERVERS.title, ServerRow, report.servers)
    yield table(SHARING.title, SharingRow, report.sharing)
    yield Table(PAPER.title, list(_sets(report.sharing_sets)))


def _sets(rows: Sequence[SharingSetRow]) -> Iterator[Column]:
    """Yield the columns; each set has a line for each policy, and the means follow."""
    names = [*(str(row.number) for row in rows), "mean"]
    yield each("set", (line for name in names for line in (name, "")), text=True)
    yield each("policy", list(COMPARED) * len(names), text=True)
    for field, heading in COUNTED.items():
        counts = [[getattr(row, field)[policy] for policy in COMPARED] for row in rows]
        means = (f"{fmean(several):g}" for several in zip(*counts, strict=True))
        yield each(heading, [*(count for of_set in counts for count in of_set), *means])
