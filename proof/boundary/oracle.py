# SPDX-License-Identifier: MIT
"""Judge the invariants by separate notes, and never by a protocol's words."""

from __future__ import annotations

from dataclasses import dataclass, field

from proof.boundary.schedule import Condition, Schedule
from proof.engine.explore import ViolationError

Frozen = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True)
class Oracle:
    """Judges the actions of actors with these base priorities and locks with these ceilings.

    `limits`: the kernel raises no actor above its limit. `is_timed`: no actor suspends itself in a
    section or is limited, so more than exclusion must hold. `is_frugal`: no kernel call may be in
    vain.
    """

    names: tuple[str, ...]
    bases: tuple[int, ...]
    limits: tuple[int, ...]
    ceilings: tuple[int, ...]
    is_timed: bool
    is_frugal: bool
    open: list[list[int]] = field(default_factory=list)  # each actor's sections
    calls: list[int] = field(default_factory=list)  # since the actor's last section began or ended
    changes: list[int] = field(default_factory=list)  # of each lock's data

    def __post_init__(self) -> None:
        """No actor is inside."""
        self.open = [[] for _ in self.bases]
        self.calls = [0 for _ in self.bases]
        self.changes = [0 for _ in self.ceilings]

    def freeze(self) -> Frozen:
        """All notes, as a value."""
        return tuple(map(tuple, self.open)), tuple(self.calls), tuple(self.changes)

    def thaw(self, frozen: Frozen) -> None:
        """Restore these notes."""
        sections, calls, changes = frozen
        self.open = [list(locks) for locks in sections]
        self.calls, self.changes = list(calls), list(changes)

    def due(self, index: int) -> int:
        """The priority that the protocol owes the actor: its base, or its highest open ceiling."""
        ceiling = max((self.ceilings[lock] for lock in self.open[index]), default=0)
        return max(self.bases[index], min(ceiling, self.limits[index]))

    # ---- The CPU -------------------------------------------------------------------

    def judge_switch(self, schedule: Schedule) -> None:
        """The CPU has gone to another actor, or to none."""
        for index, task in enumerate(schedule.tasks):
            if index != schedule.running and task.priority < self.due(index):
                raise ViolationError(
                    f"{self.names[index]} is off the CPU at priority {task.priority}: "
                    f"its sections ask for {self.due(index)}"
                )
        running = schedule.running
        if running is not None and self.is_timed:
            self._judge_ceilings(running)
            self._judge_start(running, schedule)

    def _judge_ceilings(self, index: int) -> None:
        for other, locks in enumerate(self.open):
            for lock in locks:
                if other != index and self.ceilings[lock] >= self.bases[index]:
                    raise ViolationError(
                        f"{self.names[index]} ({self.bases[index]}) runs while {self.names[other]} "
                        f"is inside R{lock + 1}, whose ceiling is {self.ceilings[lock]}"
                    )

    def _judge_start(self, index: int, schedule: Schedule) -> None:
        """Once an actor has started, no less urgent actor may hold it up."""
        for other in schedule.has_run:
            if self.bases[other] > self.bases[index]:
                raise ViolationError(
                    f"{self.names[other]} ({self.bases[other]}) has started, and waits for "
                    f"{self.names[index]} ({self.bases[index]})"
                )

    # ---- Actions of an actor -------------------------------------------------------

    def enters(self, index: int, lock: int) -> None:
        """The actor is inside."""
        for other, locks in enumerate(self.open):
            if lock in locks:
                raise ViolationError(
                    f"{self.names[other]} and {self.names[index]} are both inside R{lock + 1}"
                )
        self.open[index].append(lock)
        self._judge_calls(index)
        if self.is_timed:
            self._judge_ceilings(index)

    def leaves(self, index: int, lock: int) -> None:
        """The actor is about to leave."""
        if lock not in self.open[index]:
            raise ViolationError(f"{self.names[index]} leaves R{lock + 1}, where it is not")
        self.open[index].remove(lock)

    def has_left(self, index: int) -> None:
        """The actor has left."""
        self._judge_calls(index)

    def _judge_calls(self, index: int) -> None:
        if self.is_frugal and self.is_timed and self.calls[index] > 1:
            raise ViolationError(f"{self.names[index]} calls the kernel twice for one section")
        self.calls[index] = 0

    def takes_detour(self, index: int) -> None:
        """The fast path has refused. It must not refuse an outermost section."""
        if self.is_timed and not self.open[index]:
            raise ViolationError(f"{self.names[index]}'s fast path refuses an outermost section")

    def changes_data(self, index: int, lock: int) -> None:
        """The actor has changed the data."""
        if lock not in self.open[index]:
            raise ViolationError(f"the driver changes R{lock + 1}'s data outside of it")
        self.changes[lock] += 1

    def calls_kernel(self, index: int, before: int, after: int) -> None:
        """The actor calls the kernel for another priority."""
        self.calls[index] += 1
        if self.is_frugal and before == after:
            raise ViolationError(f"{self.names[index]} calls the kernel in vain: it has {before}")

    def judge_priority(self, index: int, schedule: Schedule) -> None:
        """Between calls: judge that the actor has no more than it is owed, and holds up none."""
        if schedule.tasks[index].priority > self.due(index):
            raise ViolationError(
                f"{self.names[index]} has priority {schedule.tasks[index].priority}: "
                f"it is owed {self.due(index)}"
            )
        for other, task in enumerate(schedule.tasks):
            if task.condition == Condition.READY and self.bases[other] > self.due(index):
                raise ViolationError(
                    f"{self.names[other]} ({self.bases[other]}) is ready, and "
                    f"{self.names[index]} goes on at {self.due(index)}"
                )

    def ends(self, index: int) -> None:
        """The script has ended."""
        if self.open[index]:
            raise ViolationError(f"{self.names[index]} ends inside a section")
