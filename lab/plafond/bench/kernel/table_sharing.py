# SPDX-License-Identifier: MIT
"""The table of resources of several servers."""

from plafond.bench.kernel.model import KernelReport
from plafond.bench.kernel.servers import SERVED
from plafond.bench.tables import Table


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
