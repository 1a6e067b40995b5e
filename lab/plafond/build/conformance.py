# SPDX-License-Identifier: MIT
"""The conformance classes of OSEK OS 2.2.3, Section 3.2."""

from collections.abc import Sequence
from enum import StrEnum

from plafond.build.configuration import TaskTable
from plafond.describe.kernel import Scheduler


class ConformanceClass(StrEnum):
    """The capabilities that the tasks of a system need."""

    BCC1 = "BCC1"  # basic tasks, a single activation, a different priority for each
    BCC2 = "BCC2"  # as BCC1, with several activations and equal priorities
    ECC1 = "ECC1"  # as BCC1, with extended tasks
    ECC2 = "ECC2"  # as BCC2, with extended tasks


def conformance_class(scheduler: str, tasks: Sequence[TaskTable]) -> ConformanceClass | None:
    """Return the lowest sufficient class; None under EDF, because it has no priorities."""
    if scheduler == Scheduler.EDF:
        return None
    is_extended = any(each.task.events for each in tasks)
    priorities = {(each.task.cpu, each.task.priority) for each in tasks}
    is_simple = len(priorities) == len(tasks) and all(each.activations == 1 for each in tasks)
    if is_extended:
        return ConformanceClass.ECC1 if is_simple else ConformanceClass.ECC2
    return ConformanceClass.BCC1 if is_simple else ConformanceClass.BCC2
