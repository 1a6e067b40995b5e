# SPDX-License-Identifier: MIT
"""Response times of a task that, once begun, is preempted only by tasks above a threshold, in ns.

Sources: Wang, Saksena 1999; Davis, Burns, Bril, Lukkien 2007 for tasks that no task preempts;
Keskin, Bril, Lukkien 2010 for thresholds between.

The threshold of a task is the ceiling of its internal resource. If no task preempts the task, its
threshold is the highest priority of its CPU. Otherwise it is the task's priority. A job holds the
threshold from its start to its end, as a section holds a ceiling. So a less urgent task with a
threshold at or above a level blocks the level by its whole body (blocking.py).

Follow task i from the instant before which no job of at least P_i is pending (response.py). No task
of its level sleeps. Up to the start S of its q-th job the processor runs the section that blocks,
and the jobs of the level before. A job of another task that is released at S itself comes first:

  S_q = B + (q-1)*C_i + sum of (floor((S_q + J_j)/T_j) + 1)*C_j   over the others of at least P_i

From then on only tasks above the threshold run before its end:

  W = sum of (floor((S_q + J_j)/T_j) + 1)*C_j   over the others up to the threshold.
  F_q = B + q*C_i + W + sum of ceil((F_q + J_j)/T_j)*C_j   over the tasks above the threshold.

Each is the least solution. The bound is the largest F_q + J_i - (q-1)*T_i. The window goes on after
F_q if jobs released meanwhile had to wait. So q goes on while a job can be released in the busy
period of the level:

  L = B + sum of ceil((L + J_j)/T_j)*C_j                          over all of at least P_i

F_q is at most the w_q of response.py. That w_q is the bound if a task of the level sleeps, or if
the kernel's work takes time.
"""

from plafond.analyse.response import Bounds, Level
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import Task


def bounds_from_begin(level: Level, threshold: int, effort: Effort) -> Bounds:
    """Return the bounds of the level's task in ns; NoWindowError if there are none."""
    task, once_ns = level.task, level.once_ns
    before = [_up_to_begin(other) for other in level.others]
    waiting = [_up_to_begin(other) for other in level.others if other.priority <= threshold]
    above = [_arrivals(other) for other in level.others if other.priority > threshold]
    to_begin = Window(before, effort, Background())
    to_end = Window(above, effort, Background())
    begin_ns = longest_ns = 0
    for job in range(jobs_in_busy_period(level, effort)):
        begin_ns = to_begin.least_ns(once_ns + job * task.run_ns, begin_ns)
        waited_ns = sum(each.work_ns(begin_ns) for each in waiting)
        work_ns = once_ns + (job + 1) * task.run_ns + waited_ns
        end_ns = to_end.least_ns(work_ns, begin_ns + task.run_ns)
        longest_ns = max(longest_ns, end_ns + task.jitter_ns - job * task.least_interval_ns)
    return Bounds(once_ns, longest_ns)


def jobs_in_busy_period(level: Level, effort: Effort) -> int:
    """Return how many jobs of the task can be released in L."""
    own = _arrivals(level.task)
    busy = Window([own, *map(_arrivals, level.others)], effort, Background())
    return own.in_window(busy.least_ns(level.once_ns))


def _arrivals(task: Task) -> Arrivals:
    return Arrivals(task.least_interval_ns, task.run_ns, task.jitter_ns)


def _up_to_begin(task: Task) -> Arrivals:
    """Return the arrivals in a window that is closed at its end: ceil() with J+1 is floor() + 1."""
    return Arrivals(task.least_interval_ns, task.run_ns, task.jitter_ns + 1)
