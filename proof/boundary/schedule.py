# SPDX-License-Identifier: MIT
"""A model of one CPU of Linux: fixed priorities, first come first served within one.

The ready tasks stand in one order, most urgent first; the first one should run. A raise puts a
task before the others of its new priority (the module raises to one above and lowers again), and
so does a lowering.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Condition(IntEnum):
    """Of a task."""

    ASLEEP = 0  # an arrival wakes it
    READY = 1
    WAITING = 2  # for a lock
    DONE = 3


Frozen = tuple[
    tuple[tuple[int, Condition, int], ...], tuple[int, ...], int | None, bool, frozenset[int]
]


@dataclass(slots=True)
class Task:
    """What the kernel knows of a task."""

    priority: int
    condition: Condition = Condition.ASLEEP
    lock: int = 0  # for which it waits


@dataclass(slots=True)
class Schedule:
    """Who runs, who is ready. `is_raise_first` false: the raise that Linux makes by itself."""

    tasks: list[Task]
    is_raise_first: bool = True
    order: list[int] = field(default_factory=list)
    running: int | None = None
    is_preemption_off: bool = False
    has_run: set[int] = field(default_factory=set)  # since they arrived

    def freeze(self) -> Frozen:
        """All of it, as a value."""
        tasks = tuple((t.priority, t.condition, t.lock) for t in self.tasks)
        return (
            tasks,
            tuple(self.order),
            self.running,
            self.is_preemption_off,
            frozenset(self.has_run),
        )

    def thaw(self, frozen: Frozen) -> None:
        """Go back to it."""
        tasks, order, self.running, self.is_preemption_off, has_run = frozen
        self.tasks = [Task(*task) for task in tasks]
        self.order = list(order)
        self.has_run = set(has_run)

    def _insert(self, who: int, *, first: bool) -> None:
        priority = self.tasks[who].priority
        place = 0
        for other in self.order:
            theirs = self.tasks[other].priority
            if theirs < priority or (first and theirs == priority):
                break
            place += 1
        self.order.insert(place, who)

    def wake(self, who: int) -> None:
        """It is ready, behind the others of its priority."""
        self.tasks[who].condition = Condition.READY
        self._insert(who, first=False)

    def wake_waiting(self, lock: int) -> None:
        """All who wait for that lock, the most urgent first."""
        waiting = [
            i
            for i, t in enumerate(self.tasks)
            if t.condition == Condition.WAITING and t.lock == lock
        ]
        for who in sorted(waiting, key=lambda i: -self.tasks[i].priority):
            self.wake(who)

    def stop(self, who: int, condition: Condition, lock: int = 0) -> None:
        """It leaves the CPU by itself."""
        self.tasks[who].condition = condition
        self.tasks[who].lock = lock
        self.order.remove(who)
        self.running = None
        if condition != Condition.WAITING:
            self.has_run.discard(who)

    def set_priority(self, who: int, priority: int) -> None:
        """A raise or a lowering; the same again changes nothing."""
        task = self.tasks[who]
        if priority == task.priority:
            return
        first = self.is_raise_first or priority < task.priority
        task.priority = priority
        self.order.remove(who)
        self._insert(who, first=first)

    @property
    def may_switch(self) -> bool:
        """Whether somebody else should run."""
        first = self.order[0] if self.order else None
        return first != self.running and not self.is_preemption_off

    def pick(self) -> None:
        """The first one runs."""
        self.running = self.order[0] if self.order else None
        if self.running is not None:
            self.has_run.add(self.running)
