# SPDX-License-Identifier: MIT
"""The workload of a processor under EDF, in ns: jobs that are due, and sections that block.

A window begins with an arrival and ends with a deadline. In it the processor must run the jobs that
both arrive and are due in it: h(t) for windows of length t. It may also have to run a section that
was entered before, of a task due after the window. The floor of the resource lifts that task to a
deadline inside: its relative deadline is above t, and the floor is at most t. No second task is
inside such a section at that time, so B(t) is the longest such section.

A job with release jitter J is due D-J after its release, because EDF goes by releases. So the
latest release is due at the deadline of its arrival. Jobs can once be released J closer together
than they arrive. Runs that end early only take work away, and they let any section be the first
step of its job.

The deadline floor protocol and the stack resource policy have the same terms (Almatary 2015,
Section IV), if floors are the least deadlines of the users. A floor that is given lower makes a
window of its length count, even if no task has that deadline. The reason: the protocol keeps back
tasks that arrive later in the section, up to that floor.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plafond.analyse.overheads import Costs
from plafond.analyse.supply import WHOLE_CPU, Supply
from plafond.describe.system import System, Task


@dataclass(frozen=True)
class Sporadic:
    """The jobs of a task."""

    interval_ns: int
    deadline_ns: int  # relative to the release
    cost_ns: int  # of a job that is due, without its interrupt
    interrupt_ns: int = 0  # its release takes this time from any running task
    jitter_ns: int = 0  # releases come up to so long after arrivals

    def arrived(self, window_ns: int) -> int:
        """Return how many jobs can be released in a window that is open at its end."""
        return -(-(window_ns + self.jitter_ns) // self.interval_ns)

    def due(self, window_ns: int) -> int:
        """Return how many jobs can both be released and be due in a window."""
        if window_ns < self.deadline_ns:
            return 0
        return (window_ns + self.jitter_ns - self.deadline_ns) // self.interval_ns + 1

    def last_due_ns(self, before_ns: int) -> int | None:
        """Return the longest window below `before_ns` at which a further job is due, or None."""
        jobs = self.due(before_ns - 1)
        if jobs == 0:
            return None
        return self.deadline_ns + max(0, (jobs - 1) * self.interval_ns - self.jitter_ns)


@dataclass(frozen=True)
class Section:
    """The longest section of a task with this floor or a lower floor."""

    floor_ns: int
    deadline_ns: int  # of the task
    length_ns: int

    def blocks(self, window_ns: int) -> bool:
        """Return whether the section can block a window: entered before, and due after it."""
        return self.floor_ns <= window_ns < self.deadline_ns


@dataclass(frozen=True)
class Workload:
    """All jobs and sections of a processor or a server.

    For `away_ns` of each window the processor runs none of these.
    """

    jobs: tuple[Sporadic, ...]
    sections: tuple[Section, ...]
    away_ns: int = 0
    supply: Supply = WHOLE_CPU

    @property
    def terms(self) -> int:
        """The number of terms in a sum over all jobs and sections."""
        return len(self.jobs) + len(self.sections)

    def demand_ns(self, window_ns: int) -> int:
        """Return h(t): the time of the jobs that must run in a window."""
        return sum(task.due(window_ns) * task.cost_ns for task in self.jobs)

    def besides_ns(self, window_ns: int) -> int:
        """Return the time for other work: `away_ns`, and interrupts of due and other jobs."""
        return self.away_ns + sum(
            task.arrived(window_ns) * task.interrupt_ns for task in self.jobs if task.interrupt_ns
        )

    def blocking_ns(self, window_ns: int) -> int:
        """Return B(t): the longest section that can take time of a window."""
        return max((s.length_ns for s in self.sections if s.blocks(window_ns)), default=0)

    def last_change_ns(self, before_ns: int) -> int | None:
        """Return the longest window below `before_ns` with a due job at which h + B can rise."""
        ends = [end for task in self.jobs if (end := task.last_due_ns(before_ns)) is not None]
        first_ns = min(task.deadline_ns for task in self.jobs)
        floors = [s.floor_ns for s in self.sections if first_ns <= s.floor_ns < before_ns]
        return max(ends + floors, default=None)


def workload_of(
    system: System, cpu: int, costs: Costs, away_ns: int = 0, supply: Supply = WHOLE_CPU
) -> Workload:
    """Return the workload of a CPU whose tasks arrive by themselves and do not sleep.

    The bodies must contain the costs (inflate.py), except interrupts and the kernel's longest piece
    of work, which may have begun before a window.
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
    """Yield the sections of a task that can block: for each floor the longest up to that floor.

    A section no longer than that of a lower floor is left out.
    """
    floors = floors_of(system, task)
    longest_ns = 0
    for floor in sorted({*floors.values()}):
        held = frozenset(name for name, other in floors.items() if other <= floor)
        length_ns = task.longest_hold_ns(held)
        if length_ns > longest_ns:
            yield Section(floor, deadline_ns(task), length_ns)
            longest_ns = length_ns


def floors_of(system: System, task: Task) -> Mapping[str, int]:
    """Return the floors of a task's resources; a description may give lower floors than needed."""
    return {
        resource.name: resource.floor
        for resource in system.resources
        if resource.name in task.resources and resource.floor is not None
    }


def deadline_ns(task: Task) -> int:
    """Return the relative deadline from the release; every task has a deadline under EDF."""
    return task.deadline_from_release_ns
