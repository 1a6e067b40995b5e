# SPDX-License-Identifier: MIT
"""A model of one CPU of Linux: fixed priorities, first come first served within a priority.

The ready tasks are sorted, most urgent first, and the first should run. A raise puts a task before
the others of its new priority, because the module raises to one above and lowers again. A lowering
puts it first, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Condition(IntEnum):
    """The condition of a task."""

    ASLEEP = 0  # an arrival wakes it
    READY = 1
    WAITING = 2  # for a lock
    DONE = 3


Frozen = tuple[
    tuple[tuple[int, Condition, int], ...], tuple[int, ...], int | None, bool, frozenset[int]
]


@dataclass(slots=True)
class Task:
    """The kernel's knowledge of a task."""

    priority: int
    condition: Condition = Condition.ASLEEP
    lock: int = 0  # for which it waits


@dataclass(slots=True)
class Schedule:
    """The running and the ready actors. Unless `is_raise_first`, a raise puts the task last."""

    tasks: list[Task]
    is_raise_first: bool = True
    order: list[int] = field(default_factory=list)
    running: int | None = None
    is_preemption_off: bool = False
    has_run: set[int] = field(default_factory=set)  # since they arrived

    def freeze(self) -> Frozen:
        """The whole schedule, as a value."""
        tasks = tuple((t.priority, t.condition, t.lock) for t in self.tasks)
        return (
            tasks,
            tuple(self.order),
            self.running,
            self.is_preemption_off,
            frozenset(self.has_run),
        )

    def thaw(self, frozen: Frozen) -> None:
        """Restore this schedule."""
        tasks, order, self.running, self.is_preemption_off, has_run = frozen
        self.tasks = [Task(*task) for task in tasks]
        self.order = list(order)
        self.has_run = set(has_run)

    def _insert(self, index: int, *, first: bool) -> None:
        priority = self.tasks[index].priority
        place = 0
        for other in self.order:
            theirs = self.tasks[other].priority
            if theirs < priority or (first and theirs == priority):
                break
            place += 1
        self.order.insert(place, index)

    def wake(self, index: int) -> None:
        """The task is ready, behind the others of its priority."""
        self.tasks[index].condition = Condition.READY
        self._insert(index, first=False)

    def wake_waiting(self, lock: int) -> None:
        """Wake all waiters of this lock, the most urgent first."""
        waiting = [
            i
            for i, t in enumerate(self.tasks)
            if t.condition == Condition.WAITING and t.lock == lock
        ]
        for index in sorted(waiting, key=lambda i: -self.tasks[i].priority):
            self.wake(index)

    def stop(self, index: int, condition: Condition, lock: int = 0) -> None:
        """The running task leaves the CPU by itself."""
        self.tasks[index].condition = condition
        self.tasks[index].lock = lock
        self.order.remove(index)
        self.running = None
        if condition != Condition.WAITING:
            self.has_run.discard(index)

    def set_priority(self, index: int, priority: int) -> None:
        """A raise or a lowering. The same priority again changes nothing."""
        task = self.tasks[index]
        if priority == task.priority:
            return
        first = self.is_raise_first or priority < task.priority
        task.priority = priority
        self.order.remove(index)
        self._insert(index, first=first)

    @property
    def may_switch(self) -> bool:
        """Whether another actor should run."""
        first = self.order[0] if self.order else None
        return first != self.running and not self.is_preemption_off

    def pick(self) -> None:
        """Let the first ready actor run."""
        self.running = self.order[0] if self.order else None
        if self.running is not None:
            self.has_run.add(self.running)
