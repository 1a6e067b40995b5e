# SPDX-License-Identifier: MIT
"""The queues of an image: kernel/server.h. Those of servers, in their order, before those of cores.

A core's own queue has the tasks that no server pays for: all of them, or none.
"""

from plafond.describe.system import System, Task


def queues_of(system: System) -> list[tuple[int, tuple[Task, ...]]]:
    """Return of each queue its core and its tasks, the most urgent first."""
    of_servers = [(server.cpu, system.tasks_of(server.name)) for server in system.servers]
    of_cores = [
        (core, tuple(task for task in system.tasks_on(core) if not task.server))
        for core in range(system.cpus)
    ]
    return [*of_servers, *of_cores]


def queue_of(system: System, task: Task) -> int:
    """Return the number of the queue of a task."""
    names = [server.name for server in system.servers]
    return names.index(task.server) if task.server else len(names) + task.cpu
