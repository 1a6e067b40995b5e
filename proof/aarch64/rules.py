# SPDX-License-Identifier: MIT
"""The rules that must hold at every moment, and the notes that they need."""

from __future__ import annotations

from dataclasses import dataclass, field

from proof.engine.explore import ViolationError

# In an activation, at most one section of a less urgent thread blocks a thread. The thread may ask
# for a few more gates that are free. Beyond this limit it runs in circles.
BLOCKINGS = 1
GATE_CALLS = 4

_FrozenActivation = tuple[tuple[int, ...], bool, bool, int, int]
Frozen = tuple[tuple[_FrozenActivation, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True)
class Activation:
    """The actions of a thread since it woke: its open sections, innermost last."""

    open: list[int] = field(default_factory=list)
    own: bool = False  # the hook has returned, and its own code runs
    slept: bool = False  # inside a section
    blockings: int = 0
    gate_calls: int = 0


class Rules:
    """Judge the actions of threads with these base priorities and locks with these ceilings."""

    def __init__(self, bases: list[int], ceilings: list[int], *, timing: bool) -> None:
        """`timing`: no thread suspends itself in a section, so the ceiling rule must hold, too."""
        self.bases = bases
        self.ceilings = list(ceilings)
        self.changes = [0] * len(ceilings)  # of each lock's data
        self.timing = timing
        self.threads = [Activation() for _ in bases]

    def freeze(self) -> Frozen:
        """Return all notes, as a value."""
        threads = tuple(
            (tuple(t.open), t.own, t.slept, t.blockings, t.gate_calls) for t in self.threads
        )
        return threads, tuple(self.ceilings), tuple(self.changes)

    def thaw(self, frozen: Frozen) -> None:
        """Restore these notes."""
        threads, ceilings, changes = frozen
        self.threads = [
            Activation(list(open_), own, slept, blockings, calls)
            for open_, own, slept, blockings, calls in threads
        ]
        self.ceilings, self.changes = list(ceilings), list(changes)

    def enters(self, index: int, lock: int) -> None:
        """Lock has returned."""
        for other, activation in enumerate(self.threads):
            if lock in activation.open:
                raise ViolationError(
                    f"mutual exclusion: threads {other} and {index} are both inside lock {lock}"
                )
        self.threads[index].open.append(lock)
        self.runs(index)

    def leaves(self, index: int, lock: int) -> None:
        """Unlock is about to be called."""
        if self.threads[index].open.pop() != lock:
            raise ViolationError("the driver does not unlock in order")

    def changes_data(self, index: int, lock: int) -> None:
        """The thread has changed the data."""
        if lock not in self.threads[index].open:
            raise ViolationError("the driver changes data outside of their lock")
        self.changes[lock] += 1

    def hook_returns(self, index: int) -> None:
        """The hook has returned, so the thread's own code begins."""
        self.threads[index].own = True
        self.runs(index)

    def runs(self, index: int) -> None:
        """The thread has the CPU. Outside of the hook, no section of others may cover it."""
        activation = self.threads[index]
        if not self.timing or not (activation.own or activation.open):
            return
        for other, theirs in enumerate(self.threads):
            for lock in theirs.open:
                if other != index and self.ceilings[lock] >= self.bases[index]:
                    raise ViolationError(
                        f"ceiling rule: thread {index} (priority {self.bases[index]}) runs its own "
                        f"code while thread {other} is inside lock {lock} "
                        f"(ceiling {self.ceilings[lock]})"
                    )

    def keeps_waiting(self, index: int, asleep: list[int]) -> None:
        """Judge the threads that sleep on gates: a section must cover each more urgent thread."""
        for waiter in asleep:
            covered = any(
                self.ceilings[lock] >= self.bases[waiter]
                for other, theirs in enumerate(self.threads)
                for lock in theirs.open
                if other != waiter
            )
            if self.timing and self.bases[waiter] > self.bases[index] and not covered:
                raise ViolationError(
                    f"thread {waiter} (priority {self.bases[waiter]}) waits while thread {index} "
                    f"runs, and no open section covers it"
                )

    def asks_gate(self, index: int) -> None:
        """The thread calls FUTEX_LOCK_PI."""
        self.threads[index].gate_calls += 1
        if self.timing and self.threads[index].gate_calls > GATE_CALLS:
            raise ViolationError(
                f"livelock: thread {index} asks for a gate {GATE_CALLS + 1} times in an activation"
            )

    def blocks(self, index: int, owner: int) -> None:
        """The thread sleeps on a gate of this owner."""
        if not self.timing or self.bases[owner] >= self.bases[index]:
            return
        self.threads[index].blockings += 1
        if self.threads[index].blockings > BLOCKINGS:
            raise ViolationError(f"thread {index} is blocked a second time in one activation")
        if self.bases[index] > max(self.ceilings):
            raise ViolationError(
                f"thread {index} (priority {self.bases[index]}) is above every ceiling, and waits"
            )

    def ends(self, index: int, priority: int) -> None:
        """The activation is over."""
        if self.threads[index].open:
            raise ViolationError(f"thread {index} ended inside {self.threads[index].open}")
        if priority != self.bases[index]:
            raise ViolationError(
                f"thread {index} ends at priority {priority}: {self.bases[index]} is its base"
            )
        self.threads[index].own = False
