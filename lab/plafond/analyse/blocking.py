# SPDX-License-Identifier: MIT
"""The blocking term B in ns: how long less urgent tasks keep a task waiting, once.

A less urgent task blocks level P inside a section that lifts it to P or above.

- ceiling: a section of a resource with a ceiling of at least P. The level does not preempt the
  task inside, so no second task is inside such a section at that time. B is the longest of all
  these sections. A task with a threshold of at least P (thresholds.py) counts as a section from
  its start to its end.
- inherit: a section of a resource with a reach of at least P. A task of at least P can wait for
  the resource, itself or with an inherited priority. The reach is the highest priority of all
  users. If a task locks the resource while it holds another, it is at least the reach of the other.
  This covers direct and push-through blocking.
  Several tasks can be inside such sections at once, each in its outermost section. A lifted task
  runs on only to the end of that section, because there it loses every inherited priority of P
  or more. It enters another such section only while the level does not want the processor. B is
  the sum over the less urgent tasks of their longest sections. requests.py lowers this sum.
"""

from collections.abc import Mapping

from plafond.describe.system import Lock, System, Task
from plafond.protocols import Protocol

Reach = Mapping[str, int]  # the priority to which each resource can lift its holder


def blocking_ns(system: System, task: Task, protocol: Protocol, reach: Reach) -> int:
    """Return B: the longest time for which less urgent tasks can block a task, once."""
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
    """Return the priority that another task must exceed to preempt a begun job of the task."""
    if not task.is_preemptable:
        return max(other.priority for other in system.tasks_on(task.cpu))
    ceilings = [each.ceiling for each in system.resources if each.name == task.internal]
    return max([task.priority, *ceilings])


def less_urgent(system: System, task: Task) -> tuple[Task, ...]:
    """Return the tasks on the same CPU whose priority is below the task's."""
    return tuple(other for other in system.tasks_on(task.cpu) if other.priority < task.priority)


def blocking_resources(task: Task, reach: Reach) -> frozenset[str]:
    """Return the resources whose sections can lift their holder to the task's priority."""
    return frozenset(resource for resource, level in reach.items() if level >= task.priority)


def reach_of(system: System, protocol: Protocol) -> Reach:
    """Return the priority to which each resource lifts its holder, by resource.

    Empty if the protocol has neither ceilings nor inheritance.
    """
    if protocol is Protocol.CEILING:
        return ceilings(system)
    return inheritance_reach(system) if protocol is Protocol.INHERIT else {}


def ceilings(system: System) -> Reach:
    """Return the ceilings; a description may give a higher ceiling than the users need."""
    return {resource.name: resource.ceiling for resource in system.resources}


def inheritance_reach(system: System) -> Reach:
    """Return the highest priority that a holder of each resource has or can inherit.

    Linked resources are names of the same resource, so they have the same reach.
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
    """Return the pairs (outer, inner): a task locks `inner` while it holds `outer`."""
    return {
        (outer, step.resource)
        for task in system.tasks
        for step, held in task.held()
        if isinstance(step, Lock)
        for outer in held
    }
