# SPDX-License-Identifier: MIT
"""What must hold at every moment, judged from notes of its own: never from the kernel's memory.

Here is what does not depend on what makes a task urgent; priority.py and edf.py have the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from proof.engine.explore import ViolationError

NEVER = (1 << 64) - 1  # an instant


class Condition(IntEnum):
    """Of a task."""

    SUSPENDED = 0  # it has no activation
    READY = 1  # new or woken
    PREEMPTED = 2
    RUNNING = 3  # or would, if its server had the core
    WAITING = 4


class Status(IntEnum):
    """That services return."""

    OK = 0
    LIMIT = 4


class Calls(StrEnum):
    """When a task may call the kernel for a resource."""

    EACH = "each"  # to enter and to leave each section
    ENTRY = "entry"  # to leave one, if the kernel was entered in it
    RAISED = "raised"  # as ENTRY, to enter an inner one too; said of the outermost one
    THREAT = "threat"  # to leave one, if a more urgent task became ready in it
    CHANGE = "change"  # to leave one, if that makes the task less urgent


class Section(NamedTuple):
    """That a task is in, or on its way into (`resource` None) or out of."""

    resource: int | None
    since: int  # an instant
    is_seen: bool = False  # the kernel was entered since it began


class Task(NamedTuple):
    """What is noted of a task."""

    condition: Condition = Condition.SUSPENDED
    left: int = 1  # interrupts that will activate it
    pending: int = 0  # activations, with the one that has begun
    has_started: bool = False
    is_moving: bool = False  # between two sections: its words may be old or new
    is_yielding: bool = False  # it let go of its internal resource, and has not run since
    has_yielded: bool = False  # it has done so since its outermost section began
    is_foul: bool = False  # its words were spoilt
    events: int = 0  # that are set
    waits_for: int = 0
    sections: tuple[Section, ...] = ()  # the one that it is on its way into or out of is the last
    threats: tuple[int, ...] = ()  # what became ready since its outermost section began
    calls: int = 0  # since it began to enter or to leave a section
    deadline: int = 0  # EDF: of its activation

    @property
    def open(self) -> tuple[int, ...]:
        """The resources that it is inside of."""
        inside = self.sections[:-1] if self.is_moving else self.sections
        return tuple(s.resource for s in inside if s.resource is not None)


_PLACES = {name: place for place, name in enumerate(Task._fields)}


class Entry(NamedTuple):
    """A new or woken task; entries stand in the order in which they became ready."""

    task: int
    deadline: int  # EDF


Frozen = tuple[tuple[Task, ...], tuple[Entry, ...], tuple[int, ...], Hashable]


class Notes(ABC):
    """Judges tasks; which of them may have how many activations is in `most`."""

    payers: tuple[int, ...]  # the server of each: only tasks of one server compete

    def __init__(
        self, names: tuple[str, ...], most: tuple[int, ...], tasks: list[Task], calls: Calls
    ) -> None:
        """No task has arrived, and all have one server."""
        self.names = names
        self.tasks = tasks
        self.queue: tuple[Entry, ...] = ()
        self.changes = [0] * 5  # of each resource's data
        self.payers = (0,) * len(names)
        self._most = most
        self._calls = calls

    def freeze(self) -> Frozen:
        """All notes, as a value."""
        return tuple(self.tasks), self.queue, tuple(self.changes), self._more()

    def thaw(self, frozen: Frozen) -> None:
        """Go back to them."""
        self.tasks, self.queue, self.changes = list(frozen[0]), frozen[1], list(frozen[2])
        self._adopt_more(frozen[3])

    def _more(self) -> Hashable:
        """What a subclass notes, as a value."""
        return None

    def _adopt_more(self, more: Any) -> None:
        """Go back to it."""
        del more

    def _note(self, index: int, **changes: Any) -> Task:
        fields = list(self.tasks[index])  # `_replace()` takes four times as long
        for name, value in changes.items():
            fields[_PLACES[name]] = value
        task = self.tasks[index] = Task._make(fields)
        return task

    def _preempted(self, rival: int) -> list[int]:
        """Those that compete with this one."""
        tasks = enumerate(self.tasks)
        preempted = [i for i, task in tasks if task.condition == Condition.PREEMPTED and i != rival]
        return [i for i in preempted if self.payers[i] == self.payers[rival]]

    def _queue(self, rival: int) -> list[Entry]:
        """Of those that compete with this one, itself among them."""
        payer = self.payers[rival]
        return [entry for entry in self.queue if self.payers[entry.task] == payer]

    # ---- What urgency is ---------------------------------------------------------------

    @abstractmethod
    def _entry(self, index: int, arrival: int) -> Entry:
        """For its queue, and what it threatens."""

    @abstractmethod
    def _threat(self, entry: Entry, task: int) -> int:
        """What a new entry is to a task in a section."""

    @abstractmethod
    def _begins(self, index: int, entry: Entry) -> None:
        """A new or woken task gets the processor."""

    @abstractmethod
    def _judge_running(self, index: int, taken: int | None) -> None:
        """`taken`: the place in the queue that it had; None: it was preempted, or just goes on."""

    @abstractmethod
    def _judge_users(self, index: int) -> None:
        """It is inside no section, and keeps out none, of which others have to be kept out."""

    @abstractmethod
    def judge_reported(self, index: int, word: int, kept: int) -> None:
        """Between two moves: what its words say, and what the kernel takes it for."""

    @abstractmethod
    def judge_kept(self, index: int, kept: int) -> None:
        """The kernel was entered: what it takes a task for that has begun."""

    @abstractmethod
    def _urgency(self, entry: Entry) -> int:
        """As the kernel keeps it of the running task: a level, or a deadline."""

    @abstractmethod
    def _is_above(self, one: int, other: int) -> bool:
        """Of two such."""

    def judge_raise(self, index: int, before: int, after: int) -> None:
        """The kernel was entered while it ran, and took it for `before`.

        Where calls are few it becomes more urgent only to keep out a task that is ready: after a
        raise in vain it would have to call when it leaves.
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
        """Whether THREAT or CHANGE allow its call, that took it from `before` to `after`."""

    @abstractmethod
    def _answered(self, index: int) -> None:
        """It has called for a reason."""

    @abstractmethod
    def judge_word(self, index: int, word: int) -> None:
        """The kernel was entered: what it leaves in the word of the running task."""

    @abstractmethod
    def counts_from(self, index: int, instant: int) -> None:
        """It calls to enter a section, whose bound counts from then."""

    # ---- The kernel ----------------------------------------------------------------------

    def arrives(self, index: int, now: int, arrival: int) -> None:
        """An interrupt activates it."""
        self._note(index, left=self.tasks[index].left - 1)
        self.enters_kernel()
        self.activates(index, arrival)

    def activates(self, index: int, arrival: int) -> int:
        """It has one more activation, if it may; the status."""
        task = self.tasks[index]
        if task.pending == self._most[index]:
            return Status.LIMIT
        self._note(index, pending=task.pending + 1)
        self._becomes_ready(index, arrival)
        return Status.OK

    def signals(self, index: int, arrival: int, events: int) -> None:
        """Events of its are set, if it has an activation."""
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
        """A task in a section may find a trace of it."""
        for index, task in enumerate(self.tasks):
            if not all(s.is_seen for s in task.sections):
                seen = tuple(s._replace(is_seen=True) for s in task.sections)
                self._note(index, sections=seen)

    def judge_switch(self, running: int | None, payer: int | None = 0) -> None:
        """The kernel leaves the processor to that task, or to none of that server's."""
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
        """The tasks of that server that would run, if they could."""
        would = (Condition.READY, Condition.PREEMPTED, Condition.RUNNING)
        tasks = enumerate(self.tasks)
        return [i for i, task in tasks if task.condition in would and self.payers[i] == payer]

    def calls_for_resource(self, index: int, before: int, after: int) -> None:
        """And the kernel took it for `before`, and takes it for `after` now."""
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

    # ---- What a task does ------------------------------------------------------------------

    def begins(self, index: int, instant: int) -> None:
        """To enter a section."""
        sections = (*self.tasks[index].sections, Section(None, instant))
        self._note(index, is_moving=True, sections=sections, calls=0)

    def enters(self, index: int, resource: int) -> None:
        """It is inside."""
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
        """It is about to leave the section that it entered last."""
        if self.tasks[index].open[-1] != resource:
            raise ViolationError(f"the driver leaves R{resource + 1}, which was not entered last")
        self._note(index, is_moving=True, calls=0)

    def has_left(self, index: int) -> None:
        """And has done so."""
        task = self.tasks[index]
        self._judge_calls(task, index)
        sections = task.sections[:-1]
        kept = {} if sections else {"threats": (), "has_yielded": False}
        self._note(index, is_moving=False, sections=sections, **kept)

    def _judge_calls(self, task: Task, index: int) -> None:
        if self._calls == Calls.EACH and task.calls == 0 and not task.is_foul:
            raise ViolationError(f"{self.names[index]} does not call the kernel for its section")

    def changes_data(self, index: int, resource: int) -> None:
        """And has done so."""
        if resource not in self.tasks[index].open:
            raise ViolationError(f"the driver changes R{resource + 1}'s data outside of it")
        self.changes[resource] += 1

    def fouls(self, index: int) -> None:
        """Its words are spoilt."""
        self._note(index, is_foul=True, threats=())

    def waits(self, index: int, events: int) -> None:
        """For one of its events, if none of them is set."""
        if not self.tasks[index].events & events:
            self._note(index, condition=Condition.WAITING, has_started=False, waits_for=events)

    def clears(self, index: int, events: int) -> None:
        """These events of its, and no others."""
        self._note(index, events=self.tasks[index].events & ~events)

    def yields(self, index: int) -> None:
        """Lets go of its internal resource, until it runs again, and of no other."""
        self._note(index, is_yielding=True, has_yielded=bool(self.tasks[index].sections))

    def ends(self, index: int) -> None:
        """Its script is over."""
        task = self.tasks[index]
        if task.sections:
            raise ViolationError(f"{self.names[index]} ends inside a section")
        pending = task.pending - 1
        condition = Condition.READY if pending > 0 else Condition.SUSPENDED
        self.tasks[index] = Task(condition, task.left, pending)
