# SPDX-License-Identifier: MIT
"""Levels: the priorities of a description, ranked on each core from 1 without gaps."""

from collections.abc import Collection, Mapping
from math import inf

from plafond.describe.body import CallBack, Lock
from plafond.describe.isr import Isr
from plafond.describe.kernel import SCHEDULER, Scheduler
from plafond.describe.server import Sharing
from plafond.describe.system import Resource, System, Task

MOST_LEVELS = 63
MOST_OF_HARDWARE = 31  # limit of five priority bits: see kernel/ports/a53/gic.h


class Levels:
    """The levels of a system: each core ranks its priorities and ceilings together.

    Above these are the ceilings of global resources, which have the same levels on all cores.
    """

    def __init__(self, system: System) -> None:
        """Rank the used priorities; a resource without users gets no level."""
        self._system = system
        self._resources = {resource.name: resource for resource in system.resources}
        self._cores = [_ranked(system, cpu) for cpu in range(system.cpus)]
        self._most_local = max(map(len, self._cores))
        ceilings = sorted({resource.ceiling for resource in system.global_resources})
        self._globals = {ceiling: level for level, ceiling in enumerate(ceilings, 1)}

    @property
    def highest(self) -> int:
        """The highest level of a task, ceiling or ranked interrupt on any core."""
        return self._most_local + len(self._globals)

    @property
    def most_on_a_core(self) -> int:
        """The number of levels of a core, with the level of interrupts above all tasks."""
        timers = map(self.alarms, range(self._system.cpus))
        return max([self.highest, *map(self.isr, self._system.isrs), *timers])

    @property
    def count(self) -> int:
        """The number of the kernel's levels, with idle and with the level that holds routines
        back."""
        of_routines = map(self._of_routines, self._system.resources_of_routines)
        return 1 + max([self.highest, *of_routines])

    def isr(self, isr: Isr) -> int:
        """The level of a routine.

        Under the hardware scheduler, it is among the levels of its core's tasks. By software,
        nested interrupts have levels from 2. Category 1 is above all levels, so its result is not
        used.
        """
        if isr.category == 1:
            return 1
        if self._system.scheduler is not Scheduler.HARDWARE:
            ranks = _ranks_of_isrs(self._system, isr.cpu)
            return 2 + ranks.index(_rank(isr)) if self.nesting else 1
        return self._cores[isr.cpu][isr.priority] if isr.priority else self.above(isr.cpu)

    @property
    def nesting(self) -> int:
        """The most routines of a core that may have begun, nested in each other."""
        return nesting_of(self._system)

    def above(self, cpu: int) -> int:
        """The level above all tasks and ceilings of a core."""
        return self.highest + 1 if self._globals else len(self._cores[cpu]) + 1

    def alarms(self, cpu: int) -> int:
        """The level of a core's timer: that of the most urgent task which its alarms or tables
        signal.

        A task of another core counts with its priority. Callbacks are above all tasks, like
        interrupts.
        """
        counters = {counter.name for counter in self._system.counters if counter.cpu == cpu}
        alarms = [alarm for alarm in self._system.alarms if alarm.counter in counters]
        if any(isinstance(alarm.action, CallBack) for alarm in alarms):
            return self.above(cpu)
        tables = [table for table in self._system.schedule_tables if table.counter in counters]
        served = {alarm.task for alarm in alarms}
        served |= {signal.task for table in tables for signal in table.signals}
        priorities = (task.priority for task in self._system.tasks if task.name in served)
        most = max(priorities, default=0)
        return 1 + sum(priority < most for priority in self._cores[cpu])

    def priorities(self, cpu: int) -> Mapping[int, int]:
        """From each level of a core to its priority or ceiling."""
        return {level: priority for priority, level in self._cores[cpu].items()}

    def base(self, task: Task) -> int:
        """The level at which a task waits for its start."""
        return self._cores[task.cpu][task.priority]

    def internal(self, task: Task) -> int:
        """The level of a task's internal resource; its base level if it has none."""
        if not task.is_preemptable:
            return max(map(self.base, self._system.tasks_on(task.cpu)))
        return self.ceiling(task.internal) if task.internal else self.base(task)

    def has_internal(self, task: Task) -> bool:
        """Whether the task runs above its base level."""
        return self.internal(task) != self.base(task)

    def local(self, priority: int, cpu: int) -> int:
        """The level of a priority that a core uses."""
        return self._cores[cpu][priority]

    def most(self, task: Task) -> int:
        """The highest level that a task can reach."""
        entered = (r for r in self._system.resources if r.may_be_entered_by(task.name))
        return max([self.base(task), *(self._inside(task, resource) for resource in entered)])

    def _inside(self, task: Task, resource: Resource) -> int:
        """The level of a task inside a resource; under overrun no other task of its server runs."""
        if not resource.is_of_servers:
            return self.ceiling(resource.name)
        assert task.server is not None
        if self._system.server(task.server).sharing is not Sharing.SKIP:
            return self.highest
        return self.local(self._system.local_ceiling(resource, task.server), task.cpu)

    def ceiling(self, name: str) -> int:
        """The level of a resource: the highest of its levels on all cores."""
        resource = self._resources[name]
        if self._system.routines_of(name):
            return self._of_routines(resource)
        if not resource.users and name != SCHEDULER:
            return 1
        if resource.is_global:
            return self._most_local + self._globals[resource.ceiling]
        around = _around(self._system, resource.names or {name})
        if around:
            return max(map(self.ceiling, around))
        cores = [self._cores[cpu] for cpu in _cpus_of(self._system, resource)]
        return max(levels[resource.ceiling] for levels in cores)

    def _of_routines(self, resource: Resource) -> int:
        """The level of a resource that routines lock, which must also keep these routines out.

        By software, interrupts are above all tasks and ceilings.
        """
        if self._system.scheduler is not Scheduler.HARDWARE:
            return self.highest + 1
        own = [self._cores[cpu][resource.ceiling] for cpu in _cpus_of(self._system, resource)]
        return max([*own, *map(self.isr, self._system.routines_of(resource.name))])


def nesting_of(system: System) -> int:
    """Return the most routines of a core that may have begun, nested in each other; 0: none nest.

    Under the hardware scheduler they never nest.
    """
    if system.scheduler is Scheduler.HARDWARE:
        return 0
    most = max(len(_ranks_of_isrs(system, cpu)) for cpu in range(system.cpus))
    return most if most > 1 else 0


def _ranks_of_isrs(system: System, cpu: int) -> list[float]:
    isrs = (isr for isr in system.isrs if isr.cpu == cpu and isr.category == 2)
    return sorted({_rank(isr) for isr in isrs})


def _rank(isr: Isr) -> float:
    """A routine without a priority is above all others on its core."""
    return isr.priority or inf


def _around(system: System, names: Collection[str]) -> set[str]:
    """The global resources whose sections may contain a lock of a resource with these names.

    A task at a higher global ceiling may preempt the holder and enter the resource. So the resource
    needs the highest of these ceilings. C sources count with all resources that they declare.
    """
    across = {resource.name for resource in system.global_resources}
    found: set[str] = set()
    for task in system.tasks:
        if task.body:
            for step, held in task.held():
                is_entered = isinstance(step, Lock) and step.resource in names
                found |= across.intersection(held) if is_entered else set()
        elif not task.resources.isdisjoint(names):
            found |= across & task.resources
    return found


def _cpus_of(system: System, resource: Resource) -> Collection[int]:
    if resource.name == SCHEDULER:
        return range(system.cpus)
    return {task.cpu for task in system.tasks if task.name in resource.users}


def _ranked(system: System, cpu: int) -> dict[int, int]:
    used = [r for r in system.resources if (r.users or r.name == SCHEDULER) and not r.is_global]
    ceilings = {r.ceiling for r in used if cpu in _cpus_of(system, r)}
    tasks = (task.priority for task in system.tasks_on(cpu))
    isrs = (isr.priority for isr in system.isrs if isr.cpu == cpu and isr.priority)
    by_hardware = system.scheduler is Scheduler.HARDWARE
    ranked = sorted({*tasks, *ceilings, *(isrs if by_hardware else ())})
    return {priority: level for level, priority in enumerate(ranked, 1)}
