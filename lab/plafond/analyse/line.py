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
        return window.least_ns(longest_behind_ns(task, resource, rivals, held_ns), 0)

    def held_in_ns(
        self, wait_ns: int, task: Task, resource: str, rivals: Sequence[Task], held_ns: Held
    ) -> int:
        """Return for how long, in so long a wait of the task, the rivals hold the resource."""
        before = self._before(task, resource, rivals, held_ns)
        return longest_behind_ns(task, resource, rivals, held_ns) + sum(
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
            if is_before(each, task)
        ]


def longest_behind_ns(task: Task, resource: str, rivals: Iterable[Task], held_ns: Held) -> int:
    """Return for how long a less urgent task, inside before the request, can hold a resource."""
    behind = (each for each in rivals if not is_before(each, task))
    return max((held_ns(each, resource) for each in behind), default=0)


def is_before(other: Task, task: Task) -> bool:
    """Whether another task can be the next holder although the task is in line."""
    return other.priority >= task.priority
