# SPDX-License-Identifier: MIT
"""Measure the cost of a growing ready queue: bench/kernel/ready."""

from collections.abc import Iterator
from dataclasses import replace

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import ReadyRow
from plafond.bench.kernel.variants import Variant
from plafond.describe.kernel import scheduler_of
from plafond.describe.system import System, Task

# As in bench/kernel/ready/procedures.c.
READY, READY_TASKS = "READY", 127
COUNTS = (0, 1, 3, 7, 15, 31, 63, 127)
ORDERS = ("rising", "falling")
LATER_NS = 1_000_000
OF_A_LEVEL = 3  # tasks share a level because there are fewer levels than tasks
VARIANTS = (Variant.DEADLINE_FLOOR, Variant.SYSCALL)


def with_ready_tasks(system: System) -> System:
    """Replace READY by READY_TASKS tasks."""
    tasks = tuple(copy for task in system.tasks for copy in _copies(task))
    return replace(system, tasks=tasks)


def _copies(task: Task) -> Iterator[Task]:
    if task.name != READY:
        yield task
        return
    for index in range(READY_TASKS):
        deadline = None if task.deadline_ns is None else task.deadline_ns + index * LATER_NS
        yield task.changed(
            name=f"{READY}_{index}",
            priority=task.priority - index // OF_A_LEVEL,
            deadline_ns=deadline,
        )


def ready_rows(figures: Figures) -> list[ReadyRow]:
    """Return the rows of both schedulers."""

    def count(what: str, order: str, ready: int, variant: Variant) -> int:
        return figures.count(f"{what}@{order}-{ready}", variant)

    return [
        ReadyRow(
            scheduler=scheduler_of(variant.protocol),
            order=order,
            ready=ready,
            queued=count("queued", order, ready, variant),
            preempting=count("preempting", order, ready, variant),
            dispatched=count("dispatched", order, ready, variant) if ready else None,
        )
        for variant in VARIANTS
        for order in ORDERS
        for ready in COUNTS
    ]
