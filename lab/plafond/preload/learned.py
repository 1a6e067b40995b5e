# SPDX-License-Identifier: MIT
"""The results learned from the evidence of a process: proposals and tasks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from plafond.describe.fields import HIGHEST_PRIORITY
from plafond.preload.evidence import Evidence, Mutex, Thread
from plafond.preload.names import unique_names
from plafond.preload.proposal import (
    MOST_LOCKERS,
    MOST_MUTEXES,
    Proposal,
    can_be_inverted,
    propose,
    refuse_mixed,
)
from plafond.preload.sections import Sections

MOST_TASKS = 1000


@dataclass(frozen=True)
class Learned:
    """The results, with the names that the file gives."""

    evidence: Evidence
    threads: dict[int, str]  # the names of all threads, even if they are no tasks
    proposals: tuple[Proposal, ...]
    tasks: tuple[Thread, ...]  # the most urgent first
    left_out: tuple[tuple[Thread, str], ...]  # threads that are no tasks, and why
    mutexes_left_out: int

    @cached_property
    def protected(self) -> tuple[Proposal, ...]:
        """The proposals for mutexes with a protocol. Only these enter bounds and bodies."""
        return tuple(p for p in self.proposals if p.mutex.protocol != "none")

    @cached_property
    def scattered(self) -> frozenset[str]:
        """The mutexes whose users are on several CPUs, because no task there would have a bound."""
        tasks = {task.thread for task in self.tasks}
        found = set()
        for proposal in self.protected:
            cpus = {cpu_of(thread) for thread, _ in proposal.lockers if thread.thread in tasks}
            if len(cpus) > 1:
                found.add(proposal.name)
        return frozenset(found)

    def name_of(self, thread: Thread) -> str:
        """Return the thread's name in the file and in the report."""
        return self.threads.get(thread.thread, thread.name)

    def described(self, thread: Thread) -> str:
        """Return the thread's name, policy, priority and start, in words."""
        began = f", begins at {thread.start}" if is_known(thread.start) else ""
        return f"{self.name_of(thread)} ({thread.runs_as}{began})"

    def sections_of(self, thread: Thread) -> Sections:
        """Return the sections of the thread."""
        return Sections(self._holds.get(thread.thread, {}), self._inside)

    @cached_property
    def _holds(self) -> dict[int, dict[str, int]]:
        """The longest hold in ns, by thread and mutex."""
        holds: dict[int, dict[str, int]] = {}
        for proposal in self.protected:
            for thread, locker in proposal.lockers:
                holds.setdefault(thread.thread, {})[proposal.name] = locker.longest_hold_ns
        return holds

    @cached_property
    def _inside(self) -> dict[str, frozenset[str]]:
        names = {proposal.mutex.mutex: proposal.name for proposal in self.proposals}
        return {
            proposal.name: frozenset(names[n] for n in proposal.mutex.inside if n in names)
            for proposal in self.proposals
        }


def is_known(start: str) -> bool:
    """Return whether a place is known; threads that others only waited for have none."""
    return bool(start) and not start.endswith("+0x0")


def cpu_of(task: Thread) -> int:
    """Return the thread's CPU in a description: 0 if it is not pinned."""
    return max(task.cpu, 0)


def learn(evidence: Evidence) -> Learned:
    """Return the results of the evidence of a process that locked a mutex."""
    kept = _kept(evidence)
    places = _own_places(kept)
    names = unique_names({m.mutex: m.name or f"{m.symbol or m.module}_{m.order}" for m in kept})
    left_out = [(thread, why) for thread in evidence.threads for why in _no_task(thread)]
    others = {thread.thread for thread, _ in left_out}
    tasks = sorted(
        (thread for thread in evidence.threads if thread.thread not in others),
        key=lambda thread: (-thread.priority, thread.thread),
    )
    left_out += [(thread, "it is one too many") for thread in tasks[MOST_TASKS:]]
    return Learned(
        evidence,
        unique_names({thread.thread: thread.name for thread in evidence.threads}),
        refuse_mixed(
            propose(names[mutex.mutex], mutex, evidence, places.get(mutex.mutex)) for mutex in kept
        ),
        tuple(tasks[:MOST_TASKS]),
        tuple(left_out),
        len(list(locked_ones(evidence))) - len(kept),
    )


def _kept(evidence: Evidence) -> list[Mutex]:
    """Return the mutexes that were locked most, as many as a file may hold."""
    kept: list[Mutex] = []
    lockers = 0
    for mutex in sorted(locked_ones(evidence), key=lambda mutex: -mutex.locks):
        lockers += len(mutex.lockers)
        if len(kept) < MOST_MUTEXES and lockers <= MOST_LOCKERS:
            kept.append(mutex)
    return sorted(kept, key=lambda mutex: mutex.mutex)


def _own_places(mutexes: list[Mutex]) -> dict[int, str]:
    """Return the places of mutexes that are variables, by mutex.

    A place is left out if several mutexes had it in turn.
    """
    often = Counter(str(mutex.place) for mutex in mutexes)
    return {m.mutex: str(m.place) for m in mutexes if m.place and often[str(m.place)] == 1}


def locked_ones(evidence: Evidence) -> Iterator[Mutex]:
    """Yield the mutexes that were locked and have a protocol, or would need one."""
    for mutex in evidence.mutexes:
        needs_one = can_be_inverted(evidence.users_of(mutex))
        if mutex.is_used and (mutex.protocol != "none" or needs_one):
            yield mutex


def _no_task(thread: Thread) -> Iterator[str]:
    """Yield the reason why a thread is no task, or nothing."""
    if not thread.is_real_time:
        yield "it has no real-time priority"
    elif thread.priority > HIGHEST_PRIORITY:
        yield f"its priority is above {HIGHEST_PRIORITY}, the highest of a description"
    elif not thread.activations:
        yield "it was not seen to be activated"
