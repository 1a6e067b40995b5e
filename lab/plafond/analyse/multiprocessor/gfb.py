# SPDX-License-Identifier: MIT
"""Global EDF by density: Goossens, Funk, Baruah 2003, "Priority-driven scheduling of periodic task
systems on multiprocessors", Theorem 5; for deadlines below intervals Bertogna, Cirinei, Lipari
2005, with densities in the place of utilisations.

  sum of C/D <= m - (m - 1) * max of C/D

The invariant behind it: at each instant the m processors have done no less of each job set than a
slower one each, of speed C/D, would have. It holds for sporadic arrivals as for periodic ones.
"""

from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Whether the theorem says that all deadlines are kept; it takes a term for each task."""
    densest = max(tasks.densities, default=0)
    return sum(tasks.densities) <= cpus * tasks.unit - (cpus - 1) * densest
