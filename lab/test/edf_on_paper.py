# SPDX-License-Identifier: MIT
"""EDF with deadline floors on paper: no kernel, no shared words, and only run steps take time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plafond.describe import System
from plafond.describe.system import Lock, Run, Task, Unlock

Sections = list[tuple[int, int]]  # grant, unlock
Served = tuple[int, int, Sections]  # start, end


@dataclass
class _Section:
    """A section that a job is in."""

    floor: int
    granted_ns: int
    before: int  # the job's deadline outside the section
    since_ns: int | None = None  # lazily: the start of its floor, if the job was raised inside

    @property
    def deadlines(self) -> list[int]:
        """The lazy deadline of the section, if the job was raised inside."""
        return [] if self.since_ns is None else [self.since_ns + self.floor]


@dataclass
class _Job:
    """An activation. `place` is its index among all arrivals."""

    task: Task
    place: int
    own: int  # its absolute deadline outside all sections
    deadline: int
    step: int = 0
    left_ns: int = 0
    start_ns: int | None = None
    inside: list[_Section] = field(default_factory=list)
    sections: Sections = field(default_factory=list)

    @property
    def rank(self) -> tuple[int, bool, int]:
        """The job of the least rank runs. Ties go to a job that has started, then to the first
        arrival."""
        return self.deadline, self.start_ns is None, self.place


class Paper:
    """The schedule of one processor."""

    def __init__(self, system: System, is_lazy: bool) -> None:
        """Begin at time 0 without a ready task."""
        self._floors = {resource.name: resource.floor or 0 for resource in system.resources}
        self._tasks = {task.name: task for task in system.tasks}
        self._is_lazy = is_lazy
        self._now = 0
        self._running: _Job | None = None
        self._ready: list[_Job] = []
        self.served: dict[str, list[Served]] = {task.name: [] for task in system.tasks}

    def run(self, arrivals: Mapping[str, Sequence[int]]) -> None:
        """Serve all arrivals. No two arrivals may have the same time."""
        planned = sorted((time, name) for name, times in arrivals.items() for time in times)
        for place, (time, name) in enumerate(planned):
            self._run_until(time)
            due = time + (self._tasks[name].deadline_ns or 0)
            self._ready.append(_Job(self._tasks[name], place, due, due))
            self._give_way()
        self._run_until(1 << 62)

    def _run_until(self, time: int) -> None:
        """Run until `time`. A step that ends exactly then ends after the arrival."""
        while self._running and self._now + self._running.left_ns < time:
            self._now += self._running.left_ns
            self._running.left_ns = 0
            self._go_on(self._running)
        if self._running:
            self._running.left_ns -= time - self._now
        self._now = time

    def _go_on(self, job: _Job) -> None:
        """Take the next steps of a job until a step takes time or another task runs."""
        while self._running is job and job.left_ns == 0:
            if job.step == len(job.task.body):
                assert job.start_ns is not None
                self.served[job.task.name].append((job.start_ns, self._now, job.sections))
                self._running = None
                self._give_way()
                return
            step = job.task.body[job.step]
            job.step += 1
            if isinstance(step, Run):
                job.left_ns = step.duration_ns
            elif isinstance(step, Lock):
                self._lock(job, self._floors[step.resource])
            elif isinstance(step, Unlock):
                self._unlock(job)
                self._give_way()

    def _lock(self, job: _Job, floor: int) -> None:
        job.inside.append(_Section(floor, self._now, job.deadline))
        if not self._is_lazy:
            job.deadline = min(job.deadline, self._now + floor)

    def _unlock(self, job: _Job) -> None:
        left = job.inside.pop()
        job.sections.append((left.granted_ns, self._now))
        if self._is_lazy:
            job.deadline = min([job.own, *(due for each in job.inside for due in each.deadlines)])
        else:
            job.deadline = left.before

    def _give_way(self) -> None:
        """Let the job of the least rank run. Lazily, first raise a holder that it preempts."""
        job = self._running
        if not self._ready:
            return
        first = min(self._ready, key=lambda each: each.rank)
        if job and self._is_lazy and job.inside and first.deadline < job.deadline:
            self._raise(job)
        if job and first.deadline >= job.deadline:
            return
        self._ready.remove(first)
        if job:
            self._ready.append(job)
        self._running = first
        if first.start_ns is None:
            first.start_ns = self._now
        self._go_on(first)

    def _raise(self, job: _Job) -> None:
        """Let the floors count from now, if the job's deadline becomes earlier. Earlier starts
        stay."""
        deadline = self._now + min(section.floor for section in job.inside)
        if deadline < job.deadline:
            job.deadline = deadline
            for section in job.inside:
                if section.since_ns is None:
                    section.since_ns = self._now
