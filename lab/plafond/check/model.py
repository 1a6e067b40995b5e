# SPDX-License-Identifier: MIT
"""What `plafond check` reports."""

from pathlib import Path

from pydantic import BaseModel

from plafond.analyse.coverage import is_only_arriving
from plafond.describe.lock_order import find_deadlock, is_cycle
from plafond.describe.problems import DescriptionError, field_name
from plafond.describe.system import System, Task


class ProblemRow(BaseModel):
    """One mistake."""

    file: str
    line: int
    field: str
    found: str
    expected: str


class TaskRow(BaseModel):
    """One task."""

    task: str
    cpu: int
    priority: int
    least_interval_ns: int | None  # none: others activate it
    most_interval_ns: int | None
    deadline_ns: int | None
    run_ns: int | None  # not known where the task is a C function
    utilisation: float | None  # not known where one of these is not


class ResourceRow(BaseModel):
    """One resource."""

    resource: str
    ceiling: int
    users: list[str]


class CpuRow(BaseModel):
    """One CPU; overloaded: its tasks may ask for all of it or more.

    Neither is known where it is not for one of the tasks, unless the others ask for all of it.
    """

    cpu: int
    utilisation: float | None
    overloaded: bool | None


class CheckReport(BaseModel):
    """A description: either its mistakes, or what was computed."""

    file: str
    name: str | None = None
    problems: list[ProblemRow] = []
    tasks: list[TaskRow] = []
    resources: list[ResourceRow] = []
    cpus: list[CpuRow] = []
    # A cycle that plain mutexes and inheritance allow, one sentence a task; or one sentence
    # that no cycle was found, but too many orders of locking were left to follow.
    deadlock: list[str] = []
    deadlock_is_cycle: bool = False


def report_of(file: Path, system: System) -> CheckReport:
    """Return what follows from a description that is right."""
    deadlock = find_deadlock(system)
    return CheckReport(
        file=str(file),
        name=system.name,
        tasks=[_task_row(system, task) for task in system.tasks],
        resources=[
            ResourceRow(resource=r.name, ceiling=r.ceiling, users=list(r.users))
            for r in system.resources
        ],
        cpus=[_cpu_row(system, cpu) for cpu in range(system.cpus) if system.tasks_on(cpu)],
        deadlock=list(map(str, deadlock or ())),
        deadlock_is_cycle=deadlock is not None and is_cycle(deadlock),
    )


def _task_row(system: System, task: Task) -> TaskRow:
    return TaskRow(
        task=task.name,
        cpu=task.cpu,
        priority=task.priority,
        least_interval_ns=task.interval and task.interval.least_ns,
        most_interval_ns=task.interval and task.interval.most_ns,
        deadline_ns=task.deadline_ns,
        run_ns=task.run_ns if task.body else None,
        utilisation=float(task.utilisation) if _is_load_known(system, task) else None,
    )


def _cpu_row(system: System, cpu: int) -> CpuRow:
    asked = system.utilisation(cpu)
    known = all(_is_load_known(system, task) for task in system.tasks_on(cpu))
    return CpuRow(
        cpu=cpu,
        utilisation=float(asked) if known else None,
        overloaded=asked >= 1 if known or asked >= 1 else None,
    )


def _is_load_known(system: System, task: Task) -> bool:
    return bool(task.body) and is_only_arriving(system, task)


def report_of_problems(error: DescriptionError) -> CheckReport:
    """Return the mistakes of a description."""
    file = str(error.file)
    return CheckReport(
        file=file,
        problems=[
            ProblemRow(
                file=file,
                line=line,
                field=field_name(problem.where),
                found=problem.found,
                expected=problem.expected,
            )
            for line, problem in error.problems
        ],
    )
