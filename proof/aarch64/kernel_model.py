# SPDX-License-Identifier: MIT
"""One CPU of Linux: SCHED_FIFO threads and the priority-inheriting futex.

Follows kernel/futex/pi.c, kernel/locking/rtmutex.c and kernel/sched/rt.c as of 6.18, as far as user
space can see. Each operation is indivisible, except that a waiter completes LOCK_PI when it runs
again. Until then a more urgent task may steal the futex that it was handed. recorded.py compares
this model with the kernel of the machine at hand.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from typing import Protocol

WAITERS = 0x80000000
OWNER_DIED = 0x40000000
TID_MASK = 0x3FFFFFFF

ASLEEP, READY, BLOCKED, DONE = range(4)


class Words(Protocol):
    """User memory as the kernel reaches it."""

    def read32(self, address: int) -> int:
        """The word at this address."""

    def write32(self, address: int, value: int) -> None:
        """Change the word."""


@dataclass(slots=True)
class Task:
    """A thread; `waiting` is the address of the futex whose LOCK_PI it is in, or 0."""

    tid: int
    base: int
    priority: int
    state: int = ASLEEP
    waiting: int = 0


@dataclass(slots=True)
class PiState:
    """A PI futex that a task waits on.

    `owner`: the rt_mutex's owner, None between handoff and completion; `named`: the word's owner.
    """

    owner: int | None
    named: int
    waiters: list[int] = field(default_factory=list)


# The variable part of each task, the run queue, the futexes: hashable.
Frozen = tuple[
    tuple[tuple[int, int, int], ...],
    tuple[int, ...],
    tuple[tuple[int, int | None, int, tuple[int, ...]], ...],
]


class Kernel:
    """The kernel. A task is known by its index, and `ready[0]` runs."""

    def __init__(self, tasks: list[tuple[int, int]]) -> None:
        """Make a sleeping task of each pair (TID, priority)."""
        self.tasks = [Task(tid, base, base) for tid, base in tasks]
        self.ready: list[int] = []
        self.futexes: dict[int, PiState] = {}

    def freeze(self) -> Frozen:
        """The whole state as a value."""
        return (
            tuple((t.priority, t.state, t.waiting) for t in self.tasks),
            tuple(self.ready),
            tuple(
                (address, pi.owner, pi.named, tuple(pi.waiters))
                for address, pi in sorted(self.futexes.items())
            ),
        )

    def thaw(self, frozen: Frozen) -> None:
        """Restore this state."""
        tasks, ready, futexes = frozen
        for task, values in zip(self.tasks, tasks, strict=True):
            task.priority, task.state, task.waiting = values
        self.ready = list(ready)
        self.futexes = {
            address: PiState(owner, named, list(waiters))
            for address, owner, named, waiters in futexes
        }

    # ---- The scheduler ------------------------------------------------------

    @property
    def running(self) -> int | None:
        """The task that has the CPU."""
        return self.ready[0] if self.ready else None

    def is_completing(self, index: int) -> bool:
        """Whether the task was woken inside LOCK_PI and must still complete this call."""
        return self.tasks[index].state == READY and self.tasks[index].waiting != 0

    def _enqueue(self, index: int, *, at_head: bool = False) -> None:
        priority = self.tasks[index].priority
        place = 0
        while place < len(self.ready):
            other = self.tasks[self.ready[place]].priority
            if other < priority or (at_head and other == priority):
                break
            place += 1
        self.ready.insert(place, index)

    def wake(self, index: int) -> None:
        """A sleeper becomes ready, behind its equals."""
        self.tasks[index].state = READY
        self._enqueue(index)

    def stop(self, index: int, state: int) -> None:
        """The running task leaves the CPU by itself."""
        self.tasks[index].state = state
        self.ready.remove(index)

    # ---- Priority inheritance -----------------------------------------------

    def _lent(self, index: int) -> int:
        """The base, or the highest priority of the first waiters of futexes that the task owns."""
        lent = [
            self.tasks[pi.waiters[0]].priority
            for pi in self.futexes.values()
            if pi.owner == index and pi.waiters
        ]
        return max([self.tasks[index].base, *lent])

    def _adjust(self, index: int) -> None:
        """Set the lent priority; follow the chain while this changes a priority."""
        task = self.tasks[index]
        before, task.priority = task.priority, self._lent(index)
        if task.priority == before:
            return
        if task.state == READY:
            self.ready.remove(index)
            # A task that loses priority does not queue again behind its new equals.
            self._enqueue(index, at_head=task.priority < before)
        if task.waiting and index in self.futexes[task.waiting].waiters:
            pi = self.futexes[task.waiting]
            pi.waiters.remove(index)
            self._queue(pi, index)
            if pi.owner is not None:
                self._adjust(pi.owner)

    def _queue(self, pi: PiState, index: int) -> None:
        priority = self.tasks[index].priority
        place = 0
        while place < len(pi.waiters) and self.tasks[pi.waiters[place]].priority >= priority:
            place += 1
        pi.waiters.insert(place, index)

    def _closes_cycle(self, pi: PiState, index: int) -> bool:
        owner = pi.owner
        while owner is not None:
            if owner == index:
                return True
            waiting = self.tasks[owner].waiting
            if not waiting:
                return False
            owner = self.futexes[waiting].owner
        return False

    def _may_take(self, pi: PiState, index: int) -> bool:
        """Whether the task may take the futex. The first waiter keeps it only against equals."""
        if pi.owner is not None:
            return False
        first = pi.waiters[0] if pi.waiters else index
        return first == index or self.tasks[index].priority > self.tasks[first].priority

    def _take(self, words: Words, address: int, index: int) -> None:
        pi = self.futexes[address]
        if index in pi.waiters:
            pi.waiters.remove(index)
        pi.owner = index
        if pi.named != index:
            pi.named = index
            kept = words.read32(address) & OWNER_DIED
            words.write32(address, WAITERS | kept | self.tasks[index].tid)
        self._adjust(index)
        if not pi.waiters:
            del self.futexes[address]

    # ---- The calls ------------------------------------------------------------

    def lock_pi(self, words: Words, index: int, address: int) -> int | None:
        """Return 0 or an errno value; None if the caller sleeps."""
        task = self.tasks[index]
        seen = words.read32(address)
        if seen & TID_MASK == task.tid:
            return errno.EDEADLK
        pi = self.futexes.get(address)
        if pi is not None:
            if seen & TID_MASK != self.tasks[pi.named].tid:
                return errno.EINVAL
        else:
            if seen & TID_MASK == 0:
                words.write32(address, seen & OWNER_DIED | task.tid)
                return 0
            words.write32(address, seen | WAITERS)
            owner = [i for i, t in enumerate(self.tasks) if t.tid == seen & TID_MASK]
            if not owner or self.tasks[owner[0]].state == DONE:
                return errno.ESRCH
            pi = self.futexes[address] = PiState(owner[0], owner[0])
        if self._may_take(pi, index):
            self._take(words, address, index)
            return 0
        if self._closes_cycle(pi, index):
            if not pi.waiters:
                del self.futexes[address]
            return errno.EDEADLK
        self._queue(pi, index)
        task.waiting = address
        self.stop(index, BLOCKED)
        if pi.owner is not None:
            self._adjust(pi.owner)
        return None

    def complete(self, words: Words, index: int) -> bool:
        """The running task was woken inside LOCK_PI. Return whether it has the futex now."""
        task = self.tasks[index]
        pi = self.futexes[task.waiting]
        if not self._may_take(pi, index):
            self.stop(index, BLOCKED)
            return False
        address, task.waiting = task.waiting, 0
        self._take(words, address, index)
        return True

    def unlock_pi(self, words: Words, index: int, address: int) -> int:
        """Return 0 or an errno value."""
        if words.read32(address) & TID_MASK != self.tasks[index].tid:
            return errno.EPERM
        pi = self.futexes.get(address)
        if pi is None:
            words.write32(address, 0)
            return 0
        if pi.named != index:
            return errno.EINVAL
        first = pi.waiters[0]
        words.write32(address, WAITERS | self.tasks[first].tid)
        pi.named = first
        pi.owner = None
        self._adjust(index)
        if self.tasks[first].state == BLOCKED:
            self.wake(first)
        return 0
