# SPDX-License-Identifier: MIT
"""How long a task spins where the most urgent task that spins is next.

The line is that of the multiprocessor priority ceiling protocol (line.py), of the tasks of the
other CPUs alone: a task that requests is not preempted until it leaves, so no second one of its
CPU is in line. For the same reason each holds the resource no longer than its section lasts.
What that does to responses: see spinning.py.
"""

from plafond.analyse.across import Sharing
from plafond.analyse.line import Held, Line
from plafond.describe.system import Task


def spin_ns(sharing: Sharing, line: Line, task: Task, resource: str, held_ns: Held) -> int:
    """Return how long a task spins for a resource; NoWindowError: for ever."""
    rivals = [other for other in sharing.others(task, resource) if other.cpu != task.cpu]
    return line.wait_ns(task, resource, rivals, held_ns)
