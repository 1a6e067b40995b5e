# SPDX-License-Identifier: MIT
"""What a task does in one activation, step by step, and what it holds: for server_model.py."""

from collections import deque
from dataclasses import dataclass, field

from plafond.describe.body import Lock, Run, Step, Unlock
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Resource, System, Task

Urgency = tuple[int, int]  # the smallest runs
Section = tuple[str, str, int, int]  # a task holds a resource from here to there


@dataclass(eq=False)
class Job:
    """One activation. Its urgency is what it is, or what a section makes of it."""

    system: System
    task: Task
    arrival: int
    steps: deque[Step]
    left: int = 0  # of its run step
    held: list[Resource] = field(default_factory=list)  # the innermost last
    since: list[int] = field(default_factory=list)  # when it entered each
    sections: list[Section] = field(default_factory=list)  # of those that servers share
    waits: bool = False  # for the next budget of its server
    is_granted: bool = False  # it has come

    @property
    def urgency(self) -> Urgency:
        """That of the task, or of the highest ceiling: one inside comes before its equals."""
        return min([self._own, *((-self._ceiling(each), -1) for each in self._in_force)])

    @property
    def shared(self) -> list[Resource]:
        """What it holds that several servers share."""
        return [resource for resource in self.held if resource.is_of_servers]

    @property
    def is_over(self) -> bool:
        """Whether nothing is left of it."""
        return not self.left and not self.steps

    def next_lock(self) -> Resource | None:
        """Return what it locks now, if it does."""
        step = self.steps[0] if self.steps and not self.left else None
        return self._resource(step.resource) if isinstance(step, Lock) else None

    def go_on(self, now: int) -> None:
        """Unlock, and begin to run: all that it does before it next locks, or is over."""
        while not self.left and self.steps and not isinstance(self.steps[0], Lock):
            step = self.steps.popleft()
            if isinstance(step, Run):
                self.left = step.duration_ns
            else:
                assert isinstance(step, Unlock)
                self._leave(step.resource, now)

    def enter(self, now: int) -> None:
        """Do the lock that comes next."""
        resource = self.next_lock()
        assert resource
        self.steps.popleft()
        self.held.append(resource)
        self.since.append(now)
        self.is_granted = False

    def _leave(self, name: str, now: int) -> None:
        resource = self.held.pop()
        assert resource.name == name
        begin = self.since.pop()
        if resource.is_of_servers:
            self.sections.append((self.task.name, name, begin, now))

    @property
    def _own(self) -> Urgency:
        if self.system.scheduler is Scheduler.EDF:
            return (self.arrival + (self.task.deadline_ns or 0), self.arrival)
        return (-self.task.priority, self.arrival)

    @property
    def _in_force(self) -> list[Resource]:
        """Those whose ceilings are: also that which it has to wait for."""
        waited = self.next_lock() if self.waits or self.is_granted else None
        return [*self.held, *([waited] if waited else [])]

    def _ceiling(self, resource: Resource) -> int:
        if resource.is_of_servers and self.task.server:
            return self.system.local_ceiling(resource, self.task.server)
        return resource.ceiling

    def _resource(self, name: str) -> Resource:
        return next(each for each in self.system.resources if each.name == name)


def job_of(system: System, name: str, arrival: int) -> Job:
    """Return a new activation."""
    task = next(task for task in system.tasks if task.name == name)
    return Job(system, task, arrival, deque(task.body))
