# SPDX-License-Identifier: MIT
"""A resource of several servers: what two levels cost, and the ends of budgets inside.

bench/kernel/sharing; OSPERT 2010, 8, Table III and the text below it.
"""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.growth import marked
from plafond.bench.kernel.model import SharingRow
from plafond.bench.kernel.servers import SERVED
from plafond.bench.kernel.variants import Variant
from plafond.describe.server import Sharing

PAIR, BEGINS, ENDS = "shared-pair", "disturbed-by-overrun", "to-next-after-overrun"
KEPT_OUT, REPLENISHED, WORK = "to-kept-out", "disturbed-by-replenishment", "shared-work"
SKIPPING, TEST, OWED, PAID = "skipping", "budget test", "payback noted", "payback"
OVERRUNS = (Sharing.OVERRUN, Sharing.OVERRUN_PAYBACK)
ROWS = {
    PAIR: "GetResource + ReleaseResource, overrun",
    SKIPPING: "the same, skip: the budget suffices",
    TEST: "of that the budget test, and whose ceilings count",
    KEPT_OUT: "ReleaseResource, a more urgent server was kept out: its task runs",
    BEGINS: "an overrun begins",
    ENDS: "ReleaseResource ends it: a task of the next server runs",
    REPLENISHED: "a replenishment ends it",
    OWED: "payback, extra: ReleaseResource",
    PAID: "payback, extra: a replenishment, which deducts it, too",
}
# Of the paper, on an OpenRISC processor: Section IX.C.
PAPER = {TEST: 10, BEGINS: 383, ENDS: 966, OWED: 5, REPLENISHED: 966}
# At most so many instructions under uprio-nprio.
LIMITS = {PAIR: 22, TEST: 10, BEGINS: 150, ENDS: 200, REPLENISHED: 200, OWED: 5}


def shared(figures: Figures, name: str, variant: Variant) -> int:
    """Return what the kernel and the calls take."""
    if name == SKIPPING:
        return figures.count(marked(PAIR, Sharing.SKIP), variant)
    if name == TEST:
        return shared(figures, SKIPPING, variant) - shared(figures, PAIR, variant)
    if name in (OWED, PAID):
        what = ENDS if name == OWED else REPLENISHED
        without, paid = (_count(figures, what, policy, variant) for policy in OVERRUNS)
        return paid - without
    return _count(figures, name, Sharing.OVERRUN, variant)


def _count(figures: Figures, name: str, policy: Sharing, variant: Variant) -> int:
    own = figures.count(marked(WORK, policy), variant) if name.startswith("disturbed") else 0
    return figures.count(marked(name, policy), variant) - own


def _calls(figures: Figures, name: str) -> int | None:
    """Of the lazy protocols, where there should be none."""
    policies = {PAIR: Sharing.OVERRUN, SKIPPING: Sharing.SKIP}
    if name not in policies:
        return None
    return figures.calls(marked(PAIR, policies[name]), Variant.UPRIO_NPRIO)


def sharing_rows(figures: Figures) -> list[SharingRow]:
    """Return the rows of the table."""
    return [
        SharingRow(
            event=words,
            paper=PAPER.get(name),
            instructions={variant: shared(figures, name, variant) for variant in SERVED},
            calls=_calls(figures, name),
        )
        for name, words in ROWS.items()
    ]
