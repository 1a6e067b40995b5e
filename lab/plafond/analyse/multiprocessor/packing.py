# SPDX-License-Identifier: MIT
"""Clustered EDF: each task has a cluster of processors, within which EDF is global.

Clusters of one processor are partitioned EDF, and one cluster of all of them is global EDF.

The packing is first fit by decreasing utilisation: each task, the busiest first, and of equals
the one described first, goes into the first cluster that can take it with those already there.
So what is packed is schedulable, and what is not may still fit in another way.
"""

from collections.abc import Callable

from plafond.analyse.multiprocessor import one_cpu, soft, union
from plafond.analyse.multiprocessor.task_set import TaskSet

Test = Callable[[TaskSet, int], bool]


def pack(tasks: TaskSet, clusters: int, cpus: int, test: Test | None) -> list[list[int]] | None:
    """Return the places of the tasks of each cluster; None if a task fits into none.

    `cpus`: of a cluster. `test`: what must hold in each beside that its tasks ask for no more than
    all of it; None: nothing.
    """
    capacity = cpus * tasks.unit
    loads = [0] * clusters
    packed: list[list[int]] = [[] for _ in range(clusters)]
    utilisations = tasks.utilisations
    for place in sorted(range(len(tasks)), key=lambda place: -utilisations[place]):
        for cluster, load in enumerate(loads):
            fits = load + utilisations[place] <= capacity
            if fits and (test is None or test(tasks.part([*packed[cluster], place]), cpus)):
                loads[cluster] += utilisations[place]
                packed[cluster].append(place)
                break
            if not load:  # the others to come are empty, too
                return None
        else:
            return None
    return packed


def hard(tasks: TaskSet, clusters: int, cpus: int) -> bool:
    """Whether each task can have a cluster in which all deadlines are kept."""
    test = one_cpu.is_schedulable if cpus == 1 else union.is_schedulable
    return pack(tasks, clusters, cpus, test) is not None


def bounded(tasks: TaskSet, clusters: int, cpus: int) -> bool:
    """Whether each task can have a cluster in which there is a bound for how late a job can be."""
    if not soft.is_schedulable(tasks, clusters * cpus):
        return False
    return clusters == 1 or pack(tasks, clusters, cpus, test=None) is not None
