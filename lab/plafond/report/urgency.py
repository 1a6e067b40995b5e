# SPDX-License-Identifier: MIT
"""The urgency of each task at a time; larger is more urgent."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from plafond.describe.kernel import Scheduler
from plafond.describe.system import Task
from plafond.trace.activations import Activation

Urgency = Callable[[int], int]


def urgencies_of(
    scheduler: Scheduler, tasks: Sequence[Task], jobs: Sequence[Sequence[Activation]]
) -> list[Urgency]:
    """Return the urgency of each task; `jobs` has its activations."""
    return [urgency_of(scheduler, task, own) for task, own in zip(tasks, jobs, strict=True)]


def urgency_of(scheduler: Scheduler, task: Task, jobs: Sequence[Activation]) -> Urgency:
    """Return the urgency of a task; `jobs` are its activations in order.

    Under EDF the urgency follows the task's absolute deadline, without the floors of its sections.
    A task that wakes up gets a new deadline.
    """
    if scheduler.has_priorities:
        return lambda _: task.priority
    ends = [job.end_ns or job.release_ns for job in jobs]

    def at(time_ns: int) -> int:
        index = bisect_right(ends, time_ns)
        if index == len(jobs):
            return -time_ns - task.deadline_from_release_ns
        job = jobs[index]
        wakes = (wake for _, wake in job.sleeps if wake <= time_ns)
        return -max([job.release_ns, *wakes]) - task.deadline_from_release_ns

    return at
