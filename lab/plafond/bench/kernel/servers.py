# SPDX-License-Identifier: MIT
"""Servers, bench/kernel/servers: the costs of a server that gets the core, or loses it.

A resource of several servers, bench/kernel/sharing: the costs of two levels, and of the ends of
budgets inside. OSPERT 2010, 8, Table III and the text below it.
"""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import ServerRow, SharingRow
from plafond.bench.kernel.papers import papers
from plafond.bench.kernel.variants import Variant
from plafond.describe.server import Sharing

SERVED = (Variant.SYSCALL, Variant.UPRIO_NPRIO, Variant.LAZY_CEILING)
OVERRUNS = (Sharing.OVERRUN, Sharing.OVERRUN_PAYBACK)
SERVERS, SHARING = papers()["servers"], papers()["sharing"]


def server_rows(figures: Figures) -> list[ServerRow]:
    """Return the rows of the table."""
    return [
        ServerRow(
            transition=row.row,
            instructions={variant: row.cost(figures, variant) for variant in SERVED},
        )
        for row in SERVERS.rows
    ]


def sharing_rows(figures: Figures) -> list[SharingRow]:
    """Return the rows of the table; with the calls of a lazy protocol, if there should be none."""
    return [
        SharingRow(
            event=row.row,
            paper=SHARING.number(row, "instructions"),
            instructions={variant: row.cost(figures, variant) for variant in SERVED},
            calls=figures.calls(row.benchmark, Variant.UPRIO_NPRIO) if row.calls else None,
        )
        for row in SHARING.rows
    ]
