# SPDX-License-Identifier: MIT
"""How long a task spins under the multiprocessor stack resource policy (Gai 2001).

Requests for a resource are served in their order, and a task that requests is not preempted
until it leaves. So each other CPU has one request before that of the task, at most: the task
spins for the longest section of each other CPU that uses the resource. What that does to
responses: see spinning.py.
"""

from plafond.analyse.across import Sharing
from plafond.analyse.line import Held
from plafond.describe.system import Task


def spin_ns(sharing: Sharing, task: Task, resource: str, held_ns: Held) -> int:
    """Return how long a task spins for a resource."""
    longest: dict[int, int] = {}
    for other in sharing.others(task, resource):
        if other.cpu != task.cpu:
            length_ns = held_ns(other, resource)
            longest[other.cpu] = max(longest.get(other.cpu, 0), length_ns)
    return sum(longest.values())
