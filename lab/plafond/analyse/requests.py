# SPDX-License-Identifier: MIT
"""Blocking under inheritance, limited by the requests of the level, in ns.

The sum of blocking.py has a section of each less urgent task. Fewer sections can block if no less
urgent task locks a resource inside a section with a reach of P or more. Then a section of resource
r blocks only while a job of the level waits for r. Each request waits for at most one less urgent
task, because r goes to the most urgent task that waits. So at most as many sections of r block as
the level has requests of r in its busy period L:

  n_r = sum of ceil((L + J_j)/T_j) * requests of r by j   over all tasks of at least P.
  B = the largest sum of sections, one of each less urgent task, and n_r of each r.

The iteration begins with the sum of blocking.py, because L is at most as long as with that sum. A
shorter L can have fewer requests.

Sha, Rajkumar, Lehoczky 1990 have a single section of each r, because their unlock only wakes up
the task that waits. Here an unlock hands r over. If a job of the level unlocks r, the next holder
can be less urgent, and can block the next request of r. If r is requested once, both agree.
"""

from collections.abc import Mapping
from dataclasses import replace

from plafond.analyse.blocking import Reach, blocking_resources, less_urgent
from plafond.analyse.once_each import most_of
from plafond.analyse.response import Level, arrivals
from plafond.analyse.window import Arrivals, Background, Effort, NoWindowError, Window
from plafond.describe.system import Lock, System, Task


def with_requests(
    system: System, level: Level, reach: Reach, effort: Effort, background: Background
) -> Level:
    """Return the level, blocked by at most as many sections as it has requests."""
    resources = blocking_resources(level.task, reach)
    lower = less_urgent(system, level.task)
    if has_nested(lower, resources):
        return level
    names = names_of(system)
    brought = [_sections_ns(task, resources, names) for task in lower]
    besides_ns = level.once_ns - sum(max(each.values(), default=0) for each in brought)
    while True:
        try:
            times = requests_in(level, _busy_ns(level, effort, background), names)
        except NoWindowError:
            return level
        once_ns = besides_ns + most_of(brought, times)
        if once_ns >= level.once_ns:
            return level
        level = replace(level, once_ns=once_ns)


def needs_requests(system: System, task: Task, reach: Reach) -> bool:
    """Return whether the sum of blocking.py can be more than this bound.

    The answer holds only if no task locks a resource inside a section.
    """
    resources, names = blocking_resources(task, reach), names_of(system)
    brought = [_sections_ns(each, resources, names) for each in less_urgent(system, task)]
    whole_ns = sum(max(each.values(), default=0) for each in brought)
    return most_of(brought, dict.fromkeys(names.values(), 1)) < whole_ns


def names_of(system: System) -> Mapping[str, str]:
    """Return the same name for all linked names of a resource."""
    return {each.name: min(each.names or {each.name}) for each in system.resources}


def _sections_ns(
    task: Task, resources: frozenset[str], names: Mapping[str, str]
) -> Mapping[str, int]:
    return {
        names[name]: task.longest_hold_ns(frozenset({name}))
        for name in sorted(resources & task.resources)
    }


def has_nested(lower: tuple[Task, ...], resources: frozenset[str]) -> bool:
    """Return whether a task locks a resource inside a section that blocks."""
    return any(
        isinstance(step, Lock) and resources.intersection(held)
        for task in lower
        for step, held in task.held()
    )


def requests_in(level: Level, window_ns: int, names: Mapping[str, str]) -> Mapping[str, int]:
    """Return how often the tasks of a level request each resource in a window."""
    found: dict[str, int] = {}
    for task in (level.task, *level.others):
        jobs = arrivals(task, window_ns)
        for step in task.body:
            if isinstance(step, Lock):
                name = names[step.resource]
                found[name] = found.get(name, 0) + jobs
    return found


def _busy_ns(level: Level, effort: Effort, background: Background) -> int:
    jobs = (
        Arrivals(task.least_interval_ns, level.cost_ns(task), task.jitter_ns)
        for task in (level.task, *level.others)
    )
    return Window(jobs, effort, background).least_ns(level.once_ns)
