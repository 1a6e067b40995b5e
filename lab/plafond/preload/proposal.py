# SPDX-License-Identifier: MIT
"""Which ceiling each mutex could have, and whether it is to be used."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plafond.describe.mutexes import can_be_listed
from plafond.preload.evidence import Locker, Mutex, Thread

# What a description may hold; and lockers, so that the file stays below its 1 MiB.
MOST_MUTEXES = 1000
MOST_LOCKERS = 2000


@dataclass(frozen=True)
class Proposal:
    """A mutex with those that locked it; without a ceiling if none of them has a priority."""

    name: str
    mutex: Mutex
    lockers: tuple[tuple[Thread, Locker], ...]
    ceiling: int | None
    why_not: str | None

    @property
    def use(self) -> bool:
        """Whether it is to run under the ceiling, instead of inheritance."""
        return self.why_not is None

    @property
    def why(self) -> str | None:
        """Why it is not used, or which thread does not gain by that."""
        if self.why_not:
            return self.why_not
        others = [thread.name for thread, _ in self.lockers if not thread.can_be_lazy]
        if not others:
            return None
        shown = f"{others[0]} and {len(others) - 1} more" if len(others) > 1 else others[0]
        return f"still by inheritance, not SCHED_FIFO or not pinned to one CPU: {shown}"

    @property
    def cpus(self) -> tuple[int, ...]:
        """Where its lockers are pinned to."""
        return tuple(sorted({thread.cpu for thread, _ in self.lockers if thread.cpu >= 0}))

    @property
    def lifted(self) -> tuple[Thread, ...]:
        """Those whose sections it will lift: below the ceiling, and none that still inherits."""
        return tuple(
            thread
            for thread, _ in self.lockers
            if self.use and thread.can_be_lazy and thread.priority < (self.ceiling or 0)
        )


def propose(name: str, mutex: Mutex, lockers: tuple[tuple[Thread, Locker], ...]) -> Proposal:
    """Return the ceiling that the lockers ask for, the highest of their priorities."""
    priorities = [thread.priority for thread, _ in lockers if thread.is_real_time]
    highest = max(priorities, default=None)
    if mutex.protocol == "protect":
        ceiling: int | None = max(mutex.ceiling, highest or 0)
    else:
        ceiling = highest
    return Proposal(name, mutex, lockers, ceiling, next(_reasons(mutex, lockers, highest), None))


def real_time_priorities(threads: Iterable[Thread]) -> list[int]:
    """Return them, the lowest first; each once."""
    return sorted({thread.priority for thread in threads if thread.is_real_time})


def _why_not_plain(mutex: Mutex, priorities: list[int]) -> str:
    """Say what is wrong with it today, and what can be done."""
    today = f"a plain mutex of threads from {priorities[0]} to {priorities[-1]}, without a bound"
    return f"{today}; " + (
        "use = true gives it the ceiling" if mutex.order else "no call makes it, so it stays so"
    )


def _reasons(
    mutex: Mutex, lockers: tuple[tuple[Thread, Locker], ...], highest: int | None
) -> Iterator[str]:
    """Why it is not to be used."""
    if mutex.protocol == "none":
        yield _why_not_plain(mutex, real_time_priorities(thread for thread, _ in lockers))
    if mutex.protocol == "protect":
        needs = f"; its lockers need {highest}" if highest and highest < mutex.ceiling else ""
        yield f"the program gives it the ceiling {mutex.ceiling}{needs}"
    if highest is None:
        yield "no real-time thread locks it"
    if not can_be_listed(mutex.module):
        yield "the file name of its module has blanks at its ends, or a comment (#)"
    if mutex.module == "unknown" or not mutex.order:
        yield "it cannot be recognised again: the place where it is made is not known"
