# SPDX-License-Identifier: MIT
"""What must hold at every moment, judged from notes of its own: never from a protocol's words."""

from __future__ import annotations

from dataclasses import dataclass, field

from proof.boundary.schedule import Condition, Schedule
from proof.engine.explore import ViolationError

Frozen = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True)
class Oracle:
    """Judges what actors of these base priorities do with locks of these ceilings.

    `limits`: the kernel raises nobody higher. `is_timed`: nobody suspends itself in a section or
    is limited, so that more than exclusion holds.
    `is_frugal`: no kernel call is in vain.
    """

    names: tuple[str, ...]
    bases: tuple[int, ...]
    limits: tuple[int, ...]
    ceilings: tuple[int, ...]
    is_timed: bool
    is_frugal: bool
    open: list[list[int]] = field(default_factory=list)  # each actor's sections
    calls: list[int] = field(default_factory=list)  # since its last section began or ended
    changes: list[int] = field(default_factory=list)  # of each lock's data

    def __post_init__(self) -> None:
        """Nobody is inside."""
        self.open = [[] for _ in self.bases]
        self.calls = [0 for _ in self.bases]
        self.changes = [0 for _ in self.ceilings]

    def freeze(self) -> Frozen:
        """All notes, as a value."""
        return tuple(map(tuple, self.open)), tuple(self.calls), tuple(self.changes)

    def thaw(self, frozen: Frozen) -> None:
        """Go back to them."""
        sections, calls, changes = frozen
        self.open = [list(locks) for locks in sections]
        self.calls, self.changes = list(calls), list(changes)

    def due(self, who: int) -> int:
        """The priority that the protocol owes it: its base, or its highest open ceiling."""
        ceiling = max((self.ceilings[lock] for lock in self.open[who]), default=0)
        return max(self.bases[who], min(ceiling, self.limits[who]))

    # ---- Who runs ------------------------------------------------------------------

    def judge_switch(self, schedule: Schedule) -> None:
        """Somebody else has got the CPU, or nobody."""
        for who, task in enumerate(schedule.tasks):
            if who != schedule.running and task.priority < self.due(who):
                raise ViolationError(
                    f"{self.names[who]} is off the CPU at priority {task.priority}: "
                    f"its sections ask for {self.due(who)}"
                )
        running = schedule.running
        if running is not None and self.is_timed:
            self._judge_ceilings(running)
            self._judge_start(running, schedule)

    def _judge_ceilings(self, who: int) -> None:
        for other, locks in enumerate(self.open):
            for lock in locks:
                if other != who and self.ceilings[lock] >= self.bases[who]:
                    raise ViolationError(
                        f"{self.names[who]} ({self.bases[who]}) runs while {self.names[other]} "
                        f"is inside R{lock + 1}, whose ceiling is {self.ceilings[lock]}"
                    )

    def _judge_start(self, who: int, schedule: Schedule) -> None:
        """Who has started is not held up by anybody less urgent."""
        for other in schedule.has_run:
            if self.bases[other] > self.bases[who]:
                raise ViolationError(
                    f"{self.names[other]} ({self.bases[other]}) has started, and waits for "
                    f"{self.names[who]} ({self.bases[who]})"
                )

    # ---- What it does --------------------------------------------------------------

    def enters(self, who: int, lock: int) -> None:
        """It is inside."""
        for other, locks in enumerate(self.open):
            if lock in locks:
                raise ViolationError(
                    f"{self.names[other]} and {self.names[who]} are both inside R{lock + 1}"
                )
        self.open[who].append(lock)
        self._judge_calls(who)
        if self.is_timed:
            self._judge_ceilings(who)

    def leaves(self, who: int, lock: int) -> None:
        """It is about to leave."""
        if lock not in self.open[who]:
            raise ViolationError(f"{self.names[who]} leaves R{lock + 1}, where it is not")
        self.open[who].remove(lock)

    def has_left(self, who: int) -> None:
        """And has done so."""
        self._judge_calls(who)

    def _judge_calls(self, who: int) -> None:
        if self.is_frugal and self.is_timed and self.calls[who] > 1:
            raise ViolationError(f"{self.names[who]} calls the kernel twice for one section")
        self.calls[who] = 0

    def takes_detour(self, who: int) -> None:
        """The fast path is for outermost sections, and refuses none."""
        if self.is_timed and not self.open[who]:
            raise ViolationError(f"{self.names[who]}'s fast path refuses an outermost section")

    def changes_data(self, who: int, lock: int) -> None:
        """And has done so."""
        if lock not in self.open[who]:
            raise ViolationError(f"the driver changes R{lock + 1}'s data outside of it")
        self.changes[lock] += 1

    def calls_kernel(self, who: int, before: int, after: int) -> None:
        """For another priority."""
        self.calls[who] += 1
        if self.is_frugal and before == after:
            raise ViolationError(f"{self.names[who]} calls the kernel in vain: it has {before}")

    def judge_priority(self, who: int, schedule: Schedule) -> None:
        """Between calls: it has no more than it is owed, and keeps nobody waiting for nothing."""
        if schedule.tasks[who].priority > self.due(who):
            raise ViolationError(
                f"{self.names[who]} has priority {schedule.tasks[who].priority}: "
                f"it is owed {self.due(who)}"
            )
        for other, task in enumerate(schedule.tasks):
            if task.condition == Condition.READY and self.bases[other] > self.due(who):
                raise ViolationError(
                    f"{self.names[other]} ({self.bases[other]}) is ready, and "
                    f"{self.names[who]} goes on at {self.due(who)}"
                )

    def ends(self, who: int) -> None:
        """The script is over."""
        if self.open[who]:
            raise ViolationError(f"{self.names[who]} ends inside a section")
