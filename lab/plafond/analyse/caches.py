# SPDX-License-Identifier: MIT
"""The cost of loading memory again after other tasks used the caches, in ns.

docs/analysis/working-sets.md explains the terms; `Overheads.caches_ns` has the cost of each task.
A task has this cost after a preemption, after its sleep, and after a wait for a lock.

- Each job that wakes up preempts at most one less urgent job (OSPERT 2010, 4, Section 2). So a
  wake-up contains the largest cost of a less urgent task.
- The end of a sleep contains the cost of the task that slept.
- A section for which another task may have to wait contains the costs of both tasks.
"""

from plafond.analyse.overheads import Overheads
from plafond.describe.system import System, Task


def lost_by_preempted_ns(system: System, task: Task, overheads: Overheads) -> int:
    """Return the largest cost of a task that a wake-up of `task` can preempt."""
    return max(
        (
            overheads.caches_ns.get(other.name, 0)
            for other in system.tasks_on(task.cpu)
            if other.priority < task.priority
        ),
        default=0,
    )


def lost_by_sleeper_ns(task: Task, overheads: Overheads) -> int:
    """Return the cost of the task after a sleep."""
    return overheads.caches_ns.get(task.name, 0)


def lost_in_section_ns(system: System, task: Task, overheads: Overheads) -> int:
    """Return the cost of the section's task and of the costliest task that waits for it."""
    others = (
        overheads.caches_ns.get(other.name, 0)
        for other in system.tasks_on(task.cpu)
        if other.name != task.name
    )
    return overheads.caches_ns.get(task.name, 0) + max(others, default=0)
