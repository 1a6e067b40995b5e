# SPDX-License-Identifier: MIT
"""Global EDF by busy intervals: Baruah 2007, "Techniques for multiprocessor global schedulability
analysis", Theorem 2, Condition 8.

Follow the first job that could miss its deadline, of task k. Go back from its arrival to the last
instant at which some processor was idle. That is A before the arrival and t = A + D_k before the
deadline. At most m - 1 tasks have a job under way then. Until the deadline each task does at most

  due(t)     = (floor((t - D_i)/T_i) + 1)*C_i            without a job under way

  carried(t) = floor(t/T_i)*C_i + min(C_i, t mod T_i)    with a job under way

At most x = A + D_k - C_k of this matters, if other tasks have all processors for just x. Of task k
it is C_k less, and at most A. F(t) is the sum over all tasks of the first, plus the m - 1 largest
differences of both. All deadlines are kept if F(t) < m*x for each task k and each A from 0 on.

If F(t) = m*x, the paper says that the deadlines are kept, too. Three jobs of 2, 2 and 1 in 2 units
of time, on two processors, are a counterexample. A miss takes the processors for more than x. So
there is none only if F would rise by less than m from there, because fewer than m tasks can do more
than x.

A task with C_k > D_k fails at x = 0 if there are m other tasks, and else at a negative x.

F - m*x never jumps down, and is convex between the instants at which the growth of a term changes.
So these instants suffice: D_i + q*T_i, q*T_i, q*T_i + C_i, and the instants at which a term reaches
x or A. (The paper takes only the first kind, between which F can rise by more than m*x does.)

If F >= m*x, then F is at most U*t + sum of U_i*(T_i - D_i) - C_k + the m - 1 largest C. So t ends
when that is below m*(t - C_k), which is Theorem 3. With U = m there is no such end.

For most windows a single look is enough for all k. G(t) is the sum of due(t) and of the m - 1
largest carried(t) - due(t). F(t) is at most G(t) - C_k. So no window fails for k if G(t) - m*t is
below -(m - 1)*C_k. G(t) - m*t is convex between the instants, too. If it is below that at two
instants in a row, it is so between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plafond.analyse.multiprocessor.task_set import TaskSet

Numbers = NDArray[np.int64]

MOST_TERMS = 20_000_000  # for a set with more terms the test gives up and returns False
LARGEST_NS = 1 << 50  # the longest window: no sum over a thousand tasks overflows
GROWTH = 2  # factor of the windows that are looked at together; short windows fail first


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Return whether the theorem shows that all deadlines are kept; pseudo-polynomial, bounded."""
    if not len(tasks):
        return True
    ends_ns = _ends_ns(tasks, cpus)
    longest_ns = max(ends_ns, default=LARGEST_NS + 1)
    if longest_ns > LARGEST_NS:
        return False
    changes = sum(3 * (longest_ns // interval_ns + 2) for interval_ns in tasks.intervals_ns)
    if changes * len(tasks) ** 2 > MOST_TERMS:
        return False
    columns = Columns.of(tasks)
    begin_ns, end_ns = 0, max(tasks.deadlines_ns)
    while begin_ns <= longest_ns:
        points = Points.of(columns, cpus, begin_ns, min(end_ns, longest_ns + 1))
        if points.any_doubtful((cpus - 1) * max(tasks.costs_ns)):
            for place, last_ns in enumerate(ends_ns):
                first_ns, beyond_ns = points.doubtful_ns((cpus - 1) * tasks.costs_ns[place])
                span_ns = first_ns, min(beyond_ns, last_ns + 1)
                if _fails(columns, place, cpus, points.windows, span_ns):
                    return False
        begin_ns, end_ns = end_ns, GROWTH * end_ns
    return True


@dataclass(frozen=True)
class Columns:
    """The parameters of all tasks."""

    costs: Numbers
    deadlines: Numbers
    intervals: Numbers

    @classmethod
    def of(cls, tasks: TaskSet) -> "Columns":
        """Take the parameters of a set."""
        columns = (tasks.costs_ns, tasks.deadlines_ns, tasks.intervals_ns)
        return cls(*(np.array(column, dtype=np.int64) for column in columns))

    def due(self, windows: Numbers) -> Numbers:
        """Return the work that arrives and is due in a window: rows are windows, columns tasks."""
        jobs = (windows[:, None] - self.deadlines) // self.intervals + 1
        return jobs.clip(min=0) * self.costs

    def carried(self, windows: Numbers) -> Numbers:
        """Return the same, with the rest of a job that is under way as the window begins."""
        jobs, rest = np.divmod(windows[:, None], self.intervals)
        return jobs * self.costs + np.minimum(self.costs, rest)


@dataclass(frozen=True)
class Points:
    """The windows at which a term changes, the first and the last, and G - m*t in each."""

    windows: Numbers
    excess: Numbers

    @classmethod
    def of(cls, columns: Columns, cpus: int, begin_ns: int, end_ns: int) -> "Points":
        """Take the windows from the first on, below the second."""
        ends = np.array([begin_ns, end_ns - 1], dtype=np.int64)
        windows = np.unique(np.concatenate((ends, _changes_ns(columns, begin_ns, end_ns))))
        due = columns.due(windows)
        most = due.sum(axis=1) + _largest(columns.carried(windows) - due, carried_in(cpus))
        return cls(windows, most - cpus * windows)

    def any_doubtful(self, margin_ns: int) -> bool:
        """Return whether a window can fail. The margin must be (m - 1)*C_k."""
        return bool((self.excess >= -margin_ns).any())

    def doubtful_ns(self, margin_ns: int) -> tuple[int, int]:
        """Return (begin, end): no window below the first, or from the second on, can fail."""
        (places,) = np.nonzero(self.excess >= -margin_ns)
        if not len(places):
            return 0, 0
        first, last = max(0, places[0] - 1), min(len(self.windows) - 1, places[-1] + 1)
        return int(self.windows[first]), int(self.windows[last]) + 1


def _ends_ns(tasks: TaskSet, cpus: int) -> list[int]:
    """Return the longest window of each task that can fail; empty if there is no longest."""
    left = cpus * tasks.unit - sum(tasks.utilisations)
    if left <= 0:
        return []
    carried_ns = sum(sorted(tasks.costs_ns)[len(tasks) - min(cpus - 1, len(tasks)) :])
    rows = zip(tasks.utilisations, tasks.intervals_ns, tasks.deadlines_ns, strict=True)
    early = sum(u * (interval_ns - deadline_ns) for u, interval_ns, deadline_ns in rows)
    return [
        ((carried_ns + (cpus - 1) * cost_ns) * tasks.unit + early) // left
        for cost_ns in tasks.costs_ns
    ]


def _changes_ns(columns: Columns, begin_ns: int, end_ns: int) -> Numbers:
    """Return the windows from the first, below the second, at which `due` or `carried` changes."""

    found: list[Numbers] = []
    parameters = (columns.costs, columns.deadlines, columns.intervals)
    rows = zip(*(each.tolist() for each in parameters), strict=True)
    for cost, deadline, interval in rows:
        firsts = {0, cost, deadline} if deadline < interval else {0, cost}
        for first in firsts:
            start = first + max(0, -((first - begin_ns) // interval)) * interval
            found.append(np.arange(start, end_ns, interval, dtype=np.int64))
    return np.unique(np.concatenate(found))


def _reached_ns(columns: Columns, place: int, begin_ns: int, end_ns: int) -> Iterator[Numbers]:
    """Yield the windows at which x, or A for the task itself, is a number of whole jobs of a task.

    Such a window is j*C + `before`. A window t has at most t/T + 1 jobs, so the windows end when
    j*C + `before` has fewer than j jobs.
    """
    own_cost, own_deadline = int(columns.costs[place]), int(columns.deadlines[place])
    rows = zip(columns.costs.tolist(), columns.intervals.tolist(), strict=True)
    for other, (cost, interval) in enumerate(rows):
        before = own_deadline if other == place else own_cost
        first = max(0, -(-(begin_ns - before) // cost))
        last_ns = end_ns
        if cost < interval:
            last_ns = min(end_ns, (before + interval) // (interval - cost) * cost + before + 1)
        yield np.arange(first * cost + before, last_ns, cost, dtype=np.int64)


def _fails(
    columns: Columns, place: int, cpus: int, changes_ns: Numbers, span_ns: tuple[int, int]
) -> bool:
    """Return whether a window of the span fails for a task."""
    deadline = int(columns.deadlines[place])
    begin_ns, end_ns = max(span_ns[0], deadline), span_ns[1]
    if begin_ns >= end_ns:
        return False
    reached = np.concatenate(list(_reached_ns(columns, place, begin_ns, end_ns)))
    inside = changes_ns[(changes_ns >= begin_ns) & (changes_ns < end_ns)]
    windows = np.unique(np.concatenate((inside, reached, np.array([begin_ns], dtype=np.int64))))
    return bool(failing(columns, place, cpus, windows).any())


def failing(columns: Columns, place: int, cpus: int, windows: Numbers) -> NDArray[np.bool_]:
    """Return for each window, no shorter than the deadline of the task, whether it fails."""
    cost, deadline = columns.costs[place], columns.deadlines[place]
    matters = (windows - cost)[:, None]
    due, carried = columns.due(windows), columns.carried(windows)
    can_do_more = (carried > matters).sum(axis=1) - (carried[:, place] > matters[:, 0])
    before = windows - deadline
    without, with_one = np.minimum(due, matters), np.minimum(carried, matters)
    without[:, place] = np.minimum(due[:, place] - cost, before)
    with_one[:, place] = np.minimum(carried[:, place] - cost, before)
    most = without.sum(axis=1) + _largest(with_one - without, carried_in(cpus))
    limit = cpus * matters[:, 0]
    failed: NDArray[np.bool_] = (most > limit) | ((most == limit) & (can_do_more >= cpus))
    return failed


def carried_in(cpus: int) -> int:
    """Return how many tasks can have a job under way while a processor is idle."""
    return cpus - 1


def _largest(values: Numbers, count: int) -> Numbers:
    """Return the sum of the `count` largest values of each row."""
    if count == 0:
        return np.zeros(len(values), dtype=np.int64)
    if count < values.shape[1]:
        values = np.partition(values, values.shape[1] - count, axis=1)[:, -count:]
    total: Numbers = values.sum(axis=1)
    return total
