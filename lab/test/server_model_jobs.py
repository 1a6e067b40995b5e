# SPDX-License-Identifier: MIT
"""The steps and the held resources of an activation, for server_model.py."""

from collections import deque
from dataclasses import dataclass, field

from plafond.describe.body import Lock, Run, Step, Unlock
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Resource, System, Task

Urgency = tuple[int, int]  # the smallest urgency runs
Section = tuple[str, str, int, int]  # a task, its resource, and the begin and end of the section


@dataclass(eq=False)
class Job:
    """An activation. Its urgency is the task's, or the highest ceiling of its sections."""

    system: System
    task: Task
    arrival: int
    steps: deque[Step]
    left: int = 0  # time left of its run step
    held: list[Resource] = field(default_factory=list)  # the innermost last
    since: list[int] = field(default_factory=list)  # when it entered each section
    sections: list[Section] = field(default_factory=list)  # of resources that servers share
    waits: bool = False  # for the next budget of its server
    is_granted: bool = False  # the budget came; the job tests it again when it would run

    @property
    def urgency(self) -> Urgency:
        """The task's urgency, or the highest ceiling. A job in a section comes before its
        equals."""
        return min([self._own, *((-self._ceiling(each), -1) for each in self._in_force)])

    @property
    def shared(self) -> list[Resource]:
        """The held resources that several servers share."""
        return [resource for resource in self.held if resource.is_of_servers]

    @property
    def is_over(self) -> bool:
        """Whether the job has no step left."""
        return not self.left and not self.steps

    def next_lock(self) -> Resource | None:
        """Return the resource if the next step is a lock."""
        step = self.steps[0] if self.steps and not self.left else None
        return self._resource(step.resource) if isinstance(step, Lock) else None

    def go_on(self, now: int) -> None:
        """Unlock and begin to run, up to the next lock or the end."""
        while not self.left and self.steps and not isinstance(self.steps[0], Lock):
            step = self.steps.popleft()
            if isinstance(step, Run):
                self.left = step.duration_ns
            else:
                assert isinstance(step, Unlock)
                self._leave(step.resource, now)

    def enter(self, now: int) -> None:
        """Do the next step, which must be a lock."""
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
        """The resources whose ceilings count. The resource that the job waits for is among them."""
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
