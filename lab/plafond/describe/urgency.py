# SPDX-License-Identifier: MIT
"""The urgency of each task, and of a task inside each resource; larger is more urgent.

Under fixed priorities these are the priorities and ceilings. Under EDF they are the preemption
levels of Baker 1991: ranks from 1 of relative deadlines and floors together. The shortest deadline
has the highest rank, so sorting by priority puts the most urgent task first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from plafond.describe.isr import Isr
from plafond.describe.kernel import Scheduler
from plafond.describe.rules import Isrs, Resources, Tasks, kept_out_by, names_of
from plafond.describe.server import BEHIND_ALL


@dataclass(frozen=True)
class Urgency:
    """Urgencies by name, for a description without mistakes."""

    of_tasks: Mapping[str, int]
    of_resources: Mapping[str, int]
    floors: Mapping[str, int] = field(default_factory=dict)  # in nanoseconds; under EDF only


def urgency_of(scheduler: Scheduler, tasks: Tasks, resources: Resources, isrs: Isrs) -> Urgency:
    """Compute the urgencies; ceilings and floors that are not given follow from the users."""
    if scheduler is Scheduler.EDF:
        return _by_deadlines(tasks, resources)
    return _by_priorities(scheduler, tasks, resources, isrs)


def _by_priorities(scheduler: Scheduler, tasks: Tasks, resources: Resources, isrs: Isrs) -> Urgency:
    priorities = {
        name: BEHIND_ALL if task.background else task.priority for name, task in tasks.items()
    }
    ceilings = {}
    for name, names in names_of(resources).items():
        kept_out = [priorities[user] for user in kept_out_by(names, tasks)]
        for isr in isrs.values():
            kept_out += _beside(scheduler, isr, tasks, priorities) if name in isr.resources else []
        # A resource without users may have any ceiling.
        ceilings[name] = resources[names[0]].given_ceiling or max(kept_out, default=1)
    return Urgency(priorities, ceilings)


def _beside(
    scheduler: Scheduler, isr: Isr, tasks: Tasks, priorities: Mapping[str, int]
) -> list[int]:
    """The priorities that a ceiling must reach to keep the routine out."""
    if isr.priority and scheduler is Scheduler.HARDWARE:
        return [isr.priority]
    return [priorities[name] for name, task in tasks.items() if task.cpu == isr.cpu]


def _by_deadlines(tasks: Tasks, resources: Resources) -> Urgency:
    deadlines = {name: task.deadline_from_release_ns for name, task in tasks.items()}
    floors = {}
    for name, names in names_of(resources).items():
        kept_out = [deadlines[user] for user in kept_out_by(names, tasks)]
        least = min(kept_out, default=max(deadlines.values()))  # any floor will do without users
        floors[name] = resources[names[0]].given_floor or least
    ordered = sorted({*deadlines.values(), *floors.values()}, reverse=True)
    levels = {time_ns: level for level, time_ns in enumerate(ordered, 1)}
    return Urgency(
        {name: levels[time_ns] for name, time_ns in deadlines.items()},
        {name: levels[time_ns] for name, time_ns in floors.items()},
        floors,
    )
