# SPDX-License-Identifier: MIT
"""When tasks arrive in a run: drawn before it starts, the same for every protocol."""

import random
from dataclasses import replace

from plafond.describe.system import System, Task
from plafond.errors import PlafondError

DEFAULT_ACTIVATIONS = 100
MOST_ARRIVALS = 1_000_000


def with_activations(system: System, count: int | None) -> System:
    """Return the system with `count` for each task that counts its activations.

    Where no task counts, the most urgent one does.
    """
    counted = {task.name for task in system.tasks if task.activations is not None}
    if not counted:
        counted = {system.tasks[0].name}
        count = count or DEFAULT_ACTIVATIONS
    if count is None:
        return system
    tasks = (
        replace(task, activations=count) if task.name in counted else task for task in system.tasks
    )
    return replace(system, tasks=tuple(tasks))


def draw_arrivals(system: System, seed: int) -> dict[str, list[int]]:
    """Return the arrivals of each task from time 0; equal seeds give equal arrivals.

    Tasks that count their activations get as many; the others arrive as long as one
    of those may be at work, that is until its last deadline.
    """
    counted = {task.name: _arrivals(task, seed) for task in system.tasks if task.activations}
    end_ns = max(
        counted[task.name][-1] + task.deadline_ns for task in system.tasks if task.activations
    )
    others = [task for task in system.tasks if not task.activations]
    total = sum(map(len, counted.values()))
    total += sum(end_ns // task.interval.least_ns + 1 for task in others)
    if total > MOST_ARRIVALS:
        raise PlafondError(
            f"found up to {total} arrivals; expected at most {MOST_ARRIVALS}: "
            "choose fewer with --activations"
        )
    return {
        task.name: counted.get(task.name) or _arrivals(task, seed, end_ns) for task in system.tasks
    }


def _arrivals(task: Task, seed: int, end_ns: int | None = None) -> list[int]:
    # One generator a task, so that a task more or less does not move the others.
    generator = random.Random(f"{seed} {task.name}")
    times = [task.offset_ns]
    while len(times) < task.activations if task.activations else times[-1] < (end_ns or 0):
        times.append(times[-1] + generator.randint(task.interval.least_ns, task.interval.most_ns))
    return times
