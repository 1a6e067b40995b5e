# SPDX-License-Identifier: MIT
"""Requests of tasks for global resources, and the solution of bounds that depend on each other.

A *request* is a lock of a global resource. The task waits until other CPUs release the resource,
and then it enters the section. coverage.py refuses a request inside a section. Inside a global
section a task may lock resources of its CPU.

The response time of a task depends on the response times of other tasks, on any CPU, and these
depend on it. Any times that satisfy all equations together are bounds. Proof: take the first
instant at which a job is pending for longer than its time. Until then all other jobs kept their
times, so the equations hold for the work before that instant. So the job cannot have taken longer.
The iteration finds the least such times. It begins at zero, because every term only rises.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plafond.analyse.response import Bounds
from plafond.analyse.window import Effort, NoWindowError
from plafond.describe.system import Lock, Run, System, Task, Unlock


@dataclass(frozen=True)
class Request:
    """A lock of a global resource, which each job of a task makes."""

    resource: str
    length_ns: int  # processor time inside the section


class Sharing:
    """The tasks on CPUs that use global resources, and the requests of each task."""

    def __init__(self, system: System) -> None:
        """Find the requests of each task."""
        self.system = system
        self.names = frozenset(resource.name for resource in system.global_resources)
        self.tasks = tuple(task for task in system.tasks if system.globals_on(task.cpu))
        self._requests = {task.name: tuple(_requests(task, self.names)) for task in self.tasks}
        self._cpus_by_place = {
            resource.name: tuple(system.users_by_cpu(resource))
            for resource in system.global_resources
            if resource.is_by_cpu
        }

    def requests(self, task: Task) -> tuple[Request, ...]:
        """Return the requests of a job in the order of its body."""
        return self._requests[task.name]

    def on_cpu(self, cpu: int) -> tuple[Task, ...]:
        """Return the tasks of a CPU; none if the CPU uses no global resource."""
        return tuple(task for task in self.tasks if task.cpu == cpu)

    def count(self, task: Task, resource: str) -> int:
        """Return how many requests of a job are for a resource."""
        return sum(each.resource == resource for each in self.requests(task))

    def longest_ns(self, task: Task, resource: str) -> int:
        """Return the length of the task's longest section of a resource, or 0."""
        return max(
            (each.length_ns for each in self.requests(task) if each.resource == resource),
            default=0,
        )

    def is_on_cpu_before(self, other: Task, task: Task, resource: str) -> bool:
        """Return whether a resource's line serves the CPU of `other` before the CPU of `task`.

        False if the line does not go by CPU (line.py).
        """
        cpus = self._cpus_by_place.get(resource, ())
        return task.cpu in cpus and other.cpu in cpus[: cpus.index(task.cpu)]

    def others(self, task: Task, resource: str) -> tuple[Task, ...]:
        """Return the other tasks that request a resource."""
        return tuple(
            other
            for other in self.tasks
            if other.name != task.name and self.count(other, resource) > 0
        )


def _requests(task: Task, names: frozenset[str]) -> Iterator[Request]:
    length_ns = 0
    for step, held in task.held():
        if isinstance(step, Lock) and step.resource in names:
            length_ns = 0
        elif isinstance(step, Run):
            length_ns += step.duration_ns
        elif isinstance(step, Unlock) and step.resource in names and len(held) == 1:
            yield Request(step.resource, length_ns)


@dataclass(frozen=True)
class Delays:
    """The bounds of a task, and how long it waits for each global resource, in ns."""

    bounds: Bounds = field(default_factory=lambda: Bounds(0, 0))
    waits_ns: Mapping[str, int] = field(default_factory=dict)


class Known:
    """The delays of tasks found so far, which only rise, or why a task has no bound."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        """Begin with zero for every task."""
        self._of: dict[str, Delays | NoWindowError] = {task.name: Delays() for task in tasks}

    def response_ns(self, task: Task) -> int:
        """Return the response time found so far; NoWindowError if the task has no bound."""
        return self._delays(task).bounds.response_ns

    def wait_ns(self, task: Task, resource: str) -> int:
        """Return how long a request waits, as found so far; NoWindowError without a bound."""
        return self._delays(task).waits_ns.get(resource, 0)

    def learn(self, task: Task, found: Delays | NoWindowError) -> bool:
        """Store the result for a task, and return whether it changed.

        A task without a bound stays so, whatever is found later.
        """
        before = self._of[task.name]
        if isinstance(before, NoWindowError):
            return False
        self._of[task.name] = found
        return before != found

    def bounds(self) -> dict[str, Bounds | NoWindowError]:
        """Return the bounds of each task, or why it has none, by name."""
        return {
            name: each.bounds if isinstance(each, Delays) else each
            for name, each in self._of.items()
        }

    def _delays(self, task: Task) -> Delays:
        found = self._of.get(task.name)
        if isinstance(found, Delays):
            return found
        raise NoWindowError(f"{task.name} has no bound")


def settle(
    known: Known, tasks: Sequence[Task], delays_of: Callable[[Task], Delays], effort: Effort
) -> dict[str, Bounds | NoWindowError]:
    """Return the least bounds that satisfy all equations together.

    `delays_of` must bound a task from the contents of `known`. `effort` limits the iteration.
    """
    effort.begin_row(len(tasks))
    is_changing = True
    while is_changing:
        is_changing = False
        for task in tasks:
            is_changing |= known.learn(task, _attempt(task, delays_of))
    return known.bounds()


def _attempt(task: Task, delays_of: Callable[[Task], Delays]) -> Delays | NoWindowError:
    try:
        return delays_of(task)
    except NoWindowError as error:
        return error
