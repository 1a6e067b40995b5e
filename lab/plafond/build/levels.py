# SPDX-License-Identifier: MIT
"""Priorities of a description, as a core counts them: levels without gaps, from 1."""

from collections.abc import Collection, Mapping

from plafond.describe.kernel import SCHEDULER
from plafond.describe.system import Resource, System, Task

MOST_LEVELS = 63


class Levels:
    """The levels of a system: on each core its priorities and ceilings are ranked together."""

    def __init__(self, system: System) -> None:
        """Rank what is in use: a resource without users has no level of its own."""
        self._system = system
        self._resources = {resource.name: resource for resource in system.resources}
        self._cores = [_ranked(system, cpu) for cpu in range(system.cpus)]

    @property
    def highest(self) -> int:
        """The level of the most urgent task or ceiling of any core."""
        return max(len(levels) for levels in self._cores)

    def priorities(self, cpu: int) -> Mapping[int, int]:
        """The priority or ceiling of each level of a core."""
        return {level: priority for priority, level in self._cores[cpu].items()}

    def base(self, task: Task) -> int:
        """At which a task waits for its start."""
        return self._cores[task.cpu][task.priority]

    def internal(self, task: Task) -> int:
        """The ceiling of a task's internal resource; its base where it has none."""
        if not task.is_preemptable:
            return max(map(self.base, self._system.tasks_on(task.cpu)))
        return self.ceiling(task.internal) if task.internal else self.base(task)

    def has_internal(self, task: Task) -> bool:
        """Whether a task holds an internal resource, or none is above it, whenever it runs."""
        return self.internal(task) != self.base(task)

    def most(self, task: Task) -> int:
        """The highest at which a task can be."""
        entered = (r.name for r in self._system.resources if r.may_be_entered_by(task))
        return max([self.base(task), *map(self.ceiling, entered)])

    def ceiling(self, name: str) -> int:
        """The level of a resource, the same on each core that has it: the highest of these."""
        resource = self._resources[name]
        if not resource.users and name != SCHEDULER:
            return 1
        cores = [self._cores[cpu] for cpu in _cpus_of(self._system, resource)]
        return max(levels[resource.ceiling] for levels in cores)


def _cpus_of(system: System, resource: Resource) -> Collection[int]:
    if resource.name == SCHEDULER:
        return range(system.cpus)
    return {task.cpu for task in system.tasks if task.name in resource.users}


def _ranked(system: System, cpu: int) -> dict[int, int]:
    used = [r for r in system.resources if r.users or r.name == SCHEDULER]
    ceilings = {r.ceiling for r in used if cpu in _cpus_of(system, r)}
    ranked = sorted({*(task.priority for task in system.tasks_on(cpu)), *ceilings})
    return {priority: level for level, priority in enumerate(ranked, 1)}
