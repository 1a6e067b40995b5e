# SPDX-License-Identifier: MIT
"""Clustered EDF: each task has a cluster of processors, within which EDF is global.

Clusters of one processor are partitioned EDF, and a single cluster of all processors is global EDF.

The packing is first fit by decreasing utilisation. Each task goes into the first cluster that can
take it with the tasks already there. The busiest task is first; equally busy tasks keep their
order. So packed tasks are schedulable, and tasks that are not packed may still fit in another way.
"""

from collections.abc import Callable

from plafond.analyse.multiprocessor import one_cpu, soft, union
from plafond.analyse.multiprocessor.task_set import TaskSet

Test = Callable[[TaskSet, int], bool]


def pack(tasks: TaskSet, clusters: int, cpus: int, test: Test | None) -> list[list[int]] | None:
    """Return the places of the tasks of each cluster; None if a task fits into none.

    `cpus`: the processors of a cluster. `test`: the condition for each cluster, besides a load of
    at most all of it; None: no other condition.
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
            if not load:  # all later clusters are empty, too
                return None
        else:
            return None
    return packed


def hard(tasks: TaskSet, clusters: int, cpus: int) -> bool:
    """Return whether each task can have a cluster in which all deadlines are kept."""
    test = one_cpu.is_schedulable if cpus == 1 else union.is_schedulable
    return pack(tasks, clusters, cpus, test) is not None


def bounded(tasks: TaskSet, clusters: int, cpus: int) -> bool:
    """Return whether each task can have a cluster in which the tardiness of jobs has a bound."""
    if not soft.is_schedulable(tasks, clusters * cpus):
        return False
    return clusters == 1 or pack(tasks, clusters, cpus, test=None) is not None
