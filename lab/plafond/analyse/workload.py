# SPDX-License-Identifier: MIT
"""What the tasks of a processor ask for under EDF: jobs that are due, and sections that block.

A window begins with some arrival and ends with a deadline. In it the processor has to run the jobs
that both arrive and are due there, h(t) for the windows of length t, and perhaps one section that
was entered before: of a task with a deadline after the window, which the floor of the resource
lifts to one inside. Its relative deadline is above t, the floor is at most t, and no second task is
inside such a section at that time; so B(t) is the longest one. A job with release jitter J is due
D-J after its release, where EDF goes by releases: as late a release as there can be is due at the
deadline of its arrival. So jobs can be released J sooner one after the other than they arrive,
once. Runs that end early only take work away: the section that blocks may be the first step.

Under the deadline floor protocol and under the stack resource policy the terms are the same
(Almatary 2015, Section IV), where floors are those that the deadlines of the users ask for.
A floor that is given lower makes a window of its own length count, though no task has that
deadline: the protocol keeps back tasks that arrive later in the section, up to there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plafond.analyse.overheads import Costs
from plafond.analyse.supply import WHOLE_CPU, Supply
from plafond.describe.system import System, Task


@dataclass(frozen=True)
class Sporadic:
    """Jobs of a task."""

    interval_ns: int
    deadline_ns: int  # relative to the release
    cost_ns: int  # of a job that is due, beside its interrupt
    interrupt_ns: int = 0  # what its release takes of whatever runs
    jitter_ns: int = 0  # releases come up to so long after arrivals

    def arrived(self, window_ns: int) -> int:
        """How many can be released in a window, open at its end."""
        return -(-(window_ns + self.jitter_ns) // self.interval_ns)

    def due(self, window_ns: int) -> int:
        """How many can both be released and be due in a window."""
        if window_ns < self.deadline_ns:
            return 0
        return (window_ns + self.jitter_ns - self.deadline_ns) // self.interval_ns + 1

    def last_due_ns(self, before_ns: int) -> int | None:
        """Return the longest window below this in which one more is due than in shorter ones."""
        jobs = self.due(before_ns - 1)
        if jobs == 0:
            return None
        return self.deadline_ns + max(0, (jobs - 1) * self.interval_ns - self.jitter_ns)


@dataclass(frozen=True)
class Section:
    """For how long a task can run with a floor or a lower one."""

    floor_ns: int
    deadline_ns: int  # of the task
    length_ns: int

    def blocks(self, window_ns: int) -> bool:
        """Whether its task does, from before a window, with a deadline behind it."""
        return self.floor_ns <= window_ns < self.deadline_ns


@dataclass(frozen=True)
class Workload:
    """All of a processor or a server; for `away_ns` of each window it runs nothing of this."""

    jobs: tuple[Sporadic, ...]
    sections: tuple[Section, ...]
    away_ns: int = 0
    supply: Supply = WHOLE_CPU

    @property
    def terms(self) -> int:
        """How many terms a sum over all has."""
        return len(self.jobs) + len(self.sections)

    def demand_ns(self, window_ns: int) -> int:
        """h(t): what must be run in a window."""
        return sum(task.due(window_ns) * task.cost_ns for task in self.jobs)

    def besides_ns(self, window_ns: int) -> int:
        """What else takes time of a window: all interrupts, whenever their jobs are due."""
        return self.away_ns + sum(
            task.arrived(window_ns) * task.interrupt_ns for task in self.jobs if task.interrupt_ns
        )

    def blocking_ns(self, window_ns: int) -> int:
        """B(t): the longest section that can take time of a window."""
        return max((s.length_ns for s in self.sections if s.blocks(window_ns)), default=0)

    def last_change_ns(self, before_ns: int) -> int | None:
        """Return the longest window below this where something is due and h + B can rise."""
        ends = [end for task in self.jobs if (end := task.last_due_ns(before_ns)) is not None]
        first_ns = min(task.deadline_ns for task in self.jobs)
        floors = [s.floor_ns for s in self.sections if first_ns <= s.floor_ns < before_ns]
        return max(ends + floors, default=None)


def workload_of(
    system: System, cpu: int, costs: Costs, away_ns: int = 0, supply: Supply = WHOLE_CPU
) -> Workload:
    """Return the workload of a CPU whose tasks arrive by themselves and do not sleep.

    The costs are in its bodies (inflate.py) but for interrupts and the kernel's longest piece,
    which may have begun before a window.
    """
    tasks = system.tasks_on(cpu)
    return Workload(
        tuple(
            Sporadic(
                task.least_interval_ns,
                deadline_ns(task),
                task.run_ns,
                costs.interrupt_ns,
                task.jitter_ns,
            )
            for task in tasks
        ),
        tuple(section for task in tasks for section in sections(system, task)),
        away_ns + costs.piece_ns,
        supply,
    )


def sections(system: System, task: Task) -> Iterator[Section]:
    """Yield the sections of a task that can block: the longest with each floor or a lower one."""
    floors = floors_of(system, task)
    longest_ns = 0
    for floor in sorted({*floors.values()}):
        held = frozenset(name for name, other in floors.items() if other <= floor)
        length_ns = task.longest_hold_ns(held)
        if length_ns > longest_ns:
            yield Section(floor, deadline_ns(task), length_ns)
            longest_ns = length_ns


def floors_of(system: System, task: Task) -> Mapping[str, int]:
    """Return the floors of the resources of a task, which may be lower than they need be."""
    return {
        resource.name: resource.floor
        for resource in system.resources
        if resource.name in task.resources and resource.floor is not None
    }


def deadline_ns(task: Task) -> int:
    """Return the relative deadline, which every task has under EDF: of releases."""
    return task.deadline_from_release_ns
