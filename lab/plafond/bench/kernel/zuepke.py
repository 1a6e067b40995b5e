# SPDX-License-Identifier: MIT
"""Zuepke, Bommert, Kaiser 2014: the cycles of Tables II and III, for comparison."""

from plafond.bench.kernel.papers import PaperRow, papers
from plafond.protocols import KernelProtocol

VARIANTS = (KernelProtocol.SYSCALL, KernelProtocol.UPRIO_KPRIO, KernelProtocol.UPRIO_NPRIO)
BOARDS = ("TMS570", "AM3359")
TABLE_II, TABLE_III = papers()["zuepke-2"], papers()["zuepke-3"]


def gain(row: PaperRow, variant: str, board: str) -> float | None:
    """Return the paper's figure in braces: the cycles saved or added, relative to syscall."""
    cycles, baseline = (
        TABLE_II.number(row, f"{board} {each}") for each in (variant, KernelProtocol.SYSCALL)
    )
    return cycles / baseline - 1 if cycles and baseline else None
