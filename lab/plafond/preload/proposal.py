# SPDX-License-Identifier: MIT
"""The ceiling that each mutex could have, and whether the file should use it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from plafond.describe.mutex import can_be_listed, file_of
from plafond.preload.evidence import Evidence, Locker, Mutex, Thread

# Limits of a description. That of the lockers keeps the file below its 1 MiB.
MOST_MUTEXES = 1000
MOST_LOCKERS = 2000


@dataclass(frozen=True)
class Inversion:
    """A thread that waited for a less urgent holder, which a plain mutex does not lift."""

    waiter: Thread
    holder: Thread
    locks: int
    waits: int
    longest_ns: int


@dataclass(frozen=True)
class Proposal:
    """A mutex with its lockers; without a ceiling if no locker has a priority."""

    name: str
    mutex: Mutex
    lockers: tuple[tuple[Thread, Locker], ...]
    ceiling: int | None
    why_not: str | None
    inversions: tuple["Inversion", ...]
    place: str | None  # of the mutex, if no other mutex has it

    @property
    def choice(self) -> tuple[bool, str, int | None]:
        """The choice of the file, which must be equal for mutexes that cannot be distinguished."""
        return self.use, self.run_as, self.ceiling if self.run_as == "ceiling" else None

    @property
    def made_by(self) -> str | None:
        """The common origin of mutexes that only an order distinguishes; None if there is none."""
        if self.mutex.name:
            return f"the name {self.mutex.name}"
        if self.place or not self.mutex.path or not self.mutex.order:
            return None
        return f"{self.mutex.module} {self.mutex.offset} {self.mutex.path}"

    @property
    def use(self) -> bool:
        """Whether the mutex should run under the ceiling instead of inheritance."""
        return self.why_not is None

    @property
    def run_as(self) -> str:
        """The effect of `use = true`. A plain mutex is safest with inheritance."""
        return "inherit" if self.mutex.protocol == "none" else "ceiling"

    @property
    def why(self) -> str | None:
        """Why the mutex is not used, or which thread does not gain."""
        if self.why_not:
            return self.why_not
        others = [thread.name for thread, _ in self.lockers if not thread.can_be_lazy]
        if not others:
            return None
        shown = f"{others[0]} and {len(others) - 1} more" if len(others) > 1 else others[0]
        return f"still by inheritance, not SCHED_FIFO or not pinned to one CPU: {shown}"

    @property
    def cpus(self) -> tuple[int, ...]:
        """The CPUs to which lockers are pinned."""
        return tuple(sorted({thread.cpu for thread, _ in self.lockers if thread.cpu >= 0}))

    @property
    def lifted(self) -> tuple[Thread, ...]:
        """The threads whose sections the ceiling lifts: lazy threads below the ceiling."""
        return tuple(
            thread
            for thread, _ in self.lockers
            if self.use and thread.can_be_lazy and thread.priority < (self.ceiling or 0)
        )


def propose(name: str, mutex: Mutex, evidence: Evidence, place: str | None) -> Proposal:
    """Return the proposal for a mutex: the ceiling is the highest priority of its users."""
    lockers = tuple((evidence.thread_of(locker), locker) for locker in mutex.lockers)
    users = evidence.users_of(mutex)
    priorities = [thread.priority for thread in users if thread.is_real_time]
    highest = max(priorities, default=None)
    if mutex.protocol == "protect":
        ceiling: int | None = max(mutex.ceiling, highest or 0)
    else:
        ceiling = highest
    return Proposal(
        name,
        mutex,
        lockers,
        ceiling,
        next(_reasons(mutex, users, highest, place), None),
        tuple(sorted(_inversions(mutex, evidence), key=lambda each: -each.longest_ns)),
        place,
    )


def refuse_mixed(proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """Refuse mutexes with different choices that only an order distinguishes.

    The next run may have another order.
    """
    proposals = tuple(proposals)
    groups: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        if proposal.made_by and proposal.mutex.protocol != "protect":
            groups.setdefault(proposal.made_by, []).append(proposal)
    return tuple(
        _refused(proposal, groups.get(proposal.made_by or "", [])) for proposal in proposals
    )


def _refused(proposal: Proposal, group: list[Proposal]) -> Proposal:
    other = next((each for each in group if each.choice != proposal.choice), None)
    if other is None or not proposal.use:
        return proposal
    needs = f"needs {other.ceiling}" if other.ceiling else "has no ceiling"
    common = "of the same name" if proposal.mutex.name else "made by the same calls"
    why_not = f"{common} as {other.name}, which {needs}: indistinguishable"
    return replace(proposal, why_not=why_not)


def levels_of(threads: Iterable[Thread]) -> list[int]:
    """Return the priorities of threads, the lowest first, each once; ordinary threads have 0."""
    return sorted({thread.level for thread in threads})


def can_be_inverted(threads: Iterable[Thread]) -> bool:
    """Return whether a real-time thread may have to wait for a less urgent thread."""
    return len(levels_of(threads)) > 1


def _inversions(mutex: Mutex, evidence: Evidence) -> Iterator[Inversion]:
    if mutex.protocol != "none":
        return
    for locker in mutex.lockers:
        waiter = evidence.thread_of(locker)
        for wait in locker.waited_for:
            holder = evidence.thread_of(wait)
            if wait.thread and holder.level < waiter.level:
                yield Inversion(waiter, holder, locker.locks, wait.waits, wait.longest_ns)


def _wrong_with(levels: list[int]) -> str:
    """Return the danger of a plain mutex, in words."""
    lowest = levels[0] or "SCHED_OTHER"
    return f"a plain mutex of threads from {lowest} to {levels[-1]}, without a bound"


def _cure(mutex: Mutex, place: str | None) -> str:
    """Return the remedy in words.

    With a protocol, only the thread that locked a mutex may unlock it.
    """
    if mutex.handed_over:
        return "other threads unlock it: stays so"
    if place or mutex.order or mutex.first_locks:
        return "use = true makes it inherit"
    return "its place is not known, so it stays so"


def _reasons(
    mutex: Mutex, users: Iterable[Thread], highest: int | None, place: str | None
) -> Iterator[str]:
    """Yield the reasons why the mutex should not be used."""
    if mutex.protocol == "none":
        yield f"{_wrong_with(levels_of(users))}; {_cure(mutex, place)}"
    if mutex.protocol == "protect":
        needs = f"; its lockers need {highest}" if highest and highest < mutex.ceiling else ""
        yield f"the program gives it the ceiling {mutex.ceiling}{needs}"
    if highest is None:
        yield "no real-time thread locks it"
    if not can_be_listed(file_of(place) if place else mutex.module):
        yield "the file name of its module has blanks at its ends, or a comment (#)"
    if not place and (mutex.module == "unknown" or not mutex.order):
        yield "it cannot be recognised again: the place where it is made is not known"
