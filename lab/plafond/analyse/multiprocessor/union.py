# SPDX-License-Identifier: MIT
"""Global EDF with hard deadlines: the union of the tests gfb, bcl and baruah."""

from plafond.analyse.multiprocessor import baruah, bcl, gfb
from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Return whether a test shows that all deadlines are kept; quick tests come first."""
    return any(test.is_schedulable(tasks, cpus) for test in (gfb, bcl, baruah))
