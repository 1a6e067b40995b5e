# SPDX-License-Identifier: MIT
"""The rules under fixed priorities: levels and ceilings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.notes import Calls, Condition, Entry, Notes, Task


class Levels(NamedTuple):
    """The levels of a task: its base, its internal resource's, and the highest of its resources."""

    base: int
    internal: int
    highest: int


class Reported(Enum):
    """The content of a protocol's word in the task's page."""

    LEVEL = "uprio"
    CLAIM = "claim"
    NOTHING = "task"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a protocol. `is_kept`: the level that the kernel keeps for a task counts."""

    reported: Reported
    is_kept: bool
    calls: Calls


class Priorities(Notes):
    """Judges tasks with these levels and resources with these ceilings."""

    def __init__(
        self,
        names: tuple[str, ...],
        most: tuple[int, ...],
        tasks: list[Task],
        levels: tuple[Levels, ...],
        ceilings: tuple[int, ...],
        rules: Rules,
    ) -> None:
        """No task has arrived."""
        super().__init__(names, most, tasks, rules.calls)
        self._levels = levels
        self._ceilings = ceilings
        self._rules = rules

    # ---- Levels --------------------------------------------------------------------------

    def _ceiling(self, index: int, resource: int) -> int:
        """The ceiling of a resource that this task is inside of."""
        return self._ceilings[resource]

    def _entered(self, index: int) -> int:
        """The level that the protocol owes the task for its sections."""
        task = self.tasks[index]
        return max((self._levels[index].base, *(self._ceiling(index, r) for r in task.open)))

    def _internal(self, index: int) -> int:
        """The level of the internal resource that the task holds, or its base level."""
        task, levels = self.tasks[index], self._levels[index]
        return levels.internal if task.has_started and not task.is_yielding else levels.base

    def due(self, index: int) -> int:
        """The level that the kernel owes the task."""
        return max(self._entered(index), self._internal(index))

    def least(self, index: int) -> int:
        """The lowest level that the task may have."""
        return self._internal(index) if self.tasks[index].is_foul else self.due(index)

    def most(self, index: int) -> int:
        """The highest level that the task may have."""
        task, levels = self.tasks[index], self._levels[index]
        if task.is_foul or task.is_moving:
            return max(levels.highest, self._internal(index))
        return self.due(index)

    def _entry(self, index: int, arrival: int) -> Entry:
        return Entry(index, 0)

    def _threat(self, entry: Entry, task: int) -> int:
        return self._levels[entry.task].base

    def _begins(self, index: int, entry: Entry) -> None:
        """Nothing to note: from now on the task has its internal level."""

    # ---- The CPU -------------------------------------------------------------------------

    def _judge_running(self, index: int, taken: int | None) -> None:
        level = self._levels[index].base if taken is not None else self.most(index)
        for place, entry in enumerate(self._queue(index)):
            base = self._levels[entry.task].base
            is_first = taken is not None and place < taken
            if base > level or (base == level and is_first):
                self._overtaken(entry.task, base, index, level)
        for other in self._preempted(index):
            least = self.least(other)
            if least > level or (least == level and taken is not None):
                self._overtaken(other, least, index, level)

    def _overtaken(self, index: int, level: int, by: int, its: int) -> None:
        raise ViolationError(
            f"{self.names[index]} ({level}) is ready, and the kernel lets {self.names[by]} "
            f"({its}) run"
        )

    def _judge_users(self, index: int) -> None:
        base = self._levels[index].base
        for other, task in enumerate(self.tasks):
            if other == index or task.is_foul or self.payers[other] != self.payers[index]:
                continue
            for resource in task.open:
                if (ceiling := self._ceiling(other, resource)) >= base:
                    raise ViolationError(
                        f"{self.names[index]} ({base}) runs while {self.names[other]} is inside "
                        f"R{resource + 1}, whose ceiling is {ceiling}"
                    )

    # ---- Reported values -----------------------------------------------------------------

    def judge_reported(self, index: int, word: int, kept: int) -> None:
        """Judge a task whose words are not spoilt."""
        task, due, name = self.tasks[index], self.due(index), self.names[index]
        base, entered = self._levels[index].base, self._entered(index)
        if task.is_foul:
            return
        claim = max((self._ceiling(index, r) for r in task.open), default=0)
        expected = {Reported.LEVEL: entered, Reported.CLAIM: claim}.get(self._rules.reported, word)
        if word != expected:
            raise ViolationError(
                f"{name} has {self._rules.reported.value} {word}: it is {expected}"
            )
        allowed = {
            Calls.EACH: (entered,),
            Calls.RAISED: (base, entered),  # once raised, it has each ceiling in turn
            Calls.CHANGE: range(base, entered + 1),
        }.get(self._rules.calls)
        if allowed is not None and kept not in allowed:
            raise ViolationError(f"the kernel has {name} at level {kept}: it is owed {entered}")
        levels = [self._levels[entry.task].base for entry in self._queue(index)]
        for other in self._preempted(index):
            levels.append(self.least(other))
        if max(levels, default=0) > due:
            raise ViolationError(f"{max(levels)} is ready, and {name} goes on at {due}")

    def judge_kept(self, index: int, kept: int) -> None:
        """Judge the kept level of a task, because it keeps others out after a preemption."""
        task, levels = self.tasks[index], self._levels[index]
        if not self._rules.is_kept or not task.has_started:
            return
        least = levels.base
        if task.condition == Condition.PREEMPTED and not task.is_foul and not task.is_moving:
            least = self._entered(index)
        if not least <= kept <= levels.highest:
            raise ViolationError(
                f"the kernel has {self.names[index]} at level {kept}: it is owed {least}"
            )

    def judge_word(self, index: int, word: int) -> None:
        """Judge the running task's word after the kernel was entered."""
        levels = self._levels[index]
        if self._rules.reported == Reported.LEVEL and not levels.base <= word <= levels.highest:
            raise ViolationError(f"the kernel leaves {self.names[index]} with uprio {word}")

    def counts_from(self, index: int, instant: int) -> None:
        """Nothing to note: a ceiling does not depend on time."""

    def _answered(self, index: int) -> None:
        """Forget threats above the task's level: these tasks have run, or one is running."""
        if self._calls == Calls.THREAT:
            task, due = self.tasks[index], self.due(index)
            self._note(index, threats=tuple(t for t in task.threats if t <= due))

    def _urgency(self, entry: Entry) -> int:
        return self._levels[entry.task].base

    def _is_above(self, one: int, other: int) -> bool:
        return one > other

    def _has_reason(self, task: Task, index: int, before: int, after: int) -> bool:
        is_outermost = len(task.sections) == 1
        if self._calls == Calls.THREAT:
            return any(t > self.due(index) for t in task.threats)
        if self._calls == Calls.CHANGE:
            is_threatened = any(t > self._internal(index) for t in task.threats)
            is_needed = not is_outermost or is_threatened or task.has_yielded
            return before != after and is_needed
        return True
