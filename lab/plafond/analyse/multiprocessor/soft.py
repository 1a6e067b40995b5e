# SPDX-License-Identifier: MIT
"""Soft deadlines under global EDF: Devi, Anderson 2005, "Tardiness bounds under global EDF
scheduling on a multiprocessor", Theorem 2.

With deadlines at intervals there is a bound for how late a job can be, if no task asks for more
than a processor, and all for no more than there are. Otherwise jobs that arrive as often as they
can are later and later.
"""

from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Whether there is a bound for how late a job can be."""
    most = max(tasks.utilisations, default=0)
    return most <= tasks.unit and sum(tasks.utilisations) <= cpus * tasks.unit
