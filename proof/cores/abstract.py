# SPDX-License-Identifier: MIT
"""The promise of the kernel of several cores: each service takes effect at one instant.

A state is the state of a kernel in which each service is an instant, between its call and its
return. ChainTask has two instants: the activation and the end. Others may learn the instant only
later, so all possible states are kept. If a service returns a value that no state allows, it has
broken its promise.

Some services are user code (in_tasks.py). A task executes them, and they take effect while the task
has its core.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Call(IntEnum):
    """The services, as kernel.c lists them."""

    ACTIVATE = 0
    TERMINATE = 1
    CHAIN = 2
    STATE = 3
    SET = 4
    GET = 5
    CLEAR = 6
    WAIT = 7
    ENTER = 8  # GetResource: its ceiling is the highest level of all
    LEAVE = 9
    GET_GLOBAL = 10  # of the resource of all cores
    RELEASE_GLOBAL = 11
    PREEMPT = 12  # of a task that has left a section by itself
    START = 13  # StartOS: the core's own tasks
    INTERRUPT = 14


class Status(IntEnum):
    """Status values of services."""

    OK = 0
    LIMIT = 4
    STATE = 7


class TaskState(IntEnum):
    """States for GetTaskState, as in os_types.h."""

    RUNNING = 0
    WAITING = 1
    READY = 2
    SUSPENDED = 3


# The states that a task may have if it is reported as running or ready. Other cores see late which
# task runs.
_LAGGING: dict[int, tuple[TaskState, ...]] = {
    TaskState.RUNNING: (TaskState.READY, TaskState.WAITING),
    TaskState.READY: (TaskState.RUNNING,),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A task of the configuration."""

    core: int
    level: int
    most: int


class Section(IntEnum):
    """A task's place in the global resource; the last two only if tasks enter by themselves."""

    NONE = 0
    WAITS = 1
    INSIDE = 2
    AROUND = 3  # at the ceiling, and not in the queue
    QUEUED = 4  # it must wait, and is not suspended yet


class Task(NamedTuple):
    """The facts about a task. `aside`: its rank among tasks that gave way, last highest; or 0."""

    active: int = 0
    events: int = 0
    waits_for: int = 0
    has_begun: bool = False
    is_inside: bool = False
    section: Section = Section.NONE
    aside: int = 0


class Op(NamedTuple):
    """A service, with its caller and its arguments."""

    caller: int | None
    call: Call
    task: int = 0
    events: int = 0


Result = tuple[int, int]  # status and value
HALF: Result = (-1, 0)  # ChainTask has activated, and not ended
OK: Result = (Status.OK, 0)


class Abstract(NamedTuple):
    """The tasks; the ready queues by sender, core and level; the running task of each core.

    `done`: for each core and then for each task, the result of its service in progress, once this
    has taken effect.
    """

    tasks: tuple[Task, ...]
    queues: tuple[tuple[int, ...], ...]
    running: tuple[int | None, ...]
    done: tuple[Result | None, ...]


Ops = tuple[Op | None, ...]  # the service in progress of each core, and then of each task
Instant = tuple[Abstract, Result | None]  # None: it has not taken effect yet


class Promise:
    """The promise for tasks of these kinds, on this number of cores."""

    def __init__(self, kinds: tuple[Kind, ...], cores: int) -> None:
        """Only followers of states are cached here, because states are values."""
        self.kinds = kinds
        self.cores = cores
        self.levels = 1 + max(kind.level for kind in kinds)
        self._following: dict[tuple[frozenset[Abstract], Ops], frozenset[Abstract]] = {}

    def start(self) -> Abstract:
        """No task is active."""
        return Abstract(
            (Task(),) * len(self.kinds),
            ((),) * (self.cores * self.cores * self.levels),
            (None,) * self.cores,
            (None,) * (self.cores + len(self.kinds)),
        )

    def _ready_level(self, task: int, now: Task) -> int:
        """The level at which the task becomes ready."""
        del now
        return self.kinds[task].level

    def _queue(self, sender: int, task: int, now: Task) -> int:
        core = sender * self.cores + self.kinds[task].core
        return core * self.levels + self._ready_level(task, now)

    def _ready(self, state: Abstract, sender: int, task: int, now: Task) -> Abstract:
        place = self._queue(sender, task, now)
        queue = (*state.queues[place], task)
        return state._replace(
            tasks=_with(state.tasks, task, now),
            queues=_with(state.queues, place, queue),
        )

    def _activated(self, state: Abstract, core: int, task: int) -> Abstract | None:
        now = state.tasks[task]
        if now.active == self.kinds[task].most:
            return None
        return self._ready(state, core, task, now._replace(active=now.active + 1))

    def _ended(self, state: Abstract, core: int, task: int) -> Abstract:
        now = Task(state.tasks[task].active - 1)
        running = _with(state.running, core, None)
        return state._replace(tasks=_with(state.tasks, task, now), running=running)

    # ---- Instants ---------------------------------------------------------------------

    def _instant(self, state: Abstract, core: int, op: Op) -> Instant:
        task = state.tasks[op.task]
        match op.call:
            case Call.START:
                for index, kind in enumerate(self.kinds):
                    if kind.core == core and kind.level == 1:
                        activated = self._activated(state, core, index)
                        assert activated is not None
                        state = activated
                return state, OK
            case Call.INTERRUPT | Call.PREEMPT:
                return state, OK
            case Call.ACTIVATE:
                activated = self._activated(state, core, op.task)
                return (state, (Status.LIMIT, 0)) if activated is None else (activated, OK)
            case Call.TERMINATE:
                assert op.caller is not None
                return self._ended(state, core, op.caller), OK
            case Call.CHAIN:
                return self._chained(state, core, op)
            case Call.STATE:
                return state, (Status.OK, self._state_of(state, op.task))
            case Call.SET:
                return self._set(state, core, op)
            case Call.GET:
                return state, (Status.OK, task.events) if task.active else (
                    Status.STATE,
                    0,
                )
        assert op.caller is not None
        return self._own(state, core, op, op.caller)

    def _instant_of_task(self, state: Abstract, task: int, op: Op) -> Instant:
        """The instant of a service that is user code."""
        raise NotImplementedError

    def _chained(self, state: Abstract, core: int, op: Op) -> Instant:
        assert op.caller is not None
        if state.done[core] == HALF:
            return self._ended(state, core, op.caller), OK
        if op.caller == op.task:
            active = state.tasks[op.task].active
            state = self._ready(state, core, op.task, Task(active))
            return state._replace(running=_with(state.running, core, None)), OK
        activated = self._activated(state, core, op.task)
        return (state, (Status.LIMIT, 0)) if activated is None else (activated, HALF)

    def _set(self, state: Abstract, core: int, op: Op) -> Instant:
        task = state.tasks[op.task]
        if not task.active:
            return state, (Status.STATE, 0)
        events = task.events | op.events
        if events & task.waits_for:
            return self._ready(state, core, op.task, task._replace(events=events, waits_for=0)), OK
        tasks = _with(state.tasks, op.task, task._replace(events=events))
        return state._replace(tasks=tasks), OK

    @staticmethod
    def _own(state: Abstract, core: int, op: Op, caller: int) -> Instant:
        """The instant of a service that changes only its caller: events, and the resource."""
        task = state.tasks[caller]
        if op.call in (Call.ENTER, Call.LEAVE):
            task = task._replace(is_inside=op.call == Call.ENTER)
            return state._replace(tasks=_with(state.tasks, caller, task)), OK
        if op.call == Call.CLEAR:
            task = task._replace(events=task.events & ~op.events)
        elif not task.events & op.events:
            task = task._replace(waits_for=op.events, has_begun=False)
            state = state._replace(running=_with(state.running, core, None))
        return state._replace(tasks=_with(state.tasks, caller, task)), OK

    def _state_of(self, state: Abstract, task: int) -> TaskState:
        now = state.tasks[task]
        if not now.active:
            return TaskState.SUSPENDED
        if now.waits_for:
            return TaskState.WAITING
        is_running = state.running[self.kinds[task].core] == task
        return TaskState.RUNNING if is_running else TaskState.READY

    # ---- Possible states -----------------------------------------------------------------

    def switched(self, state: Abstract, core: int, running: int | None) -> Iterator[Abstract]:
        """The states after the core gave itself to this task; none if the task must not have it."""
        before = state.running[core]
        if before == running:
            yield state
            return
        if before is not None and state.tasks[before].is_inside:
            return
        if running is not None:
            yield from self._taken(state, core, running)

    def _taken(self, state: Abstract, core: int, running: int) -> Iterator[Abstract]:
        changed = state._replace(running=_with(state.running, core, running))
        task = state.tasks[running]
        if task.has_begun:
            yield changed
            return
        tasks = _with(state.tasks, running, task._replace(has_begun=True))
        for sender in range(self.cores):
            place = self._queue(sender, running, task)
            if state.queues[place][:1] == (running,):
                queues = _with(state.queues, place, state.queues[place][1:])
                yield changed._replace(tasks=tasks, queues=queues)

    def _instant_at(self, state: Abstract, place: int, op: Op) -> Instant:
        if place < self.cores:
            return self._instant(state, place, op)
        return self._instant_of_task(state, place - self.cores, op)

    def _may_be(self, states: frozenset[Abstract], ops: Ops) -> frozenset[Abstract]:
        """These states, and all states that follow by instants of these services."""
        known = self._following.get((states, ops))
        if known is None:
            known = self._following[states, ops] = frozenset(self._all_from(states, ops))
        return known

    def _all_from(self, states: frozenset[Abstract], ops: Ops) -> set[Abstract]:
        found = set(states)
        work = list(found)
        while work:
            state = work.pop()
            for place, op in enumerate(ops):
                if op is None or state.done[place] not in (None, HALF):
                    continue
                after, result = self._instant_at(state, place, op)
                after = after._replace(done=_with(state.done, place, result))
                if after not in found:
                    found.add(after)
                    work.append(after)
        return found

    def left(
        self,
        states: frozenset[Abstract],
        ops: Ops,
        core: int,
        result: Result,
        running: int | None,
    ) -> frozenset[Abstract]:
        """The core leaves the kernel: the states that allow this result."""
        op = ops[core]
        assert op is not None
        results = {result}
        if op.call == Call.STATE:
            results |= {(Status.OK, each) for each in _LAGGING.get(result[1], ())}
        found: set[Abstract] = set()
        for state in self._may_be(states, ops):
            if state.done[core] in results:
                cleared = state._replace(done=_with(state.done, core, None))
                found.update(self.switched(cleared, core, running))
        return frozenset(found)

    def waiting_for(self, state: Abstract, core: int) -> int | None:
        """A ready task of this core that is more urgent than the running task, or None."""
        running = state.running[core]
        if running is not None and state.tasks[running].is_inside:
            return None
        level = 0 if running is None else self.kinds[running].level
        for task, kind in enumerate(self.kinds):
            now = state.tasks[task]
            is_ready = now.active and not now.waits_for and task != running
            if kind.core == core and kind.level > level and is_ready:
                return task
        return None


def _with(parts: tuple, index: int, part: object) -> tuple:  # type: ignore[type-arg]
    return (*parts[:index], part, *parts[index + 1 :])
