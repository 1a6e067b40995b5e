# SPDX-License-Identifier: MIT
"""What must hold at every moment: the rules, and what they need to remember."""

from __future__ import annotations

from dataclasses import dataclass, field

from proof.engine.explore import ViolationError

# A thread is blocked by at most one section of a less urgent one in an activation; it may ask for
# a few gates more that turn out to be free. Beyond that it is going round in circles.
BLOCKINGS = 1
GATE_CALLS = 4

_FrozenActivation = tuple[tuple[int, ...], bool, bool, int, int]
Frozen = tuple[tuple[_FrozenActivation, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True)
class Activation:
    """What one thread has done since it woke: its open sections, innermost last."""

    open: list[int] = field(default_factory=list)
    own: bool = False  # it is through the hook: its own code runs
    slept: bool = False  # inside a section
    blockings: int = 0
    gate_calls: int = 0


class Rules:
    """Judge what threads of these base priorities do with locks of these ceilings."""

    def __init__(self, bases: list[int], ceilings: list[int], *, timing: bool) -> None:
        """`timing`: no thread suspends itself in a section, so that the ceiling rule holds too."""
        self.bases = bases
        self.ceilings = list(ceilings)
        self.changes = [0] * len(ceilings)  # of each lock's data
        self.timing = timing
        self.threads = [Activation() for _ in bases]

    def freeze(self) -> Frozen:
        """Return all that is remembered, as a value."""
        threads = tuple(
            (tuple(t.open), t.own, t.slept, t.blockings, t.gate_calls) for t in self.threads
        )
        return threads, tuple(self.ceilings), tuple(self.changes)

    def thaw(self, frozen: Frozen) -> None:
        """Go back to it."""
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
        """And has done so."""
        if lock not in self.threads[index].open:
            raise ViolationError("the driver changes data outside of their lock")
        self.changes[lock] += 1

    def hook_returns(self, index: int) -> None:
        """Its own code begins."""
        self.threads[index].own = True
        self.runs(index)

    def runs(self, index: int) -> None:
        """It has the CPU: no open section of another may cover it, unless it is in the hook."""
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
        """It runs while these sleep on gates: a more urgent one only if a section covers it."""
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
        """Calls FUTEX_LOCK_PI."""
        self.threads[index].gate_calls += 1
        if self.timing and self.threads[index].gate_calls > GATE_CALLS:
            raise ViolationError(
                f"livelock: thread {index} asks for a gate {GATE_CALLS + 1} times in an activation"
            )

    def blocks(self, index: int, owner: int) -> None:
        """And sleeps there."""
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
