# SPDX-License-Identifier: MIT
"""A system as the rest of the lab knows it: valid, times in nanoseconds, ceilings computed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from plafond.errors import ArgumentError
from plafond.units import UNIT_NS, format_duration

SHORTEST_SCALED_NS = UNIT_NS["us"]


@dataclass(frozen=True)
class Run:
    """Use the processor for so long; time lost to others does not count."""

    duration_ns: int


@dataclass(frozen=True)
class Lock:
    """Enter the section of a resource."""

    resource: str


@dataclass(frozen=True)
class Unlock:
    """Leave the section entered last."""

    resource: str


@dataclass(frozen=True)
class Sleep:
    """Give the processor away for so long (self-suspension), outside all sections."""

    duration_ns: int


Step = Run | Lock | Unlock | Sleep


@dataclass(frozen=True)
class Interval:
    """How far arrivals are apart: uniformly from `least_ns` to `most_ns`, both included."""

    least_ns: int
    most_ns: int


class Pending(StrEnum):
    """What happens to an arrival that finds its task unfinished."""

    QUEUE = "queue"
    SKIP = "skip"


@dataclass(frozen=True)
class Task:
    """A task of fixed priority, pinned to one CPU."""

    name: str
    priority: int
    cpu: int
    interval: Interval
    offset_ns: int
    deadline_ns: int  # relative to the arrival
    activations: int | None
    pending: Pending
    body: tuple[Step, ...]

    @property
    def run_ns(self) -> int:
        """The processor time of one activation."""
        return sum(step.duration_ns for step in self.body if isinstance(step, Run))

    @property
    def sleeps_ns(self) -> tuple[int, ...]:
        """The self-suspensions of one activation."""
        return tuple(step.duration_ns for step in self.body if isinstance(step, Sleep))

    @property
    def utilisation(self) -> Fraction:
        """The largest share of its processor that the task can ask for."""
        return Fraction(self.run_ns, self.interval.least_ns)

    @property
    def resources(self) -> frozenset[str]:
        """The resources that its body locks."""
        return frozenset(step.resource for step in self.body if isinstance(step, Lock))

    def held(self) -> Iterator[tuple[Step, tuple[str, ...]]]:
        """Each step with the resources that are held before it, outermost first."""
        held: tuple[str, ...] = ()
        for step in self.body:
            yield step, held
            if isinstance(step, Lock):
                held = (*held, step.resource)
            elif isinstance(step, Unlock):
                held = held[:-1]

    def longest_hold_ns(self, resources: frozenset[str]) -> int:
        """The longest processor time for which one of the resources is held without a break."""
        longest = hold_ns = 0
        for step, held in self.held():
            if not resources.intersection(held):
                hold_ns = 0
            elif isinstance(step, Run):
                hold_ns += step.duration_ns
                longest = max(longest, hold_ns)
        return longest


@dataclass(frozen=True)
class Resource:
    """Something that one task at a time may use."""

    name: str
    ceiling: int
    users: tuple[str, ...]


@dataclass(frozen=True)
class System:
    """Processors, tasks, the most urgent first, and resources."""

    name: str
    cpus: int
    seed: int
    tasks: tuple[Task, ...]
    resources: tuple[Resource, ...]

    def tasks_on(self, cpu: int) -> tuple[Task, ...]:
        """The tasks of one CPU, the most urgent first."""
        return tuple(task for task in self.tasks if task.cpu == cpu)

    def utilisation(self, cpu: int) -> Fraction:
        """The largest share of a CPU that its tasks can ask for."""
        return sum((task.utilisation for task in self.tasks_on(cpu)), Fraction(0))

    def scaled(self, factor: Fraction) -> "System":
        """Return the same system with all times multiplied, down to whole nanoseconds.

        ArgumentError names what a factor below 1 makes too short to be kept.
        """
        _refuse_too_short(self, factor)

        def times(value_ns: int) -> int:
            return max(int(value_ns * factor), 1) if value_ns else 0

        def step(old: Step) -> Step:
            if isinstance(old, Run | Sleep):
                return replace(old, duration_ns=times(old.duration_ns))
            return old

        return replace(
            self,
            tasks=tuple(
                replace(
                    task,
                    interval=Interval(times(task.interval.least_ns), times(task.interval.most_ns)),
                    offset_ns=times(task.offset_ns),
                    deadline_ns=times(task.deadline_ns),
                    body=tuple(map(step, task.body)),
                )
                for task in self.tasks
            ),
        )


def _refuse_too_short(system: System, factor: Fraction) -> None:
    for task in system.tasks if factor < 1 else ():
        for what, time_ns in _times_of(task):
            if time_ns * factor < SHORTEST_SCALED_NS:
                raise ArgumentError(
                    f"--scale: found {float(factor):g}, which makes {what} of task {task.name} "
                    f"{format_duration(float(time_ns * factor))}; "
                    f"expected at least {format_duration(SHORTEST_SCALED_NS)}"
                )


def _times_of(task: Task) -> Iterator[tuple[str, int]]:
    """All that must not become too short, with its name."""
    for index, step in enumerate(task.body):
        if isinstance(step, Run | Sleep):
            yield f"the {type(step).__name__.lower()} step body[{index}]", step.duration_ns
    yield "the least interval", task.interval.least_ns
    yield "the deadline", task.deadline_ns
