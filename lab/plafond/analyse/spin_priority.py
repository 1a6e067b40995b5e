# SPDX-License-Identifier: MIT
"""How long a task spins if the most urgent task that spins is next, in ns.

The line is the line of MPCP (line.py), but only tasks of other CPUs are in it. A task that requests
is not preempted until it leaves, so no second task of its CPU is in line. For the same reason each
task holds the resource no longer than its section lasts. spinning.py has the response times.
"""

from plafond.analyse.across import Sharing
from plafond.analyse.line import Held, Line
from plafond.describe.system import Task


def spin_ns(sharing: Sharing, line: Line, task: Task, resource: str, held_ns: Held) -> int:
    """Return how long a task spins for a resource; NoWindowError if there is no bound."""
    rivals = [other for other in sharing.others(task, resource) if other.cpu != task.cpu]
    return line.wait_ns(task, resource, rivals, held_ns)
