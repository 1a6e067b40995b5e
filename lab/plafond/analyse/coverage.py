# SPDX-License-Identifier: MIT
"""The features of a description for Plafond's own kernel that the analysis does not cover.

The analysis covers tasks that arrive by themselves, at most once in an interval, and bodies that
run, lock and sleep. Each function returns the reason why a task has no bound, or None.

- A bound counts all jobs of the task's level, but only sections of less urgent tasks, however often
  these tasks come. So a task that waits for an event leaves its level and the levels below without
  a bound. So does a task that others activate, unless it is a link of a chain (chains.py).
- Under ceilings a task that is not preempted, or has an internal resource, is a section from its
  start to its end (thresholds.py). Under other protocols, in a server, or if it sleeps, it leaves
  more urgent tasks without a bound.
- Under EDF every task can be the most urgent task. So no task may sleep, nest falling floors
  deeper than the lazy protocol can distinguish, or have a release jitter of its interval or more.
- A task in C counts by limits, which timing protection enforces or the description claims.
  Handlers, hooks and callbacks leave all tasks without a bound (enforced.py).
- In a server or a reservation no task may have release jitter, because supplies are for tasks
  that are released as they arrive.
- A task in the background has no bound. It takes time from tasks with priorities only inside a
  section, and no protocol is known to end that in time. So it leaves the tasks of its CPU without a
  bound if it shares a resource with any task that has a priority.
- In a server only the server's tasks count. A sleep is charged to the supply like work. A polling
  server drops its budget meanwhile, so no task of the level may sleep there.
- Across CPUs the protocol must bound how long a task waits for another CPU. No task may keep a
  holder on its CPU from running: not_covered_yet(), not_covered_across().
"""

from collections.abc import Iterator, Mapping
from itertools import accumulate

import plafond.describe.features as of
from plafond.analyse.enforced import why_not_enforced
from plafond.analyse.workload import floors_of
from plafond.describe.body import Lock, WaitEvent
from plafond.describe.combine import why_without_bound
from plafond.describe.server import ServerKind
from plafond.describe.system import System, Task
from plafond.describe.timed import timed_of
from plafond.protocols import Protocol

_UNDER_EDF = why_without_bound(of.SLEEPS, of.EDF)
DEEPEST_FALL = 3  # one more than PLF_FLOOR_RAISES of protocol/lazy_floor.h


def not_covered(system: System, task: Task, protocol: Protocol, has_overheads: bool) -> str | None:
    """Return why a task has no bound; None if it may have a bound."""
    if system.c_files:
        why = why_not_enforced(system, task, protocol, has_overheads)
        if why:
            return why
    if why := _not_above_background(system, task):
        return why
    for other in beside(system, task):
        # Less urgent tasks count, too, without ceilings and under EDF, because only an idle
        # processor ends the busy period. With overheads they count because they interrupt.
        all_count = protocol in (Protocol.NONE, Protocol.FLOOR) or has_overheads
        counts = all_count or other.priority >= task.priority
        unknown = _in_background(other) or _not_known(system, other) or _not_awaited(system, other)
        why = unknown if counts else None
        if not why and other.priority < task.priority:
            why = _not_begun_as_section(other, protocol)
        if not why and protocol is Protocol.FLOOR:
            why = _not_known_under_edf(system, other)
        if why:
            return why
    return _released_late(system, task)


def _in_background(task: Task) -> str | None:
    return f"{task.name} is in the background, as SCHED_OTHER" if task.background else None


def _not_above_background(system: System, task: Task) -> str | None:
    """Return why a section of a task in the background leaves a task without a bound, or None.

    Only tasks of the same CPU count here; not_covered_across() has the others.
    """
    shared = {name for other in system.tasks if not other.background for name in other.resources}
    for other in system.tasks_on(task.cpu):
        held = sorted(other.resources & shared) if other.background else []
        if held:
            return f"{_in_background(other)}, and shares {held[0]} with tasks that are not"
    return None


def _released_late(system: System, task: Task) -> str | None:
    """Return why release jitter in a server leaves a task without a bound, or None.

    If servers share resources, the tasks of all servers count, because a hold contains their jobs.
    """
    shares = bool(system.resources_of_servers)
    for other in system.tasks_on(task.cpu) if shares else beside(system, task):
        if other.server and other.jitter_ns:
            why = why_without_bound(of.JITTER, of.SERVERS)
            return f"{other.name}, in {other.server}, has release jitter, which is {why}"
    return None


def beside(system: System, task: Task) -> Iterator[Task]:
    """Yield the tasks of the CPU that are in the task's server, or in none if it is in none."""
    return (other for other in system.tasks_on(task.cpu) if other.server == task.server)


def not_covered_yet(system: System, cpu: int, protocol: Protocol) -> str | None:
    """Return why no task of a CPU has a bound yet, or None.

    Under a protocol for one CPU, tasks that no other CPU knows can keep a holder from running. A
    task that waits for the holder is away. So a user of a global resource concerns all tasks of its
    CPU, but no task of a CPU without a user.
    """
    resources = system.globals_on(cpu)
    if not resources or protocol.is_across:
        return None
    return "; ".join(f"{each.name} is used on {each.cpus_in_words}" for each in resources)


def not_covered_across(system: System, protocol: Protocol) -> str | None:
    """Return why no task on CPUs with global resources has a bound, or None."""
    resources = system.global_resources
    if protocol is Protocol.SPIN_UNORDERED:
        return "locks are handed on in no order: a task that spins can be overtaken again and again"
    names = frozenset(resource.name for resource in resources)
    for task in system.tasks:
        why = None
        if names & task.resources:
            why = _in_background(task) or _not_known(system, task)
        if not why and system.globals_on(task.cpu):
            why = _not_preempted(task) or _served(task)
        if why or (why := _nested(task, names)):
            return why
    return None


def _served(task: Task) -> str | None:
    why = why_without_bound(of.GLOBALS, of.SERVERS)
    return f"{task.name} is in {task.server}: {why}" if task.server else None


def _nested(task: Task, names: frozenset[str]) -> str | None:
    """Return the first request of a global resource inside a section, in words, or None."""
    for step, held in task.held():
        if isinstance(step, Lock) and step.resource in names and held:
            return f"{task.name} locks {step.resource} while it holds {', '.join(held)}"
    return None


def _not_known_under_edf(system: System, task: Task) -> str | None:
    if task.sleeps_ns:
        return f"{task.name} sleeps, which is {_UNDER_EDF}"
    if task.jitter_ns >= task.least_interval_ns:
        return f"{task.name} can be released later than by its interval, which is {_UNDER_EDF}"
    depth = deepest_fall(task, floors_of(system, task))
    if depth > DEEPEST_FALL:
        return (
            f"{task.name} nests {depth} falling floors, and lazy-floor keeps {DEEPEST_FALL} apart"
        )
    return None


def deepest_fall(task: Task, floors: Mapping[str, int]) -> int:
    """Return the largest number of nested floors that are each lower than all floors outside."""
    deepest = 0
    for _, held in task.held():
        falling = list(accumulate((floors[resource] for resource in held), min))
        deepest = max(deepest, len({*falling}))
    return deepest


def _not_known(system: System, task: Task) -> str | None:
    """Return why the arrivals or the lengths of a task's jobs are not known, or None."""
    if task.interval is None:
        return _without_arrival(system, task)
    if any(isinstance(step, WaitEvent) for step in task.body):
        return f"{task.name} waits for events"
    # All activations of a task in C are a time frame apart.
    activator = None if system.c_files else system.activators.get(task.name)
    return f"{activator} activates {task.name} besides its arrivals" if activator else None


def _without_arrival(system: System, task: Task) -> str:
    timed = timed_of(system, task)
    if timed is None:
        return f"{task.name} has no arrival of its own"
    # with_timed() gives each task with a known interval an arrival, unless costs count.
    why = timed.interval if isinstance(timed.interval, str) else "its costs are not known"
    return f"only {timed.source} activates {task.name}, and {why}"


def _not_awaited(system: System, task: Task) -> str | None:
    """Return why the server's budget is gone when a sleep of the task ends, or None."""
    polling = [each.name for each in system.servers if each.kind is ServerKind.POLLING]
    if task.sleeps_ns and task.server in polling:
        return f"{task.name} sleeps, and {task.server} drops its budget meanwhile"
    return None


def is_only_arriving(system: System, task: Task) -> bool:
    """Return whether arrivals are the only activations of a task, apart from C code."""
    return task.interval is not None and task.name not in system.activators


def _not_begun_as_section(task: Task, protocol: Protocol) -> str | None:
    """Return why the body of a less urgent task does not count as a section, or None."""
    if protocol in (Protocol.NONE, Protocol.FLOOR):
        return None
    is_followed = protocol is Protocol.CEILING and not (task.server or task.sleeps_ns)
    return None if is_followed else _not_preempted(task)


def _not_preempted(task: Task) -> str | None:
    if task.internal:
        return f"{task.name} holds the internal resource {task.internal}"
    return None if task.is_preemptable else f"{task.name} is not preempted"
