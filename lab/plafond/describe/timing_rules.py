# SPDX-License-Identifier: MIT
"""What a description must keep where it limits the timing of tasks: AUTOSAR OS 4.x, 7.7.2."""

from collections.abc import Iterator

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Isrs, Tasks
from plafond.describe.schema import TaskFields

BUDGETS = (
    "execution_budget",
    "all_interrupt_lock_budget",
    "os_interrupt_lock_budget",
    "resource_lock_budgets",
)
FIELDS = (*BUDGETS, "time_frame")
LIMITED = "execution_budget, time_frame and their like"


def problems_of_timing(
    tasks: Tasks, isrs: Isrs, scheduler: Scheduler | None, cpus: int | None, *, has_servers: bool
) -> Iterator[Problem]:
    """The kernel counts that under fixed priorities by software, on one CPU, without servers."""
    budget = None
    for name, task in tasks.items():
        limits = [field for field in FIELDS if getattr(task, field)]
        for field in limits[:1]:
            where: Where = ("task", name, field)
            yield from _problems_of_limit(where, scheduler, cpus, has_servers)
        yield from _problems_of_resources(name, task)
        budget = budget or next((field for field in limits if field in BUDGETS), None)
    if budget:
        yield from _problems_of_isrs(isrs, budget)


def _problems_of_limit(
    where: Where, scheduler: Scheduler | None, cpus: int | None, has_servers: bool
) -> Iterator[Problem]:
    if scheduler in (Scheduler.HARDWARE, Scheduler.EDF):
        expected = f'nothing: {LIMITED} need scheduler = "{Scheduler.PRIORITY}"'
        yield Problem(where, f'a limit, with scheduler = "{scheduler}"', expected)
    if cpus is not None and cpus > 1:
        yield Problem(where, f"a limit, with cpus = {cpus}", f"nothing: {LIMITED} are for one CPU")
    if has_servers:
        expected = f"nothing: {LIMITED} are not counted beside servers, which have budgets"
        yield Problem(where, "a limit, with servers", expected)


def _problems_of_resources(name: str, task: TaskFields) -> Iterator[Problem]:
    entered = sorted(each for each in task.used if each and each != task.internal)
    for resource in task.resource_lock_budgets:
        if resource not in entered:
            expected = f"one of the resources of {name}: {', '.join(entered) or 'it has none'}"
            yield Problem(("task", name, "resource_lock_budgets", resource), resource, expected)


def _problems_of_isrs(isrs: Isrs, budget: str) -> Iterator[Problem]:
    """What would hold back the end of a budget, or be charged to a task that is not its cause."""
    for name, isr in isrs.items():
        if isr.category == 1:
            expected = f"2 beside {budget}: no task may hold back the end of a budget, as it may 1"
            yield Problem(("isr", name, "category"), "1", expected)
        if isr.resources:
            expected = f"none beside {budget}: a routine could run in the time of a task"
            yield Problem(("isr", name, "resources"), ", ".join(isr.resources), expected)
