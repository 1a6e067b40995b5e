# SPDX-License-Identifier: MIT
"""Arrivals that make responses as long as the analysis allows, so that their ratio has a meaning.

First comes the run as described, so that no response is shorter than there. Then come phases for
each task, with silence between them. A phase puts the CPU into the critical instant of its task:

- First less urgent tasks begin the sections that can block the task. In one phase this is only the
  task with the longest section, which is the worst case under a ceiling. In another phase these are
  all such tasks, the least urgent first. Each begins while the task before is inside its section,
  which is the worst case under inheritance.
- Immediately afterwards all other tasks of the CPU are released at once, and the task itself is the
  last of equal tasks. Equal or more urgent tasks come again as early as they can, until the task's
  bound is over. Less urgent tasks come once. They cause interrupts, and without a protocol they
  delay the holder.
- With release jitter J the first job of each task arrived J before its release. The k-th job after
  it is released k*T - J later, or at once.
- Under EDF a job delays the task only if it is due no later. So the task is released later than the
  others, by the difference that its bound has in the worst case (analyse/due.py).

The target needs some time to begin a section, so the harmful instant for the release is not known.
So each repetition waits for a different time, from LATE_NS. A release that comes too early makes a
shorter response, but never a response that is too long.

The arrivals keep the rules of the description: each task waits for its least interval. The phases
ignore offsets, because the analysis ignores them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plafond.analyse.analysis import analyse
from plafond.analyse.blocking import (
    blocking_resources,
    ceilings,
    inheritance_reach,
    threshold_of,
)
from plafond.analyse.demand import synchronous_busy_ns
from plafond.analyse.due import worst_window
from plafond.analyse.overheads import Costs
from plafond.analyse.window import Effort, NoWindowError
from plafond.analyse.workload import deadline_ns, floors_of, workload_of
from plafond.describe.body import Run
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System, Task
from plafond.errors import ArgumentError, PlafondError
from plafond.run.arrivals import draw_arrivals, refuse_too_many
from plafond.run.options import Options
from plafond.run.releases import Times, draw_releases

US = 1_000
LATE_NS = (
    *(1, 500, US, 2 * US, 5 * US, 10 * US, 20 * US, 50 * US, 100 * US, 200 * US, 500 * US),
    1000 * US,
)


class Arrival(NamedTuple):
    """The arrival and the release of a job of a task."""

    task: Task
    time_ns: int
    release_ns: int


@dataclass(frozen=True)
class Opening:
    """A section of a task that can block another task."""

    task: Task
    before_ns: int  # run time of the task until the section begins
    length_ns: int


@dataclass(frozen=True)
class Phase:
    """A critical instant of a task."""

    task: Task
    openings: tuple[Opening, ...]  # the least urgent task first
    again: tuple[Task, ...]  # released with the task, then as often as they can come
    once: tuple[Task, ...]
    window_ns: int  # how long the tasks of `again` keep coming
    later_ns: int = 0  # how much later than the others the task itself is released

    def arrivals(self, start_ns: int, late_ns: int) -> Iterator[Arrival]:
        """Yield the arrivals of the phase, which begins at `start_ns`.

        `late_ns`: the time from the start of a section until the next task is released.
        """
        release_ns = start_ns
        for opening in self.openings:
            yield Arrival(opening.task, release_ns, release_ns)
            release_ns += opening.before_ns + min(late_ns, max(opening.length_ns // 2, 1))
        end_ns = release_ns + self.window_ns
        own_ns = release_ns + self.later_ns
        interval_ns = self.task.least_interval_ns
        before_ns = self.later_ns // interval_ns * interval_ns
        yield from (Arrival(task, release_ns, release_ns) for task in self.once)
        for task in self.again:
            yield from _densely(task, release_ns, end_ns)
        for time_ns in range(own_ns - before_ns, own_ns, interval_ns):
            yield Arrival(self.task, time_ns - self.task.jitter_ns, time_ns)
        yield from _densely(self.task, own_ns, max(end_ns, own_ns + 1))


def _densely(task: Task, first_ns: int, end_ns: int) -> Iterator[Arrival]:
    """Yield jobs of a task as dense as possible until the end; the first has the full jitter.

    If a release falls into the instant in which a job ends, the bound orders the end first, but a
    target orders the release first. So each interval is a nanosecond longer.
    """
    last_ns = first_ns - 1
    for time_ns in range(first_ns - task.jitter_ns, end_ns, task.least_interval_ns + 1):
        last_ns = max(time_ns, last_ns + 1)  # a trace cannot distinguish equal releases
        if last_ns < end_ns:
            yield Arrival(task, time_ns, last_ns)


def worst_arrivals(system: System, options: Options, seed: int) -> tuple[Times, Times]:
    """Return the arrivals of each task from time 0, and the releases.

    `--activations`: repetitions of each phase. ArgumentError for a resource across CPUs, and for
    servers, because their worst phases are not known.
    """
    for payer in system.payers:
        raise ArgumentError(
            f"--arrivals worst: found the server {payer.name}; expected none: which phase of a "
            "budget is the worst one is not known yet"
        )
    for resource in system.global_resources:
        raise ArgumentError(
            f"--arrivals worst: found {resource.name} with users on {resource.cpus_in_words}; "
            "expected users on one CPU: what is worst across CPUs is not known yet"
        )
    arrivals, releases = _as_described(system, seed)
    last_ns = max((time_ns for times in releases.values() for time_ns in times), default=-1)
    begin_ns = last_ns + _silence_ns(system, arrivals) if last_ns >= 0 else 0
    earliest_ns = max((task.jitter_ns for task in system.tasks), default=0)
    for cpu in range(system.cpus):
        phases = list(phases_of(system, cpu))
        start_ns = begin_ns + earliest_ns
        for turn in range(options.activations or len(LATE_NS)):
            for phase in phases:
                late_ns = LATE_NS[turn % len(LATE_NS)]
                found = list(phase.arrivals(start_ns, late_ns))
                for each in found:
                    arrivals[each.task.name].append(each.time_ns)
                    releases[each.task.name].append(each.release_ns)
                start_ns = _after(found) + earliest_ns
                refuse_too_many(sum(map(len, arrivals.values())))
    return arrivals, releases


def _as_described(system: System, seed: int) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the arrivals and releases of a run as described; none if there is no such run."""
    try:
        arrivals = draw_arrivals(system, seed)
    except PlafondError:
        arrivals = {task.name: [] for task in system.tasks}
    return arrivals, draw_releases(system, arrivals, seed)


def _silence_ns(system: System, arrivals: Times) -> int:
    """Return how long after the last release all jobs have ended and all tasks may come again."""
    arriving = [task for task in system.tasks if task.interval]
    again_ns = max((task.least_interval_ns for task in arriving), default=0)
    rows = [row for row in analyse(system).rows if row.response_bound_ns is not None]
    if {row.task for row in rows} == {task.name for task in system.tasks}:
        return max(again_ns, *(2 * (row.response_bound_ns or 0) for row in rows))
    work_ns = sum(len(arrivals[task.name]) * _busy_ns(task) for task in arriving)
    return max(again_ns, 2 * work_ns)


def _busy_ns(task: Task) -> int:
    return task.run_ns + sum(task.sleeps_ns)


def _after(phase: Sequence[Arrival]) -> int:
    """Return when the next phase can begin: all jobs have ended, and all tasks may come again."""
    work_ns = sum(_busy_ns(each.task) for each in phase)
    last_ns = max(each.release_ns for each in phase)
    again_ns = max(each.time_ns + each.task.least_interval_ns for each in phase)
    return max(last_ns + 2 * work_ns, again_ns)


def phases_of(system: System, cpu: int) -> Iterator[Phase]:
    """Yield the phases of all tasks of a CPU that arrive by themselves."""
    tasks = [task for task in system.tasks_on(cpu) if task.interval]
    rows = analyse(system).rows
    for task in tasks:
        others = [other for other in tasks if other is not task]
        bounds_ns = {row.response_bound_ns or 0 for row in rows if row.task == task.name}
        under = _under_edf if system.scheduler is Scheduler.EDF else _under_priorities
        # A task can be busy for its largest bound, or for its interval if it has no bound.
        yield from under(system, task, others, max(task.least_interval_ns, *bounds_ns))


def _under_priorities(
    system: System, task: Task, others: Sequence[Task], window_ns: int
) -> Iterator[Phase]:
    lower = [other for other in reversed(others) if other.priority < task.priority]
    by_ceiling = [
        *_openings(lower, blocking_resources(task, ceilings(system))),
        *(Opening(each, 0, each.run_ns) for each in lower if _blocks(system, each, task)),
    ]
    by_reach = _openings(lower, blocking_resources(task, inheritance_reach(system)))
    longest = max(by_ceiling, key=lambda opening: opening.length_ns, default=None)
    has_equal = any(other.priority == task.priority for other in others)
    for openings in dict.fromkeys([(longest,) if longest else (), tuple(by_reach)]):
        opened = [opening.task for opening in openings]
        yield Phase(
            task,
            openings,
            again=tuple(each for each in others if each.priority >= task.priority),
            once=tuple(each for each in lower if each not in opened),
            window_ns=window_ns,
            later_ns=int(has_equal),
        )


def _blocks(system: System, lower: Task, task: Task) -> bool:
    """Return whether the task cannot preempt a begun job of the lower task."""
    return lower.run_ns > 0 and threshold_of(system, lower) >= task.priority


def _under_edf(
    system: System, task: Task, others: Sequence[Task], window_ns: int
) -> Iterator[Phase]:
    due_ns = _worst_due_ns(system, task)
    later = [each for each in others if deadline_ns(each) > due_ns]
    openings = [
        opening
        for each in later
        for opening in _openings([each], _floors_within(system, each, due_ns))
    ]
    longest = max(openings, key=lambda opening: opening.length_ns, default=None)
    again = [each for each in others if each not in later]
    has_equal = any((due_ns - deadline_ns(each)) % each.least_interval_ns == 0 for each in again)
    # Each job after the first is due a nanosecond later than in the bound: see _densely().
    behind = ((due_ns - deadline_ns(each)) // each.least_interval_ns for each in again)
    yield Phase(
        task,
        (longest,) if longest else (),
        again=tuple(again),
        once=tuple(each for each in later if not longest or each is not longest.task),
        window_ns=window_ns,
        later_ns=due_ns - deadline_ns(task) + has_equal + max(behind, default=0),
    )


def _worst_due_ns(system: System, task: Task) -> int:
    """Return when the worst job of a task is due, counted from the release of the others."""
    workload = workload_of(system, task.cpu, Costs())
    jobs = workload.jobs[system.tasks_on(task.cpu).index(task)]
    effort = Effort()
    effort.begin_row()
    try:
        busy_ns = synchronous_busy_ns(workload, effort)
        effort.begin_row()
        return worst_window(workload, jobs, busy_ns, effort).due_ns
    except NoWindowError:
        return deadline_ns(task)


def _floors_within(system: System, task: Task, due_ns: int) -> frozenset[str]:
    floors = floors_of(system, task).items()
    return frozenset(name for name, floor_ns in floors if floor_ns <= due_ns)


def _openings(tasks: Sequence[Task], resources: frozenset[str]) -> list[Opening]:
    """Return for each task its longest section in which it holds one of the resources."""
    found = (_opening(task, resources) for task in tasks)
    return [opening for opening in found if opening.length_ns > 0]


def _opening(task: Task, resources: frozenset[str]) -> Opening:
    longest = Opening(task, 0, 0)
    ran_ns = before_ns = 0
    for step, held in task.held():
        if not resources.intersection(held):
            before_ns = ran_ns
        if isinstance(step, Run):
            ran_ns += step.duration_ns
            if resources.intersection(held) and ran_ns - before_ns > longest.length_ns:
                longest = Opening(task, before_ns, ran_ns - before_ns)
    return longest
