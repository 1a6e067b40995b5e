# SPDX-License-Identifier: MIT
"""The wait B of a request for a global resource if the most urgent task in line is next, in ns.

From the request of task i until it is inside, other tasks hold the resource at every instant:

- At most one is less urgent. It was inside before, because each task that leaves hands over to task
  i or to a more urgent task.
- All others are more urgent, or equally urgent, and hold it as often as their jobs request.

A job of task h that requests in the wait arrives before the end of the wait. It arrives at most R_h
before the start of the wait, because each job ends within R_h of its arrival. So at most
ceil((B + R_h)/T_h) jobs of h request. Each request holds the resource for W':

  B = longest W' of a less urgent task
      + sum of ceil((B + R_h)/T_h) * requests of h * W'_h.

Lakshmanan 2009 has ceil(B/T_h) + 1: a job that arrived before, and the jobs that arrive in the
wait. That is the same if R_h is T_h. It is too little if R_h is larger, because then several jobs
of h can have arrived before.

If a resource has more users than a word holds, the kernel's line under MPCP goes by CPU (Mueller
2014, VII.D). Of the CPUs in line, the CPU with the most urgent user is next, and on it the most
urgent task in line. While task i is in line, its CPU is, too. So tasks of CPUs before its CPU go
before i, however urgent they are, as often as their jobs request. On its CPU only more urgent tasks
go before i. On CPUs behind no task does. On Linux the line of such a resource goes by urgency
alone.

A description does not name the system on which it runs, so both lines count: a task goes before i
if it is more urgent, or if its CPU is before. Either way each other task is less urgent, or on a
CPU behind. At most one of these was inside before.
"""

from collections.abc import Callable, Iterable, Sequence

from plafond.analyse.across import Known, Sharing
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import Task

Held = Callable[[Task, str], int]  # how long a task holds a resource, in ns


class Line:
    """The lines of tasks that wait for global resources."""

    def __init__(self, sharing: Sharing, known: Known, effort: Effort) -> None:
        """Use the requests of `sharing` and the response times of `known`."""
        self._sharing = sharing
        self._known = known
        self._effort = effort

    def wait_ns(self, task: Task, resource: str, rivals: Sequence[Task], held_ns: Held) -> int:
        """Return B: how long a request of the task waits; NoWindowError without a bound."""
        demand = f"what more urgent tasks ask of {resource}"
        before = self._before(task, resource, rivals, held_ns)
        window = Window(before, self._effort, Background(), demand=demand)
        return window.least_ns(self._behind_ns(task, resource, rivals, held_ns), 0)

    def held_in_ns(
        self, wait_ns: int, task: Task, resource: str, rivals: Sequence[Task], held_ns: Held
    ) -> int:
        """Return how long the rivals hold the resource in a wait of the task."""
        before = self._before(task, resource, rivals, held_ns)
        return self._behind_ns(task, resource, rivals, held_ns) + sum(
            each.in_window(wait_ns) * each.cost_ns for each in before
        )

    def carried_ns(self, task: Task) -> int:
        """Return R: how long before a wait a job that requests in it can have arrived."""
        return self._known.response_ns(task)

    def _before(
        self, task: Task, resource: str, rivals: Iterable[Task], held_ns: Held
    ) -> list[Arrivals]:
        return [
            Arrivals(
                each.least_interval_ns,
                self._sharing.count(each, resource) * held_ns(each, resource),
                self.carried_ns(each),
            )
            for each in rivals
            if self._goes_before(each, task, resource)
        ]

    def _behind_ns(self, task: Task, resource: str, rivals: Iterable[Task], held_ns: Held) -> int:
        behind = [each for each in rivals if not self._goes_before(each, task, resource)]
        return longest_behind_ns(resource, behind, held_ns)

    def _goes_before(self, other: Task, task: Task, resource: str) -> bool:
        """Return whether another task can be the next holder although the task is in line."""
        return is_before(other, task) or self._sharing.is_on_cpu_before(other, task, resource)


def longest_behind_ns(resource: str, behind: Iterable[Task], held_ns: Held) -> int:
    """Return the longest hold of a task behind, of which at most one was inside before."""
    return max((held_ns(each, resource) for each in behind), default=0)


def is_before(other: Task, task: Task) -> bool:
    """Return whether another task is at least as urgent, so that it goes before the task."""
    return other.priority >= task.priority
