# SPDX-License-Identifier: MIT
"""Global EDF with hard deadlines: what at least one of the tests accepts."""

from plafond.analyse.multiprocessor import baruah, bcl, gfb
from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Whether some test says that all deadlines are kept; the quick ones are asked first."""
    return any(test.is_schedulable(tasks, cpus) for test in (gfb, bcl, baruah))
