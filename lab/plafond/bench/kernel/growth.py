# SPDX-License-Identifier: MIT
"""What bench/kernel/mueller/growth.toml measures: whether a kernel with more tasks is slower."""

from collections.abc import Iterator
from dataclasses import replace

from plafond.bench.kernel.counts import Counts
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import GrowthRow
from plafond.bench.kernel.variants import Variant
from plafond.describe.system import System, Task

# As in bench/kernel/mueller/growth.c.
OTHER = "OTHER"
# Of the system; it needs five to measure.
TASKS = (5, 10, 50, 250)
VARIANTS = (Variant.SYSCALL, Variant.HARDWARE_MASK)


def with_other_tasks(system: System, tasks: int) -> System:
    """Put as many tasks in the place of OTHER as the system then has to have."""
    own = [task for task in system.tasks if task.name != OTHER]
    other = next(task for task in system.tasks if task.name == OTHER)
    copies = _copies(other, tasks - len(own), system.cpus)
    ordered = sorted([*own, *copies], key=lambda task: -task.priority)
    return replace(system, tasks=tuple(ordered))


def _copies(other: Task, number: int, cpus: int) -> Iterator[Task]:
    """One CPU after the other, down from the priority of the first and again."""
    for index in range(number):
        priority = other.priority - index // cpus % other.priority
        yield replace(other, name=f"{OTHER}_{index}", cpu=index % cpus, priority=priority)


def of_system(counts: Counts, tasks: int) -> Counts:
    """Return the figures with the size of the system in their names."""
    rows = [
        row.model_copy(update={"benchmark": _named(row.benchmark, tasks)}) for row in counts.rows
    ]
    return replace(counts, rows=rows, unequal=[_named(name, tasks) for name in counts.unequal])


def _named(benchmark: str, tasks: int) -> str:
    return f"{benchmark}@{tasks}"


def growth_rows(figures: Figures) -> list[GrowthRow]:
    """Return the rows of both schedulers."""
    return [
        GrowthRow(
            scheduler=variant.scheduler,
            tasks=tasks,
            activated=figures.count(_named("activate", tasks), variant),
            started=figures.count(_named("to-activated", tasks), variant),
            next_started=figures.count(_named("to-next", tasks), variant),
            started_there=figures.count(_named("to-there", tasks), variant),
        )
        for variant in VARIANTS
        for tasks in TASKS
    ]
