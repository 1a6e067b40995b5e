# SPDX-License-Identifier: MIT
"""Global EDF by interference: Bertogna, Cirinei, Lipari 2005, "Improved schedulability analysis of
EDF on multiprocessor platforms", Theorem 6.

Follow the first job that could miss its deadline, of task k, for D_k from its arrival. It misses if
and only if other tasks have all m processors for more than its slack, S_k = D_k - C_k. Under EDF a
task i does most in that time if the deadline of one of its jobs is the deadline of k:

  W_i = N*C_i + min(C_i, max(0, D_k - N*T_i))  with  N = floor((D_k - D_i)/T_i) + 1

If the processors are taken for x, only x of each W_i matters. So a miss needs an x above S_k with
sum of min(W_i, x) >= m*x. There is none if that sum is below m*S_k at x = S_k. Nor is there if it
is m*S_k and fewer than m tasks can do more than S_k, because it then rises more slowly than m*x.
(This is the paper's second condition, in a form that also holds for a slack of 0.)
"""

from plafond.analyse.multiprocessor.task_set import TaskSet


def is_schedulable(tasks: TaskSet, cpus: int) -> bool:
    """Return whether the theorem shows that all deadlines are kept; a term for each pair."""
    return all(_keeps_deadline(tasks, place, cpus) for place in range(len(tasks)))


def _keeps_deadline(tasks: TaskSet, place: int, cpus: int) -> bool:
    deadline_ns = tasks.deadlines_ns[place]
    slack_ns = deadline_ns - tasks.costs_ns[place]
    if slack_ns < 0:
        return False
    interference_ns = above = 0
    rows = zip(tasks.costs_ns, tasks.deadlines_ns, tasks.intervals_ns, strict=True)
    for other, row in enumerate(rows):
        if other != place:
            work_ns = most_work_ns(*row, deadline_ns)
            interference_ns += min(work_ns, slack_ns)
            above += work_ns > slack_ns
    return interference_ns < cpus * slack_ns or (
        interference_ns == cpus * slack_ns and above < cpus
    )


def most_work_ns(cost_ns: int, deadline_ns: int, interval_ns: int, window_ns: int) -> int:
    """Return W: the most work of a task in a window at whose end one of its jobs is due, in ns."""
    jobs = (window_ns - deadline_ns) // interval_ns + 1
    return jobs * cost_ns + min(cost_ns, max(0, window_ns - jobs * interval_ns))
