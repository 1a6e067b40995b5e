# SPDX-License-Identifier: MIT
"""How long a task spins under the multiprocessor stack resource policy (Gai 2001), in ns.

Requests for a resource are served in their order. A task that requests is not preempted until it
leaves. So each other CPU has at most one request before the task's request. The task spins for the
longest section of each other CPU that uses the resource. spinning.py has the response times.
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
