# SPDX-License-Identifier: MIT
"""The rules under EDF: deadlines and floors. Instants count modulo 2^64."""

from __future__ import annotations

from typing import NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.notes import Calls, Condition, Entry, Notes, Task

SPAN = 1 << 64
NONE = SPAN - 1  # the value of a claim outside all sections


class Deadlines(NamedTuple):
    """The relative deadline of a task, and the least floor of its resources."""

    relative: int
    least: int


def later(instant: int, by: int) -> int:
    """The instant that is `by` after `instant`."""
    return (instant + by) % SPAN


def is_earlier(one: int, other: int) -> bool:
    """Whether `one` is before `other`. They must be less than half the span apart."""
    return (one - other) % SPAN >= SPAN // 2


def earliest(first: int, *others: int) -> int:
    """The earliest of these instants."""
    for other in others:
        if is_earlier(other, first):
            first = other
    return first


class Floors(Notes):
    """Judges tasks with these relative deadlines and resources with these floors.

    Under Calls.EACH a section shortens the deadline at once. Otherwise the kernel shortens it at
    the latest when it keeps a task out.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        most: tuple[int, ...],
        tasks: list[Task],
        deadlines: tuple[Deadlines, ...],
        floors: tuple[int, ...],
        calls: Calls,
    ) -> None:
        """No task has arrived."""
        super().__init__(names, most, tasks, calls)
        self._deadlines = deadlines
        self._floors = floors

    # ---- Deadlines -----------------------------------------------------------------------

    def _soonest(self, index: int) -> int:
        """The earliest possible deadline. A floor counts from the beginning of its section."""
        task, least = self.tasks[index], self._deadlines[index].least
        if task.is_foul:
            begun = later(task.deadline, SPAN - self._deadlines[index].relative)
            return earliest(task.deadline, later(begun, least))
        return earliest(
            task.deadline,
            *(
                later(s.since, least if s.resource is None else self._floors[s.resource])
                for s in task.sections
            ),
        )

    def _entry(self, index: int, arrival: int) -> Entry:
        deadline = later(arrival, self._deadlines[index].relative)
        others = [e.deadline for e in self.queue if e.task == index]
        if self.tasks[index].condition != Condition.READY:
            others.append(self.tasks[index].deadline)
        if self.tasks[index].pending > 1:  # a later activation has no earlier deadline
            for other in others:
                deadline = other if is_earlier(deadline, other) else deadline
        return Entry(index, deadline)

    def _threat(self, entry: Entry, task: int) -> int:
        return int(is_earlier(entry.deadline, self.tasks[task].deadline))

    def _begins(self, index: int, entry: Entry) -> None:
        self._note(index, deadline=entry.deadline)

    # ---- The CPU -------------------------------------------------------------------------

    def _judge_running(self, index: int, taken: int | None) -> None:
        soonest = self._soonest(index)
        for place, entry in enumerate(self._queue(index)):
            is_first = taken is not None and place < taken and entry.deadline == soonest
            if is_earlier(entry.deadline, soonest) or is_first:
                self._overtaken(entry.task, index)
        for other in self._preempted(index):
            own = self.tasks[other].deadline
            if is_earlier(own, soonest) or (taken is not None and own == soonest):
                self._overtaken(other, index)

    def _overtaken(self, index: int, by: int) -> None:
        raise ViolationError(
            f"{self.names[index]} is ready and earlier, and the kernel lets {self.names[by]} run"
        )

    def _judge_users(self, index: int) -> None:
        relative = self._deadlines[index].relative
        for other, task in enumerate(self.tasks):
            if other == index or task.is_foul or self.payers[other] != self.payers[index]:
                continue
            for resource in task.open:
                if relative >= self._floors[resource]:
                    raise ViolationError(
                        f"{self.names[index]} (deadline {relative}) runs while {self.names[other]} "
                        f"is inside R{resource + 1}, whose floor is {self._floors[resource]}"
                    )

    # ---- Reported values -----------------------------------------------------------------

    def judge_reported(self, index: int, word: int, kept: int) -> None:
        """Judge a task whose words are not spoilt."""
        task, name = self.tasks[index], self.names[index]
        if task.is_foul:
            return
        claim = min((self._floors[r] for r in task.open), default=NONE)
        if self._calls != Calls.EACH and word != claim:
            raise ViolationError(f"{name} has claim {word}: it is {claim}")
        soonest = self._soonest(index)
        is_exact = not task.sections or self._calls == Calls.EACH
        if (is_exact and kept != (soonest if task.sections else task.deadline)) or (
            is_earlier(kept, soonest) or is_earlier(task.deadline, kept)
        ):
            raise ViolationError(
                f"the kernel has {name} at {kept}: it is owed {soonest} to {task.deadline}"
            )
        for entry in self._queue(index):
            if is_earlier(entry.deadline, soonest):
                raise ViolationError(
                    f"{self.names[entry.task]} ({entry.deadline}) is ready, and {name} "
                    f"({soonest}) goes on"
                )

    def judge_kept(self, index: int, kept: int) -> None:
        """The kept deadline is never after the task's, nor before the earliest possible."""
        task = self.tasks[index]
        if not task.has_started or task.condition == Condition.READY:
            return
        if is_earlier(task.deadline, kept) or is_earlier(kept, self._soonest(index)):
            raise ViolationError(
                f"the kernel has {self.names[index]} at {kept}: it is owed {self._soonest(index)} "
                f"to {task.deadline}"
            )

    def judge_word(self, index: int, word: int) -> None:
        """Nothing to judge: the kernel bounds the claim when it reads it."""

    def counts_from(self, index: int, instant: int) -> None:
        """The task calls the kernel to enter a section, whose floor counts from `instant`."""
        task = self.tasks[index]
        sections = (*task.sections[:-1], task.sections[-1]._replace(since=instant))
        self._note(index, sections=sections)

    def _answered(self, index: int) -> None:
        """A reason to call stays until the task is outside all sections."""

    def _urgency(self, entry: Entry) -> int:
        return entry.deadline

    def _is_above(self, one: int, other: int) -> bool:
        return is_earlier(one, other)

    def _has_reason(self, task: Task, index: int, before: int, after: int) -> bool:
        return before != after and (len(task.sections) > 1 or 1 in task.threats)
