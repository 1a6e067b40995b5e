# SPDX-License-Identifier: MIT
"""How long a task holds a global resource if no other task of its CPU takes time from it, in ns."""

from collections.abc import Callable
from dataclasses import dataclass

from plafond.analyse.across import Sharing
from plafond.analyse.window import Background, Effort, Window
from plafond.describe.system import Task


@dataclass(frozen=True)
class Surroundings:
    """The work that takes time of a CPU besides its tasks; none without overheads."""

    background: Callable[[tuple[Task, ...], int], Background]  # of a CPU without these tasks
    piece_ns: int = 0  # longest piece of the kernel's work, which may have begun before
    grant_ns: int = 0  # interrupt by a grant to another task of the CPU
    is_lent: bool = False  # sections have libplafond's priorities: mpcp.py


class Holding:
    """The lengths of sections, with the time that the surroundings add."""

    def __init__(self, sharing: Sharing, around: Surroundings, effort: Effort) -> None:
        """Begin with an empty cache of lengths."""
        self._sharing = sharing
        self._around = around
        self._effort = effort
        self._alone_ns: dict[tuple[str, str], int] = {}

    def alone_ns(self, task: Task, resource: str) -> int:
        """Return how long a task holds a resource at most, if it is not preempted."""
        key = task.name, resource
        if key not in self._alone_ns:
            longest_ns = self._sharing.longest_ns(task, resource)
            self._alone_ns[key] = self.lasting_ns(task, longest_ns)
        return self._alone_ns[key]

    def lasting_ns(self, task: Task, work_ns: int) -> int:
        """Return how long the task's CPU needs for work that no other task delays."""
        users = [each for each in self._sharing.on_cpu(task.cpu) if self._sharing.requests(each)]
        grants = sum(each.name != task.name for each in users)
        fixed_ns = self._around.piece_ns + grants * self._around.grant_ns + work_ns
        background = self._around.background((task,), task.cpu)
        return Window([], self._effort, background).least_ns(fixed_ns)
