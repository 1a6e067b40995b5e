# SPDX-License-Identifier: MIT
"""What a description must keep where it limits the timing of tasks: AUTOSAR OS 4.x, 7.7.2."""

from collections.abc import Iterator

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Isrs, Tasks
from plafond.describe.schema import TaskFields

FIELDS = ("execution_budget", "time_frame")
LIMITED = "execution_budget and time_frame of tasks"


def problems_of_timing(
    tasks: Tasks, isrs: Isrs, scheduler: Scheduler | None, cpus: int | None, *, has_servers: bool
) -> Iterator[Problem]:
    """The kernel counts that under fixed priorities by software, on one CPU, without servers."""
    limited = {name: task for name, task in tasks.items() if task.is_timed}
    for name, task in limited.items():
        yield from _problems_of_task(name, task, scheduler, cpus, has_servers)
    if any(task.execution_budget for task in limited.values()):
        yield from _problems_of_isrs(isrs)


def _problems_of_task(
    name: str, task: TaskFields, scheduler: Scheduler | None, cpus: int | None, has_servers: bool
) -> Iterator[Problem]:
    field = next(field for field in FIELDS if getattr(task, field) is not None)
    where: Where = ("task", name, field)
    if scheduler in (Scheduler.HARDWARE, Scheduler.EDF):
        expected = f'nothing: {LIMITED} need scheduler = "{Scheduler.PRIORITY}"'
        yield Problem(where, f'a limit, with scheduler = "{scheduler}"', expected)
    if cpus is not None and cpus > 1:
        yield Problem(where, f"a limit, with cpus = {cpus}", f"nothing: {LIMITED} are for one CPU")
    if has_servers:
        expected = f"nothing: {LIMITED} are not counted beside servers, which have budgets"
        yield Problem(where, "a limit, with servers", expected)


def _problems_of_isrs(isrs: Isrs) -> Iterator[Problem]:
    """What would hold back the end of a budget, or be charged to a task that is not its cause."""
    for name, isr in isrs.items():
        if isr.category == 1:
            expected = "2 beside execution_budget: no task may hold back the end of it, as it may 1"
            yield Problem(("isr", name, "category"), "1", expected)
        if isr.resources:
            expected = "none beside execution_budget: a routine could run in the time of a task"
            yield Problem(("isr", name, "resources"), ", ".join(isr.resources), expected)
