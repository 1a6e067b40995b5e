# SPDX-License-Identifier: MIT
"""Assign the tasks of a drawn system to its CPUs: worst fit by decreasing utilisation.

Tasks are placed by decreasing utilisation; among equals, the most urgent first. Each goes to the
least loaded CPU; among equals, the first. With `apart`, tasks that share resources, even
indirectly, are placed together as if they were one task.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from plafond.describe.system import System, Task


def spread(system: System) -> System:
    """Place each task by itself."""
    return _placed(system, [[task] for task in system.tasks])


def apart(system: System) -> System:
    """Place tasks that share resources together."""
    groups: list[list[Task]] = []
    for task in system.tasks:
        sharing = [group for group in groups if any(task.resources & g.resources for g in group)]
        groups = [group for group in groups if group not in sharing]
        groups.append([*(each for group in sharing for each in group), task])
    return _placed(system, groups)


def _placed(system: System, groups: Sequence[Sequence[Task]]) -> System:
    asked = [sum((task.utilisation for task in group), Fraction(0)) for group in groups]
    loads = [Fraction(0)] * system.cpus
    cpu_of: dict[str, int] = {}
    for place in sorted(range(len(groups)), key=lambda place: -asked[place]):
        cpu = loads.index(min(loads))
        loads[cpu] += asked[place]
        cpu_of |= dict.fromkeys((task.name for task in groups[place]), cpu)
    return replace(
        system,
        tasks=tuple(task.changed(cpu=cpu_of[task.name]) for task in system.tasks),
        resources=tuple(
            each.changed(cpus=tuple(sorted({cpu_of[user] for user in each.users})))
            for each in system.resources
        ),
    )
