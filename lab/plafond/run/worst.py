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

In servers, and on CPUs that share resources, no worst phase is known. candidates.py has phases that
may be the worst.

The arrivals keep the rules of the description: each task waits for its least interval. The phases
ignore offsets, and the times at which periodic tasks arrive. So the bounds of such a run must
ignore them, too: at_any_phase().
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

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
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System, Task
from plafond.errors import PlafondError
from plafond.run.arrivals import draw_arrivals, refuse_too_many
from plafond.run.candidates import beside, in_server
from plafond.run.options import Options
from plafond.run.phase import Arrival, Opening, Phase, openings_of
from plafond.run.releases import Times, draw_releases

US = 1_000
LATE_NS = (
    *(1, 500, US, 2 * US, 5 * US, 10 * US, 20 * US, 50 * US, 100 * US, 200 * US, 500 * US),
    1000 * US,
)


def worst_arrivals(system: System, options: Options, seed: int) -> tuple[Times, Times]:
    """Return the arrivals of each task from time 0, and the releases.

    `--activations`: repetitions of each phase. PlafondError if there would be too many arrivals.
    """
    arrivals, releases = _as_described(system, seed)
    last_ns = max((time_ns for times in releases.values() for time_ns in times), default=-1)
    begin_ns = last_ns + _silence_ns(system, arrivals) if last_ns >= 0 else 0
    earliest_ns = max((task.jitter_ns for task in system.tasks), default=0)
    for phases in _timelines(system):
        start_ns = begin_ns + earliest_ns
        for turn in range(options.activations or len(LATE_NS)):
            for phase in phases:
                late_ns = LATE_NS[turn % len(LATE_NS)]
                found = list(phase.arrivals(start_ns, late_ns))
                for each in found:
                    arrivals[each.task.name].append(each.time_ns)
                    releases[each.task.name].append(each.release_ns)
                start_ns = _after(system, found) + earliest_ns
                refuse_too_many(sum(map(len, arrivals.values())))
    return arrivals, releases


def at_any_phase(system: System) -> System:
    """Return the system with tasks that may arrive at any time that their intervals allow."""
    tasks = (
        task.changed(interval=replace(task.interval, is_periodic=False)) if task.interval else task
        for task in system.tasks
    )
    return replace(system, tasks=tuple(tasks))


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
    rows = [row for row in analyse(at_any_phase(system)).rows if row.response_bound_ns is not None]
    if {row.task for row in rows} == {task.name for task in system.tasks}:
        return max(again_ns, *(2 * (row.response_bound_ns or 0) for row in rows))
    work_ns = sum(len(arrivals[task.name]) * _busy_ns(task) for task in arriving)
    return max(again_ns, 2 * _served_ns(system, work_ns))


def _busy_ns(task: Task) -> int:
    return task.run_ns + sum(task.sleeps_ns)


def _served_ns(system: System, work_ns: int) -> int:
    """Return how long the work takes at most, also in the server with the least share."""
    shares = [Fraction(payer.period_ns, payer.budget_ns) for payer in system.payers]
    longest_ns = max((payer.period_ns for payer in system.payers), default=0)
    return ceil(work_ns * max(shares, default=1)) + 2 * longest_ns


def _after(system: System, phase: Sequence[Arrival]) -> int:
    """Return when the next phase can begin: all jobs have ended, and all tasks may come again."""
    work_ns = sum(_busy_ns(each.task) for each in phase)
    last_ns = max(each.release_ns for each in phase)
    again_ns = max(each.time_ns + each.task.least_interval_ns for each in phase)
    return max(last_ns + 2 * _served_ns(system, work_ns), again_ns)


def _timelines(system: System) -> Iterator[list[Phase]]:
    """Yield the phases that follow each other: of each CPU, or of all CPUs that share resources."""
    cpus = [list(phases_of(system, cpu)) for cpu in range(system.cpus)]
    if not system.global_resources:
        yield from cpus
        return
    yield [each for phases in cpus for phase in phases for each in beside(system, phase)]


def phases_of(system: System, cpu: int) -> Iterator[Phase]:
    """Yield the phases of all tasks of a CPU that arrive by themselves."""
    tasks = [task for task in system.tasks_on(cpu) if task.interval]
    rows = analyse(at_any_phase(system)).rows
    for task in tasks:
        others = [other for other in tasks if other is not task]
        bounds_ns = {row.response_bound_ns or 0 for row in rows if row.task == task.name}
        under = _under_edf if system.scheduler is Scheduler.EDF else _under_priorities
        under = in_server if any(each.cpu == cpu for each in system.payers) else under
        # A task can be busy for its largest bound, or for its interval if it has no bound.
        yield from under(system, task, others, max(task.least_interval_ns, *bounds_ns))


def _under_priorities(
    system: System, task: Task, others: Sequence[Task], window_ns: int
) -> Iterator[Phase]:
    lower = [other for other in reversed(others) if other.priority < task.priority]
    by_ceiling = [
        *openings_of(lower, blocking_resources(task, ceilings(system))),
        *(Opening(each, 0, each.run_ns) for each in lower if _blocks(system, each, task)),
    ]
    by_reach = openings_of(lower, blocking_resources(task, inheritance_reach(system)))
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
        for opening in openings_of([each], _floors_within(system, each, due_ns))
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
