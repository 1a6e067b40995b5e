# SPDX-License-Identifier: MIT
"""Judge the invariants by separate notes, and never by the kernel's memory.

This module has the rules that hold for any kind of urgency. priority.py and edf.py have the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from proof.engine.explore import ViolationError

NEVER = (1 << 64) - 1  # no instant


class Condition(IntEnum):
    """The condition of a task."""

    SUSPENDED = 0  # no activation
    READY = 1  # new or woken
    PREEMPTED = 2
    RUNNING = 3  # or would run if its server had the core
    WAITING = 4


class Status(IntEnum):
    """Status values of services."""

    OK = 0
    LIMIT = 4


class Calls(StrEnum):
    """When a task may call the kernel for a resource."""

    EACH = "each"  # on entry and on exit of each section
    ENTRY = "entry"  # on exit, if the kernel was entered during the section
    RAISED = "raised"  # as ENTRY of the outermost section; on entry of inner sections, too
    THREAT = "threat"  # on exit, if a more urgent task became ready during the section
    CHANGE = "change"  # on exit, if the call makes the task less urgent


class Section(NamedTuple):
    """A section that a task is in, is entering (`resource` is None) or is leaving."""

    resource: int | None
    since: int  # the instant of its beginning
    is_seen: bool = False  # whether the kernel was entered since then


class Task(NamedTuple):
    """The notes on a task."""

    condition: Condition = Condition.SUSPENDED
    left: int = 1  # number of interrupts that will activate it
    pending: int = 0  # activations, including the running one
    has_started: bool = False
    is_moving: bool = False  # is entering or leaving; its words may be old or new
    is_yielding: bool = False  # released its internal resource, and has not run since
    has_yielded: bool = False  # yielded since its outermost section began
    is_foul: bool = False  # its words were spoilt
    events: int = 0  # events that are set
    waits_for: int = 0
    sections: tuple[Section, ...] = ()  # outermost first; it may be entering or leaving the last
    threats: tuple[int, ...] = ()  # of tasks that became ready since its outermost section began
    calls: int = 0  # number of calls since it began to enter or leave a section
    deadline: int = 0  # EDF: the deadline of its activation

    @property
    def open(self) -> tuple[int, ...]:
        """The resources that the task is inside of."""
        inside = self.sections[:-1] if self.is_moving else self.sections
        return tuple(s.resource for s in inside if s.resource is not None)


_PLACES = {name: place for place, name in enumerate(Task._fields)}


class Entry(NamedTuple):
    """A new or woken task. Entries stand in the order in which the tasks became ready."""

    task: int
    deadline: int  # EDF


Frozen = tuple[tuple[Task, ...], tuple[Entry, ...], tuple[int, ...], Hashable]


class Notes(ABC):
    """Judges tasks; `most`: the number of activations that each may have."""

    payers: tuple[int, ...]  # each task's server; only tasks of the same server compete

    def __init__(
        self, names: tuple[str, ...], most: tuple[int, ...], tasks: list[Task], calls: Calls
    ) -> None:
        """No task has arrived, and all tasks have the same server."""
        self.names = names
        self.tasks = tasks
        self.queue: tuple[Entry, ...] = ()
        self.changes = [0] * 5  # the number of changes of each resource's data
        self.payers = (0,) * len(names)
        self._most = most
        self._calls = calls

    def freeze(self) -> Frozen:
        """All notes, as a value."""
        return tuple(self.tasks), self.queue, tuple(self.changes), self._more()

    def thaw(self, frozen: Frozen) -> None:
        """Restore these notes."""
        self.tasks, self.queue, self.changes = list(frozen[0]), frozen[1], list(frozen[2])
        self._adopt_more(frozen[3])

    def _more(self) -> Hashable:
        """The notes of a subclass, as a value."""
        return None

    def _adopt_more(self, more: Any) -> None:
        """Restore the notes of a subclass."""
        del more

    def _note(self, index: int, **changes: Any) -> Task:
        fields = list(self.tasks[index])  # because `_replace()` takes four times as long
        for name, value in changes.items():
            fields[_PLACES[name]] = value
        task = self.tasks[index] = Task._make(fields)
        return task

    def _preempted(self, rival: int) -> list[int]:
        """The preempted tasks that compete with this task."""
        tasks = enumerate(self.tasks)
        preempted = [i for i, task in tasks if task.condition == Condition.PREEMPTED and i != rival]
        return [i for i in preempted if self.payers[i] == self.payers[rival]]

    def _queue(self, rival: int) -> list[Entry]:
        """The entries of this task's server, its own included."""
        payer = self.payers[rival]
        return [entry for entry in self.queue if self.payers[entry.task] == payer]

    # ---- Urgency -----------------------------------------------------------------------

    @abstractmethod
    def _entry(self, index: int, arrival: int) -> Entry:
        """Make the entry of a task that became ready at `arrival`."""

    @abstractmethod
    def _threat(self, entry: Entry, task: int) -> int:
        """The threat of a new entry to a task in a section: its level, or 1 if it is earlier
        (EDF)."""

    @abstractmethod
    def _begins(self, index: int, entry: Entry) -> None:
        """A new or woken task gets the processor."""

    @abstractmethod
    def _judge_running(self, index: int, taken: int | None) -> None:
        """Judge the choice of this task. `taken`: its place in the queue; None: it had begun."""

    @abstractmethod
    def _judge_users(self, index: int) -> None:
        """Judge the running task: no other task may be inside a section that must keep it out."""

    @abstractmethod
    def judge_reported(self, index: int, word: int, kept: int) -> None:
        """Judge a task between two moves: its words, and the urgency that the kernel keeps."""

    @abstractmethod
    def judge_kept(self, index: int, kept: int) -> None:
        """The kernel was entered: judge the urgency that it keeps for a started task."""

    @abstractmethod
    def _urgency(self, entry: Entry) -> int:
        """The urgency of an entry in the kernel's unit: a level, or a deadline."""

    @abstractmethod
    def _is_above(self, one: int, other: int) -> bool:
        """Whether the first urgency is higher than the second."""

    def judge_raise(self, index: int, before: int, after: int) -> None:
        """The kernel was entered while the task ran, and took it from `before` to `after`.

        Under Calls.CHANGE the kernel must raise the task only to keep out a ready task. Otherwise
        the task would have to call on exit, in vain.
        """
        task = self.tasks[index]
        is_its_own = self._calls == Calls.CHANGE and not task.is_foul
        if (
            not is_its_own
            or task.condition != Condition.RUNNING
            or not self._is_above(after, before)
        ):
            return
        if not any(self._is_above(self._urgency(entry), before) for entry in self._queue(index)):
            raise ViolationError(
                f"the kernel takes {self.names[index]} from {before} to {after} in vain"
            )

    @abstractmethod
    def _has_reason(self, task: Task, index: int, before: int, after: int) -> bool:
        """Whether THREAT or CHANGE allow the call that changed urgency from `before` to `after`."""

    @abstractmethod
    def _answered(self, index: int) -> None:
        """The task has called the kernel for a reason."""

    @abstractmethod
    def judge_word(self, index: int, word: int) -> None:
        """Judge the running task's word after the kernel was entered."""

    @abstractmethod
    def counts_from(self, index: int, instant: int) -> None:
        """The task calls the kernel to enter a section. Its bound counts from `instant`."""

    # ---- The kernel ----------------------------------------------------------------------

    def arrives(self, index: int, now: int, arrival: int) -> None:
        """An interrupt activates the task."""
        self._note(index, left=self.tasks[index].left - 1)
        self.enters_kernel()
        self.activates(index, arrival)

    def activates(self, index: int, arrival: int) -> int:
        """Activate the task if its limit allows it; return the status."""
        task = self.tasks[index]
        if task.pending == self._most[index]:
            return Status.LIMIT
        self._note(index, pending=task.pending + 1)
        self._becomes_ready(index, arrival)
        return Status.OK

    def signals(self, index: int, arrival: int, events: int) -> None:
        """Set events of the task if it has an activation."""
        task = self.tasks[index]
        if task.condition == Condition.SUSPENDED:
            return
        self._note(index, events=task.events | events)
        if task.condition == Condition.WAITING and (task.events | events) & task.waits_for:
            self._becomes_ready(index, arrival)

    def _becomes_ready(self, index: int, arrival: int) -> None:
        if self.tasks[index].condition in (Condition.SUSPENDED, Condition.WAITING):
            self._note(index, condition=Condition.READY)
        entry = self._entry(index, arrival)
        self.queue = (*self.queue, entry)
        for other, task in enumerate(self.tasks):
            if task.sections and self.payers[other] == self.payers[index]:
                threats = tuple(sorted({*task.threats, self._threat(entry, other)}))
                self._note(other, threats=threats)

    def enters_kernel(self) -> None:
        """The kernel is entered: mark all open sections as seen."""
        for index, task in enumerate(self.tasks):
            if not all(s.is_seen for s in task.sections):
                seen = tuple(s._replace(is_seen=True) for s in task.sections)
                self._note(index, sections=seen)

    def judge_switch(self, running: int | None, payer: int | None = 0) -> None:
        """Judge the kernel's choice: this task, or no task of the server `payer`."""
        if running is None:
            for index in self.ready(payer):
                raise ViolationError(f"{self.names[index]} is ready, and no task runs")
            return
        for index, task in enumerate(self.tasks):
            is_rival = index != running and self.payers[index] == self.payers[running]
            if task.condition == Condition.RUNNING and is_rival:
                self._note(index, condition=Condition.PREEMPTED)
        task = self.tasks[running]
        taken = None
        if task.condition == Condition.READY:
            queue = self._queue(running)
            taken = next(i for i, entry in enumerate(queue) if entry.task == running)
            self._begins(running, queue[taken])
        elif task.condition not in (Condition.PREEMPTED, Condition.RUNNING):
            raise ViolationError(f"{self.names[running]} runs, which is not ready")
        self._judge_users(running)
        self._judge_running(running, taken)
        self._note(running, condition=Condition.RUNNING, has_started=True, is_yielding=False)
        if taken is not None:
            place = self.queue.index(queue[taken])
            self.queue = (*self.queue[:place], *self.queue[place + 1 :])

    def ready(self, payer: int | None) -> list[int]:
        """The tasks of this server that could run if the server had the core."""
        would = (Condition.READY, Condition.PREEMPTED, Condition.RUNNING)
        tasks = enumerate(self.tasks)
        return [i for i, task in tasks if task.condition in would and self.payers[i] == payer]

    def calls_for_resource(self, index: int, before: int, after: int) -> None:
        """The task called for a resource, and the kernel took it from `before` to `after`."""
        task, name = self.tasks[index], self.names[index]
        if task.is_foul:
            return
        if not task.is_moving:
            raise ViolationError(f"{name} calls the kernel between two moves")
        if task.calls > 0:
            raise ViolationError(f"{name} calls the kernel twice for one section")
        self._note(index, calls=1)
        is_inside = task.sections[-1].resource is None
        if self._calls == Calls.EACH:
            return
        if is_inside and (self._calls != Calls.RAISED or len(task.sections) == 1):
            raise ViolationError(f"{name} calls the kernel to enter a section")
        section = task.sections[0 if self._calls == Calls.RAISED else -1]
        if not section.is_seen:
            raise ViolationError(
                f"{name} calls the kernel, which was not there since its section began"
            )
        if not self._has_reason(task, index, before, after):
            raise ViolationError(f"{name} calls the kernel in vain")
        self._answered(index)

    # ---- Actions of a task -----------------------------------------------------------------

    def begins(self, index: int, instant: int) -> None:
        """The task begins to enter a section."""
        sections = (*self.tasks[index].sections, Section(None, instant))
        self._note(index, is_moving=True, sections=sections, calls=0)

    def enters(self, index: int, resource: int) -> None:
        """The task is inside a section of this resource."""
        task = self.tasks[index]
        for other, them in enumerate(self.tasks):
            if resource in them.open and not them.is_foul and not task.is_foul:
                raise ViolationError(
                    f"{self.names[other]} and {self.names[index]} are both inside R{resource + 1}"
                )
        self._judge_calls(task, index)
        sections = (*task.sections[:-1], task.sections[-1]._replace(resource=resource))
        self._note(index, is_moving=False, sections=sections)
        if not task.is_foul:
            self._judge_users(index)

    def leaves(self, index: int, resource: int) -> None:
        """The task begins to leave the section that it entered last."""
        if self.tasks[index].open[-1] != resource:
            raise ViolationError(f"the driver leaves R{resource + 1}, which was not entered last")
        self._note(index, is_moving=True, calls=0)

    def has_left(self, index: int) -> None:
        """The task has left its last section."""
        task = self.tasks[index]
        self._judge_calls(task, index)
        sections = task.sections[:-1]
        kept = {} if sections else {"threats": (), "has_yielded": False}
        self._note(index, is_moving=False, sections=sections, **kept)

    def _judge_calls(self, task: Task, index: int) -> None:
        if self._calls == Calls.EACH and task.calls == 0 and not task.is_foul:
            raise ViolationError(f"{self.names[index]} does not call the kernel for its section")

    def changes_data(self, index: int, resource: int) -> None:
        """The task has changed the data of this resource."""
        if resource not in self.tasks[index].open:
            raise ViolationError(f"the driver changes R{resource + 1}'s data outside of it")
        self.changes[resource] += 1

    def fouls(self, index: int) -> None:
        """The words of the task are spoilt."""
        self._note(index, is_foul=True, threats=())

    def waits(self, index: int, events: int) -> None:
        """The task waits for these events unless some of them is set."""
        if not self.tasks[index].events & events:
            self._note(index, condition=Condition.WAITING, has_started=False, waits_for=events)

    def clears(self, index: int, events: int) -> None:
        """Clear exactly these events of the task."""
        self._note(index, events=self.tasks[index].events & ~events)

    def yields(self, index: int) -> None:
        """The task releases its internal resource, and no other, until it runs again."""
        self._note(index, is_yielding=True, has_yielded=bool(self.tasks[index].sections))

    def ends(self, index: int) -> None:
        """The script of the task has ended."""
        task = self.tasks[index]
        if task.sections:
            raise ViolationError(f"{self.names[index]} ends inside a section")
        pending = task.pending - 1
        condition = Condition.READY if pending > 0 else Condition.SUSPENDED
        self.tasks[index] = Task(condition, task.left, pending)
