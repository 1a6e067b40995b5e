# SPDX-License-Identifier: MIT
"""The promise for a resource of all cores that tasks enter and leave by themselves.

A task stands at the ceiling from before it is in the queue until after it has left the queue. The
first task in the queue is inside. Another task in the queue goes on at the ceiling until the kernel
suspends it, or until it is granted the resource. A task takes effect only while it has its core, so
tasks that would preempt it see its actions.
"""

from __future__ import annotations

from proof.cores.abstract import (
    OK,
    Abstract,
    Call,
    Instant,
    Op,
    Ops,
    Result,
    Section,
    Task,
)
from proof.cores.across import AcrossCores, put

AT_CEILING = (Section.INSIDE, Section.AROUND, Section.QUEUED)
OUT_OF_QUEUE = (Section.NONE, Section.AROUND)


class InTasks(AcrossCores):
    """The promise of a kernel if tasks execute their half of the services."""

    def _instant(self, state: Abstract, core: int, op: Op) -> Instant:
        """The kernel suspends a task that stands in the queue. The task itself hands over."""
        match op.call:
            case Call.GET_GLOBAL:
                assert op.caller is not None
                if state.tasks[op.caller].section != Section.QUEUED:
                    return state, OK
                return self._suspended(state, core, op.caller), OK
            case Call.RELEASE_GLOBAL:
                return state, OK
        return super()._instant(state, core, op)

    def _instant_of_task(self, state: Abstract, task: int, op: Op) -> Instant:
        core, now = self.kinds[task].core, state.tasks[task]
        if state.running[core] != task:
            return state, None
        match op.call, now.section:
            case (Call.GET_GLOBAL, Section.NONE):
                return put(state, task, now._replace(section=Section.AROUND)), None
            case (Call.GET_GLOBAL, _):
                is_first = all(each.section in OUT_OF_QUEUE for each in state.tasks)
                section = Section.INSIDE if is_first else Section.QUEUED
                return put(state, task, now._replace(section=section)), OK
            case (Call.RELEASE_GLOBAL, Section.INSIDE):
                around = put(state, task, now._replace(section=Section.AROUND))
                return self._handed_over(around, core), None
            case (Call.RELEASE_GLOBAL, _):
                return put(state, task, now._replace(section=Section.NONE)), OK
        return self._own(state, core, op, task)

    def _granted(self, state: Abstract, core: int, user: int) -> Abstract | None:
        task = state.tasks[user]
        if task.section == Section.QUEUED:
            return put(state, user, task._replace(section=Section.INSIDE))
        return super()._granted(state, core, user)

    def _ready_level(self, task: int, now: Task) -> int:
        return self._ceiling if now.section in AT_CEILING else self.kinds[task].level

    def returned(
        self, states: frozenset[Abstract], ops: Ops, task: int, result: Result
    ) -> frozenset[Abstract]:
        """The task returns from a service: the states that allow this result."""
        place = self.cores + task
        return frozenset(
            state._replace(done=(*state.done[:place], None, *state.done[place + 1 :]))
            for state in self._may_be(states, ops)
            if state.done[place] == result
            and state.running[self.kinds[task].core] == task
            and state.tasks[task].section in (Section.NONE, Section.INSIDE)
        )
