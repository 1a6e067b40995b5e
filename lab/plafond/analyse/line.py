# SPDX-License-Identifier: MIT
"""How long a request waits for a global resource whose next holder is the most urgent in line.

From the request of task i until it is inside, others hold the resource in every instant:

- at most one less urgent task, which was inside before: any that leaves hands over to a more
  urgent one, task i or those before it;
- more urgent tasks, equal ones too, as often as their jobs request it.

Such jobs of task h arrive before the end of the wait, and after its begin less R_h, as each ends
R_h after its arrival: in B at most ceil((B + R_h)/T_h). Each request holds the resource for W':

  B = longest W' of a less urgent task
      + sum of ceil((B + R_h)/T_h) * requests of h * W'_h.

Lakshmanan 2009 has ceil(B/T_h) + 1: one job that arrived before, and those that arrive in the
wait. That is the same where R_h is T_h, and enough only up to there: of a task that can be later
than its next arrival, several jobs can have arrived before.

Of a resource with more users than a word holds, the kernel's line under MPCP goes by CPU (Mueller
2014, VII.D): the CPU whose most urgent user is more urgent is next, and there the most urgent in
line. While task i is in line, its CPU is, too. So a task of a CPU before this one goes before i,
however much less urgent it is, as often as its jobs request; of its own CPU the more urgent ones
do; and of CPUs behind this one none does. On Linux the line of such a resource goes by urgency
alone. A description says not on which it runs, so both count: before i is a task that is more
urgent, or whose CPU is before. Either way each of the others is less urgent, or on a CPU behind,
and at most one of these was inside before.
"""

from collections.abc import Callable, Iterable, Sequence

from plafond.analyse.across import Known, Sharing
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import Task

Held = Callable[[Task, str], int]  # for how long a task holds a resource


class Line:
    """The lines of all global resources, in which each task meets its rivals."""

    def __init__(self, sharing: Sharing, known: Known, effort: Effort) -> None:
        """Take what the jobs request."""
        self._sharing = sharing
        self._known = known
        self._effort = effort

    def wait_ns(self, task: Task, resource: str, rivals: Sequence[Task], held_ns: Held) -> int:
        """B: how long a request of the task waits; NoWindowError: for ever."""
        demand = f"what more urgent tasks ask of {resource}"
        before = self._before(task, resource, rivals, held_ns)
        window = Window(before, self._effort, Background(), demand=demand)
        return window.least_ns(self._behind_ns(task, resource, rivals, held_ns), 0)

    def held_in_ns(
        self, wait_ns: int, task: Task, resource: str, rivals: Sequence[Task], held_ns: Held
    ) -> int:
        """Return for how long, in so long a wait of the task, the rivals hold the resource."""
        before = self._before(task, resource, rivals, held_ns)
        return self._behind_ns(task, resource, rivals, held_ns) + sum(
            each.in_window(wait_ns) * each.cost_ns for each in before
        )

    def carried_ns(self, task: Task) -> int:
        """How long before a wait a job can have arrived that requests in it."""
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
        """Whether another task can be the next holder although the task is in line."""
        return is_before(other, task) or self._sharing.is_on_cpu_before(other, task, resource)


def longest_behind_ns(resource: str, behind: Iterable[Task], held_ns: Held) -> int:
    """Return for how long one of those behind, inside before the request, can hold a resource."""
    return max((held_ns(each, resource) for each in behind), default=0)


def is_before(other: Task, task: Task) -> bool:
    """Whether another task is as urgent, which puts it before the task."""
    return other.priority >= task.priority
