# SPDX-License-Identifier: MIT
"""The kernel's promise for a resource that tasks of all cores use.

A single task is inside, at the ceiling, which is above all tasks of all cores. A task that finds
another task inside is suspended. When the task inside leaves or ends, the most urgent waiter is
inside, and ready at the ceiling.

So a section may preempt a task that is more urgent than the section's task is outside. When the
section ends, the preempted task goes on, and the other task stands aside. It comes before all tasks
that are new or woken at its level, and only behind tasks that stood aside later.
"""

from __future__ import annotations

from collections.abc import Iterator

from proof.cores.abstract import (
    OK,
    Abstract,
    Call,
    Instant,
    Kind,
    Op,
    Promise,
    Section,
    Task,
    TaskState,
)

GLOBAL = 1  # its number


class AcrossCores(Promise):
    """The promise of a kernel with such a resource."""

    def __init__(self, kinds: tuple[Kind, ...], cores: int, users: tuple[int, ...]) -> None:
        """`users`: tasks, the most urgent last."""
        super().__init__(kinds, cores)
        self._users = users
        self._highest = self.levels - 1
        self._ceiling = self.levels
        self.levels += 1

    # ---- Instants ---------------------------------------------------------------------

    def _instant(self, state: Abstract, core: int, op: Op) -> Instant:
        match op.call:
            case Call.GET_GLOBAL:
                assert op.caller is not None
                return self._got(state, core, op.caller), OK
            case Call.RELEASE_GLOBAL:
                assert op.caller is not None
                return self._released(state, core, op.caller), OK
        return super()._instant(state, core, op)

    def _got(self, state: Abstract, core: int, caller: int) -> Abstract:
        task = state.tasks[caller]
        if all(each.section == Section.NONE for each in state.tasks):
            return put(state, caller, task._replace(section=Section.INSIDE))
        return self._suspended(state, core, caller)

    @staticmethod
    def _suspended(state: Abstract, core: int, caller: int) -> Abstract:
        task = state.tasks[caller]._replace(section=Section.WAITS, has_begun=False)
        state = put(state, caller, task)
        return state._replace(running=(*state.running[:core], None, *state.running[core + 1 :]))

    def _released(self, state: Abstract, core: int, caller: int) -> Abstract:
        task = state.tasks[caller]._replace(section=Section.NONE)
        return self._handed_over(put(state, caller, task), core)

    def _handed_over(self, state: Abstract, core: int) -> Abstract:
        granted = (self._granted(state, core, user) for user in reversed(self._users))
        return next((after for after in granted if after is not None), state)

    def _granted(self, state: Abstract, core: int, user: int) -> Abstract | None:
        """The user is inside after this; None: it does not wait."""
        task = state.tasks[user]
        if task.section != Section.WAITS:
            return None
        return self._ready(state, core, user, task._replace(section=Section.INSIDE))

    def _ended(self, state: Abstract, core: int, task: int) -> Abstract:
        was_inside = state.tasks[task].section == Section.INSIDE
        state = super()._ended(state, core, task)
        return self._handed_over(state, core) if was_inside else state

    def _state_of(self, state: Abstract, task: int) -> TaskState:
        if state.tasks[task].section == Section.WAITS:
            return TaskState.WAITING
        return super()._state_of(state, task)

    # ---- Possible states -----------------------------------------------------------------

    def _level(self, state: Abstract, task: int) -> int:
        now = state.tasks[task]
        return self._highest if now.is_inside else self._ready_level(task, now)

    def _ready_level(self, task: int, now: Task) -> int:
        return self._ceiling if now.section == Section.INSIDE else self.kinds[task].level

    def _ready_tasks(self, state: Abstract, core: int) -> Iterator[int]:
        for task, kind in enumerate(self.kinds):
            now = state.tasks[task]
            waits = now.waits_for or now.section == Section.WAITS
            if kind.core == core and now.active and not waits and task != state.running[core]:
                yield task

    def _preempted(self, state: Abstract, core: int) -> list[int]:
        """The preempted tasks of this core."""
        ready = self._ready_tasks(state, core)
        return [t for t in ready if state.tasks[t].has_begun and not state.tasks[t].aside]

    def switched(self, state: Abstract, core: int, running: int | None) -> Iterator[Abstract]:
        """Only a more urgent task, or a task that was preempted before, may get the core."""
        before = state.running[core]
        if before == running:
            yield state
            return
        if running is None or not self._is_next(state, core, running):
            return
        if before is not None:
            level = self._level(state, before)
            kept_out = [t for t in self._preempted(state, core) if self._level(state, t) >= level]
            if running not in kept_out and self._level(state, running) <= level:
                return
            if kept_out:
                last = max(task.aside for task in state.tasks)
                state = put(state, before, state.tasks[before]._replace(aside=last + 1))
        for after in self._taken(state, core, running):
            yield put(after, running, after.tasks[running]._replace(aside=0))

    def _is_next(self, state: Abstract, core: int, running: int) -> bool:
        """Whether the task is first on its level: preempted tasks, the last aside, then others."""
        level, now = self._level(state, running), state.tasks[running]
        if now.section == Section.WAITS:
            return False
        others = [
            state.tasks[task]
            for task in self._ready_tasks(state, core)
            if task != running and self._level(state, task) == level and state.tasks[task].has_begun
        ]
        if not now.has_begun:
            return not others
        return not now.aside or all(0 < other.aside < now.aside for other in others)

    def waiting_for(self, state: Abstract, core: int) -> int | None:
        """A ready task that is more urgent than the running task; if preempted, no less urgent."""
        running = state.running[core]
        level = 0 if running is None else self._level(state, running)
        preempted = self._preempted(state, core)
        for task in self._ready_tasks(state, core):
            if self._level(state, task) + (task in preempted) > level:
                return task
        return None


def put(state: Abstract, task: int, now: Task) -> Abstract:
    """Replace the facts about a task."""
    return state._replace(tasks=(*state.tasks[:task], now, *state.tasks[task + 1 :]))
