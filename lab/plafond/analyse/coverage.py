# SPDX-License-Identifier: MIT
"""What of a description for Plafond's own kernel the analysis does not cover.

It knows tasks that arrive by themselves, at most once in an interval, and bodies that run,
lock and sleep. A bound of a task counts all jobs of its level, and of the less urgent tasks
their sections only, however often these come. So a task that is activated by others, or
that waits for an event, leaves its level and the levels below without a bound. A task that is
not preempted, or has an internal resource, is a section from its begin to its end under ceilings
(thresholds.py). Under other protocols, in a server, or if it sleeps, it leaves more urgent tasks
without a bound. Under EDF every task can be the most urgent task. There no task may sleep, or
nest falling floors deeper than the lazy protocol can distinguish.
What C files, which are not analysed, may do, concerns every task.

In a server, and in a reservation, no task may have release jitter, because supplies are for tasks
that are released as they arrive. Under EDF each release jitter must be below the task's interval.

In a server only its own tasks count. A sleep is charged to the supply like work. A polling server
does not have it, as it drops its budget meanwhile: there no task of the level may sleep.

Across CPUs it knows the protocols that bound how long a task waits for another CPU, and whose
sections none of their CPU's tasks keep from running: not_covered_yet(), not_covered_across().
"""

from collections.abc import Iterator, Mapping
from itertools import accumulate

import plafond.describe.features as of
from plafond.analyse.workload import floors_of
from plafond.describe.body import Lock, WaitEvent
from plafond.describe.combine import why_without_bound
from plafond.describe.server import ServerKind
from plafond.describe.system import System, Task
from plafond.protocols import Protocol

_UNDER_EDF = why_without_bound(of.SLEEPS, of.EDF)
DEEPEST_FALL = 3  # one more than PLF_FLOOR_RAISES of protocol/lazy_floor.h


def not_covered(system: System, task: Task, protocol: Protocol, has_overheads: bool) -> str | None:
    """Return why a task has no bound, or None: it may have one."""
    if system.c_files:
        return "C files are not analysed"
    for other in beside(system, task):
        # The wake-ups of less urgent tasks are overheads, and an idle processor ends only
        # a busy period of all tasks; so does, under EDF, that of a deadline.
        all_count = protocol in (Protocol.NONE, Protocol.FLOOR) or has_overheads
        counts = all_count or other.priority >= task.priority
        unknown = _not_known(system, other) or _not_awaited(system, other)
        why = unknown if counts else None
        if not why and other.priority < task.priority:
            why = _not_begun_as_section(other, protocol)
        if not why and protocol is Protocol.FLOOR:
            why = _not_known_under_edf(system, other)
        if why:
            return why
    return _released_late(system, task)


def _released_late(system: System, task: Task) -> str | None:
    """Where a server pays: of those that share resources a hold contains tasks of each."""
    shares = bool(system.resources_of_servers)
    for other in system.tasks_on(task.cpu) if shares else beside(system, task):
        if other.server and other.jitter_ns:
            why = why_without_bound(of.JITTER, of.SERVERS)
            return f"{other.name}, in {other.server}, has release jitter, which is {why}"
    return None


def beside(system: System, task: Task) -> Iterator[Task]:
    """Yield the tasks that have the same processor time: those of its CPU, or of its server."""
    return (other for other in system.tasks_on(task.cpu) if other.server == task.server)


def not_covered_yet(system: System, cpu: int, protocol: Protocol) -> str | None:
    """Return why no task of a CPU has a bound yet, or None.

    Under a protocol of one CPU a holder can be kept from running by tasks that no other CPU
    knows, and a task that waits for one is away. So one user on the CPU concerns all tasks there;
    no task of a CPU without a user is concerned.
    """
    resources = system.globals_on(cpu)
    if not resources or protocol.is_across:
        return None
    return "; ".join(f"{each.name} is used on {each.cpus_in_words}" for each in resources)


def not_covered_across(system: System, protocol: Protocol) -> str | None:
    """Return why no task of the CPUs that share resources has a bound, or None."""
    resources = system.global_resources
    if protocol is Protocol.SPIN_UNORDERED:
        return "locks are handed on in no order: a task that spins can be overtaken again and again"
    names = frozenset(resource.name for resource in resources)
    for task in system.tasks:
        why = _not_known(system, task) if names & task.resources else None
        if not why and system.globals_on(task.cpu):
            why = _not_preempted(task) or _served(task)
        if why or (why := _nested(task, names)):
            return why
    return None


def _served(task: Task) -> str | None:
    why = why_without_bound(of.GLOBALS, of.SERVERS)
    return f"{task.name} is in {task.server}: {why}" if task.server else None


def _nested(task: Task, names: frozenset[str]) -> str | None:
    """Where a task waits for other CPUs inside a section."""
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
    """Return how many floors a task can have one below the other, each lower than those before."""
    deepest = 0
    for _, held in task.held():
        falling = list(accumulate((floors[resource] for resource in held), min))
        deepest = max(deepest, len({*falling}))
    return deepest


def _not_known(system: System, task: Task) -> str | None:
    """Why the jobs of a task, or their lengths, are not known."""
    if task.interval is None:
        return f"{task.name} has no arrival of its own"
    if any(isinstance(step, WaitEvent) for step in task.body):
        return f"{task.name} waits for events"
    activator = system.activators.get(task.name)
    return f"{activator} activates {task.name} besides its arrivals" if activator else None


def _not_awaited(system: System, task: Task) -> str | None:
    """Why the budget is gone when a sleep ends."""
    polling = [each.name for each in system.servers if each.kind is ServerKind.POLLING]
    if task.sleeps_ns and task.server in polling:
        return f"{task.name} sleeps, and {task.server} drops its budget meanwhile"
    return None


def is_only_arriving(system: System, task: Task) -> bool:
    """Whether all activations of a task are its arrivals, as far as no C is involved."""
    return task.interval is not None and task.name not in system.activators


def _not_begun_as_section(task: Task, protocol: Protocol) -> str | None:
    """Why the body of a less urgent task is no section from its begin to its end."""
    if protocol in (Protocol.NONE, Protocol.FLOOR):
        return None
    is_followed = protocol is Protocol.CEILING and not (task.server or task.sleeps_ns)
    return None if is_followed else _not_preempted(task)


def _not_preempted(task: Task) -> str | None:
    if task.internal:
        return f"{task.name} holds the internal resource {task.internal}"
    return None if task.is_preemptable else f"{task.name} is not preempted"
