# SPDX-License-Identifier: MIT
"""EDF on one processor, exactly: Liu, Layland 1973, Theorem 7, and Baruah, Rosier, Howell 1990,
the processor demand test.

With deadlines at intervals no job is late if and only if the tasks ask for at most the whole
processor. With earlier deadlines each window must hold the work that is due in it (demand.py).
"""

from plafond.analyse.demand import least_failure, synchronous_busy_ns
from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.analyse.window import Effort, NoWindowError
from plafond.analyse.workload import Sporadic, Workload


def is_schedulable(tasks: TaskSet, cpus: int = 1) -> bool:
    """Return whether all deadlines are kept; False if the busy period is too long to follow."""
    assert cpus == 1
    if sum(tasks.utilisations) > tasks.unit:
        return False
    if tasks.is_implicit:
        return True
    rows = zip(tasks.intervals_ns, tasks.deadlines_ns, tasks.costs_ns, strict=True)
    load = Workload(tuple(Sporadic(*row) for row in rows), sections=())
    effort = Effort()
    effort.begin_row()
    try:
        return least_failure(load, synchronous_busy_ns(load, effort), effort) is None
    except NoWindowError:
        return False
