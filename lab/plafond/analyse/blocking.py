# SPDX-License-Identifier: MIT
"""How long less urgent tasks keep a task waiting, once: the blocking term B.

A less urgent task blocks the level P inside a section that lifts it to P or above:

- ceiling: a section of a resource whose ceiling is at least P. Inside, the task is not
  preempted by the level, so that no second task is inside such a section at that time:
  B is the longest section of all. A task with a threshold at or above P (thresholds.py) is
  inside such a section from its begin to its end.
- inherit: a section of a resource at which a task of at least P can wait, itself or
  with an inherited priority: its reach is at least P. The reach of a resource is the
  highest priority of its users, and the reach of all resources that a task holds while
  locking it (transitive). This covers direct and push-through blocking. Several tasks can be
  inside such sections at once, but each in one: lifted, a task runs on inside its outermost
  section and no further. When it leaves, it has lost all it inherited of P or more. It
  enters another only when the level does not want the processor, no matter how often it was
  lifted before. B is the sum over the tasks of the longest section. Requests limit it
  further: requests.py.
"""

from collections.abc import Mapping

from plafond.describe.system import Lock, System, Task
from plafond.protocols import Protocol

Reach = Mapping[str, int]  # the priority to which each resource can lift its holder


def blocking_ns(system: System, task: Task, protocol: Protocol, reach: Reach) -> int:
    """B: the longest time for which less urgent tasks can block a task, once."""
    resources = blocking_resources(task, reach)
    if protocol is not Protocol.CEILING:
        return sum(lower.longest_hold_ns(resources) for lower in less_urgent(system, task))
    return max(
        (
            lower.run_ns
            if threshold_of(system, lower) >= task.priority
            else lower.longest_hold_ns(resources)
            for lower in less_urgent(system, task)
        ),
        default=0,
    )


def threshold_of(system: System, task: Task) -> int:
    """Return the priority above which tasks preempt a job that has begun."""
    if not task.is_preemptable:
        return max(other.priority for other in system.tasks_on(task.cpu))
    ceilings = [each.ceiling for each in system.resources if each.name == task.internal]
    return max([task.priority, *ceilings])


def less_urgent(system: System, task: Task) -> tuple[Task, ...]:
    """Return the tasks on the same CPU whose priority is below the task's."""
    return tuple(other for other in system.tasks_on(task.cpu) if other.priority < task.priority)


def blocking_resources(task: Task, reach: Reach) -> frozenset[str]:
    """Resources whose sections can lift their holder to the task's priority."""
    return frozenset(resource for resource, level in reach.items() if level >= task.priority)


def reach_of(system: System, protocol: Protocol) -> Reach:
    """Return to which priority each resource lifts; without ceilings and inheritance, to none."""
    if protocol is Protocol.CEILING:
        return ceilings(system)
    return inheritance_reach(system) if protocol is Protocol.INHERIT else {}


def ceilings(system: System) -> Reach:
    """Return the ceilings as they are, which may be higher than they need be."""
    return {resource.name: resource.ceiling for resource in system.resources}


def inheritance_reach(system: System) -> Reach:
    """Return the highest priority that a holder of each resource can inherit, or has.

    Linked resources are one under several names, each of which lifts as the others do.
    """
    reach = {
        resource.name: max(
            (task.priority for task in system.tasks if resource.name in task.resources), default=0
        )
        for resource in system.resources
    }
    links = {(each.name, each.linked) for each in system.resources if each.linked}
    nested = nestings(system) | links | {(other, name) for name, other in links}
    changed = True
    while changed:
        changed = False
        for outer, inner in nested:
            if reach[inner] < reach[outer]:
                reach[inner] = reach[outer]
                changed = True
    return reach


def nestings(system: System) -> set[tuple[str, str]]:
    """Pairs of resources of which a task locks the second while holding the first."""
    return {
        (outer, step.resource)
        for task in system.tasks
        for step, held in task.held()
        if isinstance(step, Lock)
        for outer in held
    }
