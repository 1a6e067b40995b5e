# SPDX-License-Identifier: MIT
"""Mueller 2014, Table III: resources with users on two cores, bench/kernel/mueller/mpcp.toml."""

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.growth import marked, with_others
from plafond.bench.kernel.model import GlobalRow, SpinlockRow, UsersRow
from plafond.bench.kernel.papers import papers
from plafond.bench.kernel.variants import SCHEDULED, Variant
from plafond.describe.system import System

FEWEST_USERS = 2
MORE_USERS = (8, 64)
GROWING = (Variant.UPRIO_NPRIO, Variant.HARDWARE_LAZY_CEILING)  # the schedulers' defaults


SPINNING = Variant.HARDWARE_LAZY_CEILING
GET, RELEASE, RELEASE_TO_THERE = "get-global", "release-global", "release-to-there"
LOCKS, SPINLOCKS = papers()["mueller-3"], papers()["mueller-spinlocks"]


def with_users(system: System, users: int) -> System:
    """Give GLOBAL this number of users; 0: only the two that measure."""
    return with_others(system, max(0, users - FEWEST_USERS))


def global_rows(figures: Figures) -> list[GlobalRow]:
    """Return the rows of Table III."""
    return [
        GlobalRow(
            transition=row.row,
            instructions={variant: row.cost(figures, variant) for variant in SCHEDULED},
            system_calls={variant: figures.calls(row.benchmark, variant) for variant in SCHEDULED},
            paper=LOCKS.number(row, "cycles"),
        )
        for row in LOCKS.rows
    ]


def spinlock_rows(figures: Figures) -> list[SpinlockRow]:
    """Return the rows for spinlocks, which the table's footnote leaves out."""
    return [
        SpinlockRow(
            protocol=row.row,
            instructions=row.cost(figures, SPINNING),
            system_calls=figures.calls(row.benchmark, SPINNING),
        )
        for row in SPINLOCKS.rows
    ]


def users_rows(figures: Figures) -> list[UsersRow]:
    """Return the rows of both schedulers; the row with the fewest users is from Table III."""

    def count(name: str, users: int, variant: Variant) -> int:
        return figures.count(marked(name, users if users in MORE_USERS else 0), variant)

    return [
        UsersRow(
            scheduler=variant.scheduler,
            users=users,
            get=count(GET, users, variant),
            release=count(RELEASE, users, variant),
            release_to_there=count(RELEASE_TO_THERE, users, variant),
        )
        for variant in GROWING
        for users in (FEWEST_USERS, *MORE_USERS)
    ]
