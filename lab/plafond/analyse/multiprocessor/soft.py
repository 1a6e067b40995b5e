# SPDX-License-Identifier: MIT
"""Soft deadlines under global EDF: Devi, Anderson 2005, "Tardiness bounds under global EDF
scheduling on a multiprocessor", Theorem 2.

With deadlines at intervals the tardiness of jobs has a bound on two conditions. No task asks for
more than a processor, and all tasks ask for at most all processors. Otherwise, if jobs arrive as
often as they can, their tardiness grows for ever.
"""

from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Return whether the tardiness of jobs has a bound."""
    most = max(tasks.utilisations, default=0)
    return most <= tasks.unit and sum(tasks.utilisations) <= cpus * tasks.unit
