# SPDX-License-Identifier: MIT
"""Servers: what it costs that one gets the core, and loses it; bench/kernel/servers."""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import ServerRow
from plafond.bench.kernel.variants import Variant

SERVED = (Variant.SYSCALL, Variant.UPRIO_NPRIO, Variant.LAZY_CEILING)
SECTION, DISTURBED = "served-section", "disturbed-by-server-below"
LOCAL, ABOVE, SWITCH = "to-local-of-server", "to-server-above", "switch"
BUDGET_END = "disturbed-by-budget-end"
ROWS = {
    SECTION: "GetResource + ReleaseResource",
    "served-budget": "GetBudget",
    LOCAL: "ActivateTask in the same server, it runs",
    ABOVE: "ActivateTask in a more urgent one, it runs",
    SWITCH: "of that the switch of servers",
    "served-above-and-return": "the same, with end and return",
    BUDGET_END: "the same, until its budget ends",
    "served-below": "ActivateTask in a less urgent one",
    DISTURBED: "an alarm of a less urgent one",
}
# What is not the kernel's: the budget of SHORT in system.toml, and the work that is disturbed.
BUDGET_NS = 1000
OWN_WORK = {DISTURBED: "served-work"}
# At most so many instructions under uprio-nprio.
LIMITS = {SWITCH: 150, DISTURBED: 0, SECTION: 12}


def served(figures: Figures, name: str, variant: Variant) -> int:
    """Return what the kernel and the calls take."""
    if name == SWITCH:
        return figures.count(ABOVE, variant) - figures.count(LOCAL, variant)
    without = figures.count(OWN_WORK[name], variant) if name in OWN_WORK else 0
    return figures.count(name, variant) - without - (BUDGET_NS if name == BUDGET_END else 0)


def server_rows(figures: Figures) -> list[ServerRow]:
    """Return the rows of the table."""
    return [
        ServerRow(
            transition=words,
            instructions={variant: served(figures, name, variant) for variant in SERVED},
        )
        for name, words in ROWS.items()
    ]
