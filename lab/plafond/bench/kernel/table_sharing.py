# SPDX-License-Identifier: MIT
"""The tables of resources of several servers."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from plafond.bench.kernel.model import KernelReport, SharingSetRow
from plafond.bench.kernel.servers import SERVED
from plafond.bench.tables import Table
from plafond.describe.server import Sharing


def sharing_table(report: KernelReport) -> Table:
    """Return it."""
    return Table(
        "Resources of several servers (instructions; the paper: OpenRISC)",
        ("event", "paper", *SERVED, "calls, lazy"),
        (
            (
                row.event,
                "" if row.paper is None else str(row.paper),
                *(str(row.instructions[variant]) for variant in SERVED),
                "" if row.calls is None else str(row.calls),
            )
            for row in report.sharing
        ),
        ("event",),
    )


POLICIES = (Sharing.SKIP, Sharing.OVERRUN_PAYBACK)
SETS_COLUMNS = (
    "set",
    "policy",
    "lock, unlock: paper",
    "ours",
    "scheduler: paper",
    "ours",
    "failed tests",
    "all calls",
)


def sets_table(report: KernelReport) -> Table:
    """Return the sets of OSPERT 2010, 5, and their means."""
    return Table(
        "Asberg 2010, Table I: calls of lock and unlock, and by these of the scheduler",
        SETS_COLUMNS,
        _sets_lines(report.sharing_sets),
        ("set", "policy"),
    )


def _sets_lines(rows: Sequence[SharingSetRow]) -> Iterator[Sequence[str]]:
    for row in rows:
        for policy in POLICIES:
            name = str(row.number) if policy is POLICIES[0] else ""
            yield (name, policy, *map(str, _counts(row, policy)))
    for policy in POLICIES:
        columns = zip(*(_counts(row, policy) for row in rows), strict=True)
        name = "mean" if policy is POLICIES[0] else ""
        yield (name, policy, *(f"{fmean(several):g}" for several in columns))


def _counts(row: SharingSetRow, policy: Sharing) -> Sequence[int]:
    of_both = (row.paper_locks, row.locks, row.paper_scheduler, row.scheduler)
    return [each[policy] for each in (*of_both, row.failed_tests, row.kernel)]
