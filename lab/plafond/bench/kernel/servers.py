# SPDX-License-Identifier: MIT
"""Measure servers and the resources of several servers.

bench/kernel/servers has the costs of a server that gets or loses the core. bench/kernel/sharing has
the costs of ceilings of two levels, and of budgets that end in a section. See OSPERT 2010, 8, Table
III and the text below it.
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
    """Return the rows of the table; rows with `calls` have the system calls of a lazy protocol."""
    return [
        SharingRow(
            event=row.row,
            paper=SHARING.number(row, "instructions"),
            instructions={variant: row.cost(figures, variant) for variant in SERVED},
            calls=figures.calls(row.benchmark, Variant.UPRIO_NPRIO) if row.calls else None,
        )
        for row in SHARING.rows
    ]
