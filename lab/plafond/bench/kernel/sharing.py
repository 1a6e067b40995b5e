# SPDX-License-Identifier: MIT
"""A resource of several servers: what two levels cost, and the ends of budgets inside.

bench/kernel/sharing; OSPERT 2010, 8, Table III and the text below it.
"""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import SharingRow
from plafond.bench.kernel.servers import SERVED
from plafond.bench.kernel.variants import Variant

PAIR, SKIPPING, TEST = "shared-pair", "shared-pair-skip", "budget-test"
BEGINS, ENDS = "disturbed-by-overrun", "to-next-after-overrun"
PAID, PAYBACK = "to-next-after-payback", "payback"
REPLENISHED = "disturbed-by-replenishment"
ROWS = {
    PAIR: "GetResource + ReleaseResource, overrun",
    SKIPPING: "the same, skip: the budget suffices",
    TEST: "of that the ceilings of the server, and the budget test",
    "to-kept-out": "ReleaseResource, a more urgent server was kept out, its task runs",
    BEGINS: "an overrun begins",
    ENDS: "ReleaseResource ends it, a task of the next server runs",
    PAYBACK: "payback, extra",
    REPLENISHED: "a replenishment ends it",
}
# Of the paper, on an OpenRISC processor: Section IX.C.
PAPER = {TEST: 10, BEGINS: 383, ENDS: 966, PAYBACK: 5, REPLENISHED: 966}
# At most so many instructions under uprio-nprio.
LIMITS = {PAIR: 22, TEST: 10, BEGINS: 150, ENDS: 200, PAYBACK: 5, REPLENISHED: 200}
WORK = "shared-work"


def shared(figures: Figures, name: str, variant: Variant) -> int:
    """Return what the kernel and the calls take."""
    if name == TEST:
        return figures.count(SKIPPING, variant) - figures.count(PAIR, variant)
    if name == PAYBACK:
        return figures.count(PAID, variant) - figures.count(ENDS, variant)
    without = figures.count(WORK, variant) if name.startswith("disturbed") else 0
    return figures.count(name, variant) - without


def sharing_rows(figures: Figures) -> list[SharingRow]:
    """Return the rows of the table."""
    return [
        SharingRow(
            event=words,
            paper=PAPER.get(name),
            instructions={variant: shared(figures, name, variant) for variant in SERVED},
            calls=figures.calls(name, Variant.UPRIO_NPRIO) if name in (PAIR, SKIPPING) else None,
        )
        for name, words in ROWS.items()
    ]
