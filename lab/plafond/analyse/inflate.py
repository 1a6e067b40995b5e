# SPDX-License-Identifier: MIT
"""A system whose bodies contain overheads as further run steps: docs/analysis/terms.md.

An overhead in a body counts in the job, in its interference, and in the blocking by its sections.

- Each wake-up (the release, and the end of each sleep) begins with its costs.
- Each section contains the costs of lock and unlock. If a task can arrive in it, it also contains
  the further cost of that. Once is enough, because each wait for a lock, and each delay by a
  ceiling, ends with the end of a section.
- A section of a global resource also contains the hand-over to it and the wake-up of its task,
  because meanwhile no task has the resource.
- A task in a server on Linux may wait at the server's gate before it begins, before each section,
  and before it sleeps (managed.py).

The interrupts of wake-ups take time even from more urgent tasks. Under fixed priorities the bodies
contain the interrupts of the level's tasks, and the background contains the others. Under EDF each
window has a different level, so no body contains interrupts (workload.py).
"""

from collections.abc import Iterator
from dataclasses import replace

from plafond.analyse.caches import (
    lost_by_preempted_ns,
    lost_by_sleeper_ns,
    lost_in_section_ns,
)
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.analyse.window import Arrivals, Background
from plafond.describe.system import Lock, Resource, Run, Sleep, Step, System, Task
from plafond.protocols import Protocol


def inflate(system: System, protocol: Protocol, overheads: Overheads) -> System:
    """Return the system with the overheads of a protocol as further run steps."""
    resources = {resource.name: resource for resource in system.resources}
    costs = overheads.costs[protocol.on_one_cpu]
    wake_up_ns = costs.wake_up_ns
    apart_ns = costs.interrupt_ns if protocol is Protocol.FLOOR else 0

    def steps(task: Task) -> Iterator[Step]:
        pass_ns = overheads.servers.pass_ns if overheads.servers and task.server else 0
        cache_ns = lost_by_preempted_ns(system, task, overheads)
        wake_up = Run(wake_up_ns - apart_ns + 2 * pass_ns + cache_ns)
        yield wake_up
        for step in task.body:
            match step:
                case Run(duration_ns):
                    yield Run(lasting_ns(duration_ns, overheads))
                case Lock(resource):
                    yield step
                    if resources[resource].is_global:
                        section_ns = _global_section_ns(protocol, costs, overheads.global_mutex)
                        yield Run(section_ns + lost_in_section_ns(system, task, overheads))
                    else:
                        at_gate_ns = costs.preempted_ns + pass_ns if pass_ns else 0
                        section_ns = _section_ns(task, resources[resource], protocol, costs)
                        if _may_delay(task, resources[resource], protocol):
                            section_ns += lost_in_section_ns(system, task, overheads)
                        yield Run(section_ns + at_gate_ns)
                case Sleep():
                    yield step
                    yield Run(wake_up.duration_ns + lost_by_sleeper_ns(task, overheads))
                case _:
                    yield step

    return replace(
        system, tasks=tuple(task.changed(body=tuple(steps(task))) for task in system.tasks)
    )


def lasting_ns(duration_ns: int, overheads: Overheads) -> int:
    """Return how long a run step may last with overheads, in ns."""
    return duration_ns + overheads.step_ns


def _section_ns(task: Task, resource: Resource, protocol: Protocol, costs: Costs) -> int:
    delays = _may_delay(task, resource, protocol)
    return costs.pair_ns + (costs.preempted_ns if delays else costs.disturbed_ns)


def _global_section_ns(protocol: Protocol, costs: Costs, mutex: GlobalMutex | None) -> int:
    """Return the cost in ns of a section across CPUs, which can always delay other tasks.

    Under MPCP the task can have slept before the section.
    """
    lock_ns = costs.pair_ns  # more under a backend that makes system calls
    if mutex:
        lock_ns = max(lock_ns, mutex.pair_ns) + mutex.handover_ns
    wake_up_ns = costs.wake_up_ns if protocol is Protocol.MPCP else 0
    return lock_ns + costs.preempted_ns + wake_up_ns


def _may_delay(task: Task, resource: Resource, protocol: Protocol) -> bool:
    """Return whether a section of the task can delay another task."""
    if protocol.on_one_cpu is Protocol.CEILING:
        return resource.ceiling > task.priority
    if protocol is Protocol.FLOOR:
        return (resource.floor or 0) < task.deadline_from_release_ns
    return len(resource.users) > 1 or bool(resource.names)  # other names may have users


def background_of(
    system: System,
    counted: tuple[Task, ...],
    cpu: int,
    protocol: Protocol,
    overheads: Overheads | None,
) -> Background:
    """Return the work on a CPU besides the `counted` tasks: ticks, and wake-ups of other tasks.

    Both interrupt any task. Of each other task at most one job is assumed to have begun before the
    window and to sleep in it. A task without arrivals is left out: if wake-ups cost time, such a
    task leaves the counted tasks without a bound.
    """
    if overheads is None:
        return Background()
    costs = overheads.costs[protocol.on_one_cpu]
    names = {task.name for task in counted}
    others = [task for task in system.tasks_on(cpu) if task.name not in names]
    return Background(
        overheads,
        tuple(
            Arrivals(
                task.least_interval_ns,
                (1 + len(task.sleeps_ns)) * costs.interrupt_ns,
                task.jitter_ns,
            )
            for task in others
            if task.interval
        ),
        carried_ns=sum(len(task.sleeps_ns) for task in others) * costs.interrupt_ns,
    )
