# SPDX-License-Identifier: MIT
"""Mueller 2014: tasks scheduled by the interrupt controller, and ours scheduled by software."""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import TransitionRow
from plafond.bench.kernel.papers import PaperTable, papers
from plafond.bench.kernel.variants import SCHEDULED

TRANSITIONS, ACROSS = papers()["mueller-1-2"], papers()["mueller-cores"]


def transition_rows(figures: Figures, table: PaperTable) -> list[TransitionRow]:
    """Return the rows of a table."""
    return [
        TransitionRow(
            transition=row.row,
            instructions={variant: row.cost(figures, variant) for variant in SCHEDULED},
            paper_basic=table.number(row, "basic"),
            paper_extended=table.number(row, "extended"),
        )
        for row in table.rows
    ]
