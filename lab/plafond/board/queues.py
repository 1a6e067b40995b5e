# SPDX-License-Identifier: MIT
"""The queues of an image: kernel/server.h. The servers' queues come first, then the cores' queues.

A core's queue has the tasks that no server pays for. These are all of its tasks, or none.
"""

from plafond.describe.system import System, Task


def queues_of(system: System) -> list[tuple[int, tuple[Task, ...]]]:
    """Return the core and the tasks of each queue, the most urgent task first."""
    of_servers = [(server.cpu, system.tasks_of(server.name)) for server in system.servers]
    of_cores = [
        (core, tuple(task for task in system.tasks_on(core) if not task.server))
        for core in range(system.cpus)
    ]
    return [*of_servers, *of_cores]


def queue_of(system: System, task: Task) -> int:
    """Return the number of a task's queue."""
    names = [server.name for server in system.servers]
    return names.index(task.server) if task.server else len(names) + task.cpu
