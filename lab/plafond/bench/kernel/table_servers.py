# SPDX-License-Identifier: MIT
"""The table of servers."""

from plafond.bench.kernel.model import KernelReport
from plafond.bench.kernel.servers import SERVED
from plafond.bench.tables import Table


def servers_table(report: KernelReport) -> Table:
    """Return it."""
    return Table(
        "Servers (instructions)",
        ("transition", *SERVED),
        (
            (row.transition, *(str(row.instructions[variant]) for variant in SERVED))
            for row in report.servers
        ),
        ("transition",),
    )
