# SPDX-License-Identifier: MIT
"""Priorities of a description, as the kernel counts them: levels without gaps, from 1."""

from plafond.describe.kernel import SCHEDULER
from plafond.describe.system import System, Task

MOST_LEVELS = 63


class Levels:
    """The levels of a system; priorities and ceilings are ranked together."""

    def __init__(self, system: System) -> None:
        """Rank what is in use: a resource without users has no level of its own."""
        used = {r.name: r.ceiling for r in system.resources if r.users or r.name == SCHEDULER}
        ranked = sorted({*(task.priority for task in system.tasks), *used.values()})
        self._system = system
        self._ceilings = {
            resource.name: used.get(resource.name, ranked[0]) for resource in system.resources
        }
        self._levels = {priority: index for index, priority in enumerate(ranked, 1)}
        self.priorities = {index: priority for priority, index in self._levels.items()}

    @property
    def highest(self) -> int:
        """The level of the most urgent task or ceiling."""
        return len(self._levels)

    def base(self, task: Task) -> int:
        """At which a task waits for its start."""
        return self._levels[task.priority]

    def internal(self, task: Task) -> int:
        """The ceiling of a task's internal resource; its base where it has none."""
        if not task.is_preemptable:
            return max(map(self.base, self._system.tasks))
        return self.ceiling(task.internal) if task.internal else self.base(task)

    def has_internal(self, task: Task) -> bool:
        """Whether a task holds an internal resource, or none is above it, whenever it runs."""
        return self.internal(task) != self.base(task)

    def most(self, task: Task) -> int:
        """The highest at which a task can be."""
        entered = (r.name for r in self._system.resources if r.may_be_entered_by(task))
        return max([self.base(task), *map(self.ceiling, entered)])

    def ceiling(self, resource: str) -> int:
        """The level of a resource."""
        return self._levels[self._ceilings[resource]]
