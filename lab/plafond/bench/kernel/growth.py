# SPDX-License-Identifier: MIT
"""Measure whether more tasks make a kernel slower: bench/kernel/mueller/growth.toml."""

from collections.abc import Iterator
from dataclasses import replace

from plafond.bench.kernel.counts import Counts
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import GrowthRow
from plafond.bench.kernel.variants import Variant
from plafond.describe.system import Resource, System, Task

# As in bench/kernel/mueller/others.h.
OTHER = "OTHER"
# Sizes of the system, of which five tasks measure.
TASKS = (5, 10, 50, 250)
VARIANTS = (Variant.SYSCALL, Variant.HARDWARE_MASK)


def with_tasks(system: System, tasks: int) -> System:
    """Replace OTHER by as many tasks as the system needs to have `tasks` tasks."""
    return with_others(system, tasks - (len(system.tasks) - 1))


def with_others(system: System, number: int) -> System:
    """Replace OTHER by `number` tasks."""
    own = [task for task in system.tasks if task.name != OTHER]
    other = next(task for task in system.tasks if task.name == OTHER)
    copies = list(_copies(other, number, system.cpus))
    ordered = sorted([*own, *copies], key=lambda task: -task.priority)
    resources = (_shared_by(copies, resource) for resource in system.resources)
    return replace(system, tasks=tuple(ordered), resources=tuple(resources))


def _shared_by(copies: list[Task], resource: Resource) -> Resource:
    """Replace OTHER as a user, whose priority must not be the highest of the users."""
    if OTHER not in resource.users:
        return resource
    own = [user for user in resource.users if user != OTHER]
    return resource.changed(users=(*own, *(task.name for task in copies)))


def _copies(other: Task, number: int, cpus: int) -> Iterator[Task]:
    """Yield copies on one CPU after the other, with falling priorities that wrap around."""
    for index in range(number):
        priority = other.priority - index // cpus % other.priority
        yield other.changed(name=f"{OTHER}_{index}", cpu=index % cpus, priority=priority)


def of_system(counts: Counts, mark: str) -> Counts:
    """Return the figures with a mark in their names, which is the system's size."""
    rows = [
        row.model_copy(update={"benchmark": marked(row.benchmark, mark)}) for row in counts.rows
    ]
    return replace(counts, rows=rows, unequal=[marked(name, mark) for name in counts.unequal])


def marked(benchmark: str, mark: str | int) -> str:
    """Return the name of a procedure with its mark, or without a mark."""
    return f"{benchmark}@{mark}" if mark else benchmark


def growth_rows(figures: Figures) -> list[GrowthRow]:
    """Return the rows of both schedulers."""
    return [
        GrowthRow(
            scheduler=variant.scheduler,
            tasks=tasks,
            activated=figures.count(marked("activate", tasks), variant),
            started=figures.count(marked("to-activated", tasks), variant),
            next_started=figures.count(marked("to-next", tasks), variant),
            started_there=figures.count(marked("to-there", tasks), variant),
        )
        for variant in VARIANTS
        for tasks in TASKS
    ]
