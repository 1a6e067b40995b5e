# SPDX-License-Identifier: MIT
"""Whether a description runs on Linux, or only on Plafond's own kernel, or only on Linux."""

from collections.abc import Iterator

from plafond.describe.body import KernelStep, Run
from plafond.describe.kernel import Kernel, Scheduler
from plafond.describe.system import System, Task


def needs_kernel(system: System) -> str | None:
    """Name the first thing in the description that only Plafond's own kernel can do.

    What only chooses among kernels (its protocol, its status, stacks) means nothing
    elsewhere, and does not count.
    """
    return next(_needs(system), None)


def needs_linux(system: System) -> str | None:
    """Name the first thing in the description that only Linux can do."""
    return next((f"the reservation [server.{each.name}]" for each in system.reservations), None)


def _needs(system: System) -> Iterator[str]:
    if system.scheduler is not Scheduler.PRIORITY:
        yield f'scheduler = "{system.scheduler}"'
    yield from _of_kernel(system.kernel)
    for task in system.tasks:
        yield from _of_task(task)
    for kind, tables in (
        ("server", system.servers),
        ("counter", system.counters),
        ("alarm", system.alarms),
        ("isr", system.isrs),
    ):
        yield from (f"[{kind}.{table.name}]" for table in tables)


def _of_kernel(kernel: Kernel) -> Iterator[str]:
    for field in ("console", "hooks", "sources", "trusted"):
        if getattr(kernel, field):
            yield f"kernel.{field}"


def _of_task(task: Task) -> Iterator[str]:
    where = f"task.{task.name}"
    if task.interval is None:
        yield f"{where} without arrival"
    if not any(isinstance(step, Run) for step in task.body):
        yield f"{where} without a run step"
    for index, step in enumerate(task.body):
        if isinstance(step, KernelStep):
            yield f'{where}.body[{index}] "{step}"'
    if not task.is_preemptable:
        yield f"{where}.schedule"
    for field in ("autostart", "queue", "internal", "events"):
        if getattr(task, field):
            yield f"{where}.{field}"
