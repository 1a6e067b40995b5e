# SPDX-License-Identifier: MIT
"""What tasks ask for across CPUs, and bounds of tasks that depend on each other.

A *request* is a lock of a global resource: the task waits for the other CPUs, and then it is
inside. No request is made inside a section (see coverage.py); in its own section a task may
lock resources of its CPU.

The response of a task depends on those of others, on its own CPU and beyond, and these on its
own. Any times that solve all equations together are bounds: take the first instant in which
a job is pending for longer than that. Up to there all others kept theirs, so the equations hold
for what came before, and the job cannot have taken longer. The least such times come of
beginning with none, as all terms only rise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plafond.analyse.response import Bounds
from plafond.analyse.window import Effort, NoWindowError
from plafond.describe.system import Lock, Run, System, Task, Unlock


@dataclass(frozen=True)
class Request:
    """A lock of a global resource by each job of a task."""

    resource: str
    length_ns: int  # the processor time of its section


class Sharing:
    """The tasks of all CPUs with global resources, and their requests."""

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
        """Return all that a job makes, in order."""
        return self._requests[task.name]

    def on_cpu(self, cpu: int) -> tuple[Task, ...]:
        """Return the tasks of one of these CPUs."""
        return tuple(task for task in self.tasks if task.cpu == cpu)

    def count(self, task: Task, resource: str) -> int:
        """Return how many of them are for a resource."""
        return sum(each.resource == resource for each in self.requests(task))

    def longest_ns(self, task: Task, resource: str) -> int:
        """Return the longest of these sections."""
        return max(
            (each.length_ns for each in self.requests(task) if each.resource == resource),
            default=0,
        )

    def is_on_cpu_before(self, other: Task, task: Task, resource: str) -> bool:
        """Return whether the CPU of another task is before the task's in line, if CPUs are."""
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
    """The bounds of a task, and how long it waits for each global resource."""

    bounds: Bounds = field(default_factory=lambda: Bounds(0, 0))
    waits_ns: Mapping[str, int] = field(default_factory=dict)


class Known:
    """What is known of tasks so far: at least this, or that there is no bound."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        """Begin without delays."""
        self._of: dict[str, Delays | NoWindowError] = {task.name: Delays() for task in tasks}

    def response_ns(self, task: Task) -> int:
        """Return how long a job takes; NoWindowError if there is no bound."""
        return self._delays(task).bounds.response_ns

    def wait_ns(self, task: Task, resource: str) -> int:
        """Return how long a request waits; NoWindowError if the task has no bound."""
        return self._delays(task).waits_ns.get(resource, 0)

    def learn(self, task: Task, found: Delays | NoWindowError) -> bool:
        """Return whether that is new. A task without a bound has none, however it is found."""
        before = self._of[task.name]
        if isinstance(before, NoWindowError):
            return False
        self._of[task.name] = found
        return before != found

    def bounds(self) -> dict[str, Bounds | NoWindowError]:
        """Return all bounds, and why there are none."""
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
    """Find the least bounds that agree with each other; `delays_of` goes by what is known."""
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
