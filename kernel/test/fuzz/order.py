# SPDX-License-Identifier: MIT
"""The model's schedulers: they choose the most urgent ready task, and compute its urgency.

ByPriority is OSEK OS 2.2.3, Sections 4 and 8. ByDeadline is docs/kernel/scheduling.md: the earliest
absolute deadline first, with the floors of docs/protocols/lazy-floor.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from .system import RESOURCES, System, Task


@dataclass(eq=False)
class Urgency:
    """The state of a task for its scheduler."""

    number: int
    task: Task
    activations: int = 0
    held: list[int] = field(default_factory=list)  # resources, in the order of entry
    has_internal: bool = False
    deadline: int = 0  # absolute deadline of the activation that has begun
    latest: int = 0  # absolute deadline of the last activation
    since: dict[int, int] = field(default_factory=dict)  # by resource: start of its floor


class Order(Protocol):
    """The ready tasks, without the running task."""

    def append(self, job: Urgency, now: int) -> None:
        """Add a task that was activated or woken at that time."""

    def put_back(self, job: Urgency) -> None:
        """Add a preempted task."""

    def remove(self, job: Urgency) -> None:
        """Remove a task, because its application ends."""

    def take(self) -> Urgency:
        """Take the most urgent task, which runs next."""

    def enters(self, job: Urgency, resource: int, now: int) -> None:
        """The running task enters a resource, as its innermost section."""

    def is_behind(self, job: Urgency, now: int) -> bool:
        """Whether a ready task is more urgent than the running task."""

    def is_behind_outside(self, job: Urgency) -> bool:
        """The same, as if the running task had no resources, not even the internal resource."""


class ByPriority:
    """The oldest task of the highest priority."""

    def __init__(self, system: System) -> None:
        """No task is ready."""
        self.ready: dict[int, list[Urgency]] = {}
        self.ceilings = [system.ceiling(resource) for resource in range(len(RESOURCES))]
        self.internal_ceilings = [system.internal_ceiling(task) for task in system.tasks]

    def priority(self, job: Urgency) -> int:
        """The highest of its priority and the ceilings of its resources (8.5, 8.6)."""
        held = [self.ceilings[resource] for resource in job.held]
        internal = self.internal_ceilings[job.number] if job.has_internal else 0
        return max([job.task.priority, internal, *held])

    def top(self) -> int:
        """The priority of the most urgent ready task; 0: no task is ready."""
        return max((level for level, jobs in self.ready.items() if jobs), default=0)

    def append(self, job: Urgency, now: int) -> None:
        """A task that is new or was released is the youngest of its priority (4.6.1)."""
        self.ready.setdefault(job.task.priority, []).append(job)

    def put_back(self, job: Urgency) -> None:
        """A preempted task is the oldest of its priority (4.6.1)."""
        self.ready.setdefault(self.priority(job), []).insert(0, job)

    def remove(self, job: Urgency) -> None:
        """With all its activations."""
        for waiting in self.ready.values():
            waiting[:] = [other for other in waiting if other is not job]

    def take(self) -> Urgency:
        """Take the task, which takes its internal resource."""
        job = self.ready[self.top()].pop(0)
        job.has_internal = True
        return job

    def enters(self, job: Urgency, resource: int, now: int) -> None:
        """Its priority is computed from its resources."""
        job.held.append(resource)

    def is_behind(self, job: Urgency, now: int) -> bool:
        """A task of equal priority preempts no other."""
        return self.top() > self.priority(job)

    def is_behind_outside(self, job: Urgency) -> bool:
        """13.2.3.4."""
        return self.top() > job.task.priority


@dataclass(eq=False)
class _Entry:
    """A ready task. Equal deadlines keep their order, and a preempted task came before."""

    job: Urgency
    deadline: int
    order: int
    is_new: bool


class ByDeadline:
    """The earliest deadline first."""

    def __init__(self, system: System, *, is_lazy: bool) -> None:
        """`is_lazy`: a floor counts from the arrival of an earlier task, not from the lock."""
        self.ready: list[_Entry] = []
        self.floors = [system.floor(resource) for resource in range(len(RESOURCES))]
        self.is_lazy = is_lazy
        self.orders = 0

    def deadline(self, job: Urgency) -> int:
        """The task's deadline, or that of a floor that counts already."""
        floors = [job.since[each] + self.floors[each] for each in job.held if each in job.since]
        return min([job.deadline, *floors])

    def append(self, job: Urgency, now: int) -> None:
        """The task arrives now, even if it wakes up. Its activations keep their order."""
        self.orders += 1
        deadline = now + job.task.deadline_ns
        job.latest = max(deadline, job.latest) if job.activations > 1 else deadline
        self.ready.append(_Entry(job, job.latest, self.orders, is_new=True))

    def put_back(self, job: Urgency) -> None:
        """The task keeps its place."""
        self.ready.append(_Entry(job, self.deadline(job), 0, is_new=False))

    def remove(self, job: Urgency) -> None:
        """With all its activations."""
        self.ready = [entry for entry in self.ready if entry.job is not job]

    def first(self) -> _Entry | None:
        """The first entry; None: no task is ready."""
        return min(self.ready, key=lambda entry: (entry.deadline, entry.order), default=None)

    def take(self) -> Urgency:
        """A preempted task keeps its deadline."""
        entry = self.first()
        assert entry is not None
        self.ready.remove(entry)
        if entry.is_new:
            entry.job.deadline = entry.deadline
        return entry.job

    def enters(self, job: Urgency, resource: int, now: int) -> None:
        """If the lock is a system call, the floor counts from the call."""
        job.held.append(resource)
        job.since.pop(resource, None)
        if not self.is_lazy:
            job.since[resource] = now

    def is_behind(self, job: Urgency, now: int) -> bool:
        """The running task wins ties."""
        first = self.first()
        if first is None or first.deadline >= self.deadline(job):
            return False
        for resource in job.held:
            job.since.setdefault(resource, now)
        return first.deadline < self.deadline(job)

    def is_behind_outside(self, job: Urgency) -> bool:
        """There are no internal resources."""
        return False


def order_of(system: System, *, is_lazy: bool) -> Order:
    """Return the scheduler of a system."""
    return ByDeadline(system, is_lazy=is_lazy) if system.is_edf else ByPriority(system)
