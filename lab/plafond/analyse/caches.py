# SPDX-License-Identifier: MIT
"""Memory that tasks load again after others used the caches: docs/analysis/working-sets.md.

A task is switched away by a preemption, by a sleep of its own, or by a wait for a lock. Each job
that wakes up preempts at most one other, which is less urgent (OSPERT 2010, 4, Section 2); so a
wake-up contains the most that such a task loses. What a task loses as it sleeps is its own work,
and a section in which another task may have to wait contains what both lose.
"""

from plafond.analyse.overheads import Overheads
from plafond.describe.system import System, Task


def lost_by_preempted_ns(system: System, task: Task, overheads: Overheads) -> int:
    """Return the most that a task loses which a wake-up of this one preempts."""
    return max(
        (
            overheads.caches_ns.get(other.name, 0)
            for other in system.tasks_on(task.cpu)
            if other.priority < task.priority
        ),
        default=0,
    )


def lost_by_sleeper_ns(task: Task, overheads: Overheads) -> int:
    """Return what the task itself loses when it sleeps."""
    return overheads.caches_ns.get(task.name, 0)


def lost_in_section_ns(system: System, task: Task, overheads: Overheads) -> int:
    """Return what the task of a section loses, and the one that waits for it."""
    others = (
        overheads.caches_ns.get(other.name, 0)
        for other in system.tasks_on(task.cpu)
        if other.name != task.name
    )
    return overheads.caches_ns.get(task.name, 0) + max(others, default=0)
