# SPDX-License-Identifier: MIT
"""Mueller 2014, Table III: resources with users on two cores, bench/kernel/mueller/mpcp.toml."""

from dataclasses import dataclass

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.growth import marked, with_others
from plafond.bench.kernel.model import GlobalRow, SpinlockRow, UsersRow
from plafond.bench.kernel.variants import SCHEDULED, Variant
from plafond.describe.system import System
from plafond.protocols import GlobalProtocol

FEWEST_USERS = 2
MORE_USERS = (8, 64)
GROWING = (Variant.UPRIO_NPRIO, Variant.HARDWARE_LAZY_CEILING)  # the schedulers' defaults


SPINNING = Variant.HARDWARE_LAZY_CEILING
# GetSpinlock + ReleaseSpinlock, which are at most so many instructions.
SPINLOCK = "spinlock"
SPIN_LIMITS = {
    GlobalProtocol.SPIN_UNORDERED: 20,
    GlobalProtocol.MSRP: 24,
    GlobalProtocol.SPIN_PRIORITY: 32,
}


def with_users(system: System, users: int) -> System:
    """Give GLOBAL as many users; 0: the two that measure."""
    return with_others(system, max(0, users - FEWEST_USERS))


@dataclass(frozen=True)
class Lock:
    """A row, the paper's cycles, and what it shall be at most."""

    words: str
    paper: int | None = None
    limit: int | None = None


GET, RELEASE, RELEASE_TO_THERE = "get-global", "release-global", "release-to-there"
LOCKS = {
    GET: Lock("Get, no blocking", 112, 16),
    "to-local-next": Lock("Get, blocking, the next runs", 217, 150),
    RELEASE: Lock("Release, no dispatch", 134, 16),
    RELEASE_TO_THERE: Lock("Release, remote unblock", 183, 90),
    "to-local-waiter": Lock("Release, local unblock, dispatch", 311, 160),
    "to-local-first-and-there": Lock("Release, remote unblock, dispatch", 360, 160),
    "to-local-first": Lock("Release, no unblock, dispatch", 231, 140),
    "section-global": Lock("Get + Release, no blocking"),
}


def global_rows(figures: Figures) -> list[GlobalRow]:
    """Return the rows of Table III."""
    return [
        GlobalRow(
            transition=lock.words,
            instructions={variant: figures.count(name, variant) for variant in SCHEDULED},
            system_calls={variant: figures.calls(name, variant) for variant in SCHEDULED},
            paper=lock.paper,
        )
        for name, lock in LOCKS.items()
    ]


def spinlock_rows(figures: Figures) -> list[SpinlockRow]:
    """Return what its footnote leaves out, and more of the kind."""
    return [
        SpinlockRow(
            protocol=protocol,
            instructions=figures.count(marked(SPINLOCK, protocol), SPINNING),
            system_calls=figures.calls(marked(SPINLOCK, protocol), SPINNING),
        )
        for protocol in SPIN_LIMITS
    ]


def users_rows(figures: Figures) -> list[UsersRow]:
    """Return the rows of both schedulers; that of the fewest users is of Table III."""

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
