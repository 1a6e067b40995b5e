# SPDX-License-Identifier: MIT
"""Global EDF by density: Goossens, Funk, Baruah 2003, "Priority-driven scheduling of periodic task
systems on multiprocessors", Theorem 5. For deadlines below intervals: Bertogna, Cirinei, Lipari
2005, with densities instead of utilisations.

  sum of C/D <= m - (m - 1) * max of C/D

The invariant: compare the m processors with a slower processor of speed C/D for each task. At each
instant the m processors have done at least as much of each set of jobs. This holds for sporadic
arrivals as for periodic arrivals.
"""

from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Return whether the theorem shows that all deadlines are kept; a term for each task."""
    densest = max(tasks.densities, default=0)
    return sum(tasks.densities) <= cpus * tasks.unit - (cpus - 1) * densest
