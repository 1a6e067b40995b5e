# SPDX-License-Identifier: MIT
"""Response times if tasks spin for global resources, and are not preempted meanwhile, in ns.

A task that requests a global resource is not preempted until its section ends. So the ceiling of
the resource is above all priorities on each of its CPUs. The time that the task spins is work
inside the section. It counts in the job, in its interference, and in the blocking by the section.
On each CPU this is the ceiling protocol (response.py, blocking.py): a level is blocked once, by the
longest section. A global section counts with its spin. No task preempts it once it is entered.
msrp.py and spin_priority.py bound how long a task spins.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from plafond.analyse.across import Delays, Sharing
from plafond.analyse.blocking import blocking_ns, ceilings
from plafond.analyse.holding import Surroundings
from plafond.analyse.response import level_bounds, level_of
from plafond.analyse.window import Effort
from plafond.describe.system import Lock, Run, Step, System, Task
from plafond.protocols import Protocol

Spin = Callable[[Task, str], int]  # how long a task spins for a resource, in ns
Spins = Mapping[tuple[str, str], int]  # the same, by names


class Spinning:
    """The bounds of tasks on CPUs with global resources."""

    def __init__(
        self, sharing: Sharing, around: Surroundings, spin_ns: Spin, effort: Effort
    ) -> None:
        """Use `spin_ns` for how long a task spins for a resource."""
        self._sharing = sharing
        self._around = around
        self._spin_ns = spin_ns
        self._effort = effort
        self._systems: dict[int, tuple[Spins, System]] = {}  # of the last call, by CPU

    def delays(self, task: Task) -> Delays:
        """Return the delays of a task; NoWindowError if it has no bound."""
        system = self._with_spins(task.cpu)
        own = next(each for each in system.tasks if each.name == task.name)
        once_ns = blocking_ns(system, own, Protocol.CEILING, ceilings(system))
        level = level_of(system, own, once_ns + self._around.piece_ns)
        background = self._around.background((own, *level.others), task.cpu)
        return Delays(level_bounds(level, self._effort, background))

    def _with_spins(self, cpu: int) -> System:
        spins = {
            (task.name, request.resource): self._spin_ns(task, request.resource)
            for task in self._sharing.on_cpu(cpu)
            for request in self._sharing.requests(task)
        }
        if cpu not in self._systems or self._systems[cpu][0] != spins:
            self._systems[cpu] = spins, with_spins(self._sharing.system, cpu, spins)
        return self._systems[cpu][1]


def with_spins(system: System, cpu: int, spins: Spins) -> System:
    """Return a system of ceilings in which the sections of a CPU's tasks contain the spins."""
    names = {resource.name for resource in system.global_resources}
    top = 1 + max(task.priority for task in system.tasks)

    def steps(task: Task) -> Iterator[Step]:
        for step in task.body:
            yield step
            if isinstance(step, Lock) and step.resource in names:
                yield Run(spins[task.name, step.resource])

    return replace(
        system,
        tasks=tuple(
            task.changed(body=tuple(steps(task))) if task.cpu == cpu else task
            for task in system.tasks
        ),
        resources=tuple(
            each.changed(ceiling=top) if each.is_global else each for each in system.resources
        ),
    )
