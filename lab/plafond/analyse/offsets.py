# SPDX-License-Identifier: MIT
"""Response times of tasks with offsets, in ns: no window begins at every phase.

Source: Tindell 1994 (Adding Time-Offsets to Schedulability Analysis); Palencia and Gonzalez Harbour
1998, with all periodic tasks of the processor as one transaction.

A task is *in phase* if it is periodic without jitter: its jobs arrive at offset + k*T exactly. All
such tasks repeat after H, the least common multiple of their intervals. A window of the level
(response.py) begins at some instant s of H. Suppose that no task in phase of the level arrives at
s. Move all of them sooner together, until one does. No job leaves the window, so its work stays or
grows. The followed job has arrived sooner. So only the arrivals of tasks in phase count as s. The
tasks that are not in phase arrive at s and then as often as they can. With f_j as the time from s
to the first arrival of a task in phase:

  w_q = B + q*C_i + sum of ceil((w_q - f_j)/T_j)*C_j + sum of ceil((w_q + J_j)/T_j)*C_j

The first sum is over the other tasks in phase, the second over the others. If the followed task is
in phase, its q-th job arrives a_q = f_i + (q-1)*T_i after s. The window contains it if the level is
busy from s until then: if the work without it lasts longer than a_q. The bound is the largest w_q -
a_q. Otherwise a_q is (q-1)*T_i - J_i, as without offsets.

Sleeps and the blocking after them are part of C, as in response.py.
"""

import math
from collections.abc import Iterator

from plafond.analyse.response import Bounds, Level, WorstJob, worst_job
from plafond.analyse.window import Arrivals, Background, Effort, NoWindowError, Window
from plafond.describe.system import Task

MOST_STARTS = 10_000


def is_in_phase(task: Task) -> bool:
    """Return whether all arrivals of the task are known."""
    return task.interval is not None and task.interval.is_periodic and task.jitter_ns == 0


def has_phases(level: Level) -> bool:
    """Return whether offsets can make a window of the level shorter."""
    fixed = [task for task in (level.task, *level.others) if is_in_phase(task)]
    return len(fixed) > 1 and any(task.offset_ns % task.least_interval_ns for task in fixed)


def bounds_in_phase(level: Level, bounds: Bounds, effort: Effort) -> Bounds:
    """Return the bounds of the level's task with its offsets.

    `bounds`: without offsets. They stay if the windows with offsets are too many.
    """
    try:
        windows = (_worst_from(level, start_ns, effort) for start_ns in _starts(level))
        worst = max(windows, key=lambda job: job.response_ns)
    except NoWindowError:
        return bounds
    if worst.response_ns >= bounds.response_ns:
        return bounds
    blocking_ns = level.blocking_ns(worst.window_ns, worst.number)
    return Bounds(blocking_ns, worst.response_ns, worst.from_release_ns)


def _starts(level: Level) -> Iterator[int]:
    """Yield the instants of H at which a task in phase of the level arrives, each once.

    NoWindowError if they are more than MOST_STARTS.
    """
    fixed = [task for task in (level.task, *level.others) if is_in_phase(task)]
    whole_ns = math.lcm(*(task.least_interval_ns for task in fixed))
    if sum(whole_ns // task.least_interval_ns for task in fixed) > MOST_STARTS:
        raise NoWindowError("the tasks repeat after too many arrivals")
    found = {
        start_ns
        for task in fixed
        for start_ns in range(
            task.offset_ns % task.least_interval_ns, whole_ns, task.least_interval_ns
        )
    }
    yield from sorted(found)


def first_ns(task: Task, start_ns: int) -> int:
    """Return the time from an instant to the next arrival of a task in phase."""
    return (task.offset_ns - start_ns) % task.least_interval_ns


def _worst_from(level: Level, start_ns: int, effort: Effort) -> WorstJob:
    """Return the job with the longest response of a window that begins at the instant."""
    task = level.task
    others = [
        Arrivals(
            each.least_interval_ns,
            level.cost_ns(each),
            -first_ns(each, start_ns) if is_in_phase(each) else each.jitter_ns,
        )
        for each in level.others
    ]
    own = Arrivals(task.least_interval_ns, level.cost_ns(task))
    window = Window(others, effort, Background(), fixed=own, demand=level.demand)
    if not is_in_phase(task):
        return worst_job(task, window, own, level.once_ns)
    worst = WorstJob(0, 0, 0)
    jobs, arrival_ns = 0, first_ns(task, start_ns)
    window_ns = window.least_ns(level.once_ns)
    while arrival_ns == 0 or arrival_ns < window_ns:  # the level is busy as the next job arrives
        jobs += 1
        window_ns = window.least_ns(level.once_ns + jobs * own.cost_ns, window_ns)
        response_ns = window_ns - arrival_ns
        if response_ns > worst.response_ns:
            worst = WorstJob(jobs, window_ns, response_ns, response_ns)
        arrival_ns += task.least_interval_ns
    return worst
