# SPDX-License-Identifier: MIT
"""The report of `plafond check`."""

import operator
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from plafond.analyse.coverage import is_only_arriving
from plafond.analyse.overload import cpus_in_use, overloaded_cpus
from plafond.describe.kernel import Scheduler
from plafond.describe.lock_order import find_deadlock, is_cycle
from plafond.describe.problems import DescriptionError, field_name
from plafond.describe.server import BEFORE_ALL, BEHIND_ALL, Server, ServerKind, Sharing
from plafond.describe.system import Resource, System, Task
from plafond.rows import Column, duration
from plafond.units import UNIT_NS, format_duration


def _span(least_ns: int | None, most_ns: int | None) -> str:
    least, most = ("-" if time is None else format_duration(time) for time in (least_ns, most_ns))
    return least if least == most else f"{least}..{most}"


def _interval(row: "TaskRow") -> str:
    return _span(row.least_interval_ns, row.most_interval_ns)


def _run(row: "TaskRow") -> str:
    return _span(row.least_run_ns, row.run_ns)


def _instant(value_ns: int) -> str:
    """Return all digits, because readers compare these times."""
    return f"{(Decimal(value_ns) / UNIT_NS['ms']).normalize():f}ms"


def _start(start_ns: int) -> str:
    return "0" if start_ns == 0 else format_duration(start_ns)


def _names(tasks: list[str]) -> str:
    return ", ".join(tasks) or "none"


def _verdict(overloaded: bool) -> str:
    return "overloaded" if overloaded else "fits"


def _name(row: "ResourceRow") -> str:
    is_other_name = row.linked and not row.is_global and not row.by_server
    return f"{row.resource} (linked to {row.linked})" if is_other_name else row.resource


def _limit(row: "ResourceRow") -> str:
    """Return its ceiling or floor; between servers, the most urgent server."""
    if row.is_global:
        return GLOBAL
    if row.by_server:
        return row.server_ceiling or "-"
    if row.floor_ns is not None:
        return format_duration(row.floor_ns)
    return "-" if row.ceiling is None else str(row.ceiling)


def _users(row: "ResourceRow") -> str:
    if row.is_global:
        by_cpu = row.users_by_cpu.items()
        return "; ".join(f"CPU {cpu}: {', '.join(names)}" for cpu, names in by_cpu)
    if row.by_server:
        return "; ".join(
            f"{of.server} ({of.ceiling}): {', '.join(of.users)}" for of in row.by_server
        )
    return _names([*row.users, *(f"interrupt {name}" for name in row.routines)])


GLOBAL = "global"


class ProblemRow(BaseModel):
    """A mistake."""

    file: str
    line: int
    field: str
    found: str
    expected: str


class TaskRow(BaseModel):
    """A task."""

    task: Annotated[str, Column("task")]
    cpu: Annotated[int, Column("cpu")]
    # None under EDF, in a reservation or in the background.
    priority: Annotated[int | None, Column("priority", missing="-")]
    # None: it has no arrivals.
    least_interval_ns: Annotated[int | None, Column("interval", of=_interval)]
    most_interval_ns: int | None
    # The longest time from an arrival to its release.
    jitter_ns: Annotated[
        int, duration("jitter", of=lambda row: row.jitter_ns or None, needless="-")
    ]
    deadline_ns: Annotated[int | None, duration("deadline")]  # after each arrival
    # Absolute time of the first deadline; None without arrivals.
    first_deadline_ns: Annotated[int | None, duration("first deadline", format=_instant)]
    # Longest run time; None for a C function.
    run_ns: Annotated[int | None, Column("run", of=_run)]
    least_run_ns: int | None  # shortest run time, if its body has ranges
    # None if the run time or the arrivals are not known.
    utilisation: Annotated[float | None, Column("utilisation", format=".1%", missing="-")]
    # Whether it runs only while no task with a priority wants its CPU.
    background: bool = Field(default=False, exclude_if=operator.not_)


class ResourceRow(BaseModel):
    """A resource."""

    resource: Annotated[str, Column("resource", of=_name)]
    linked: str | None  # the resource of which it is another name
    # None under EDF, or with users in several servers or in the background alone.
    ceiling: Annotated[int | None, Column("ceiling", of=_limit)]
    floor_ns: int | None  # under EDF only
    users: Annotated[list[str], Column("users", of=_users, is_text=True)]
    routines: list[str]  # routines of interrupts that lock it
    is_global: bool  # its users are on several CPUs
    by_cpu: bool  # under MPCP each CPU has a word, because a single word cannot hold all users
    users_by_cpu: dict[int, list[str]]
    # With users in several servers: the most urgent server, or None for slots; and all servers.
    server_ceiling: str | None
    by_server: list["SharingRow"]


class SharingRow(BaseModel):
    """A resource of several servers, within one of these servers."""

    server: str
    ceiling: int  # among the tasks of that server
    users: list[str]


class ServerRow(BaseModel):
    """A server: its share of the CPU by budget, and the share that its tasks may ask for."""

    server: Annotated[str, Column("server", place=-2)]
    cpu: Annotated[int, Column("cpu", needless="0", place=-2)]
    kind: Annotated[ServerKind, Column("kind", place=-2)]
    # None: a slot.
    priority: Annotated[int | None, Column("priority", missing="-", needless="-", place=-2)]
    period_ns: Annotated[int, duration("period")]
    budget_ns: Annotated[int, duration("budget")]
    # Start of a slot, from the beginning of each period.
    start_ns: Annotated[int | None, duration("start", format=_start, needless="-", place=-1)]
    # Policy for resources of several servers.
    sharing: Annotated[Sharing | None, Column("global", missing="-", needless="-")]
    # The longest time that its tasks hold such a resource; None if they use no such resource.
    hold_ns: Annotated[int | None, duration("hold", needless="-")]
    share: Annotated[float, Column("share", format=".1%", missing="-")]
    # None if the load of a task is not known.
    utilisation: Annotated[float | None, Column("asked", format=".1%", missing="-")]
    tasks: Annotated[list[str], Column("tasks", format=_names, is_text=True)]


class ReservationRow(BaseModel):
    """A reservation: the largest share of a CPU that a thread can have."""

    server: Annotated[str, Column("server")]
    # "task NAME", or "irq/N-ACTION"; N stands for any number unless the description has it.
    thread: Annotated[str, Column("thread")]
    period_ns: Annotated[int, duration("period")]
    budget_ns: Annotated[int, duration("budget")]
    share: Annotated[float, Column("share", format=".1%", missing="-")]


class CpuRow(BaseModel):
    """A CPU. It is overloaded if its tasks may ask for more than the whole CPU.

    A field is None if a task's load is not known. But an overload by the other tasks is reported.
    """

    cpu: Annotated[int, Column("cpu")]
    utilisation: Annotated[float | None, Column("utilisation", format=".1%", missing="-")]
    overloaded: Annotated[
        bool | None, Column("verdict", format=_verdict, missing="not known", is_text=True)
    ]


class CheckReport(BaseModel):
    """A description: its mistakes, or the values computed from it."""

    file: str
    name: str | None = None
    scheduler: str | None = None
    problems: list[ProblemRow] = []
    tasks: list[TaskRow] = []
    interrupts: list[str] = Field(default=[], exclude_if=operator.not_)  # of a system without tasks
    servers: list[ServerRow] = []
    reservations: list[ReservationRow] = Field(default=[], exclude_if=operator.not_)
    resources: list[ResourceRow] = []
    cpus: list[CpuRow] = []
    # Under plain mutexes or inheritance: a possible cycle, a sentence for each task. Or a sentence
    # that there were too many orders of locking to rule out a cycle.
    deadlock: list[str] = []
    deadlock_is_cycle: bool = False
    # The lines that the description needs before an image can be built from it.
    to_build: list[str] = Field(default=[], exclude_if=operator.not_)


def report_of(file: Path, system: System) -> CheckReport:
    """Return the report of a description without mistakes."""
    is_edf = system.scheduler is Scheduler.EDF
    deadlock = None if is_edf else find_deadlock(system)  # EDF always has floors
    overloaded = overloaded_cpus(system)
    return CheckReport(
        file=str(file),
        name=system.name,
        scheduler=system.scheduler,
        tasks=[_task_row(system, task) for task in system.tasks],
        interrupts=[] if system.tasks else [isr.name for isr in system.isrs],
        servers=[_server_row(system, server) for server in system.servers],
        reservations=list(map(_reservation_row, system.reservations)),
        resources=[_resource_row(system, resource) for resource in system.resources],
        cpus=[_cpu_row(system, cpu, cpu in overloaded) for cpu in cpus_in_use(system)],
        deadlock=list(map(str, deadlock or ())),
        deadlock_is_cycle=deadlock is not None and is_cycle(deadlock),
        to_build=list(system.needs.lines) if system.needs else [],
    )


def _task_row(system: System, task: Task) -> TaskRow:
    has_first = task.interval and task.deadline_ns
    return TaskRow(
        task=task.name,
        cpu=task.cpu,
        priority=task.priority if _has_priority(system, task) else None,
        least_interval_ns=task.interval and task.interval.least_ns,
        most_interval_ns=task.interval and task.interval.most_ns,
        jitter_ns=task.jitter_ns,
        deadline_ns=task.deadline_ns,
        first_deadline_ns=task.offset_ns + (task.deadline_ns or 0) if has_first else None,
        run_ns=task.run_ns if task.body else None,
        least_run_ns=task.least_run_ns if task.body else None,
        utilisation=float(task.utilisation) if _is_load_known(system, task) else None,
        background=task.background,
    )


def _has_priority(system: System, task: Task) -> bool:
    return system.scheduler is not Scheduler.EDF and task.priority not in (BEFORE_ALL, BEHIND_ALL)


def _resource_row(system: System, resource: Resource) -> ResourceRow:
    is_edf = system.scheduler is Scheduler.EDF
    sharing = [system.server(name) for name in resource.servers] if resource.is_of_servers else []
    return ResourceRow(
        resource=resource.name,
        linked=resource.linked,
        ceiling=None if is_edf or resource.is_of_servers else resource.ceiling or None,
        floor_ns=resource.floor,
        users=list(resource.users),
        routines=[isr.name for isr in system.routines_of(resource.name)],
        is_global=resource.is_global,
        by_cpu=resource.is_by_cpu,
        users_by_cpu={
            cpu: list(names) for cpu, names in sorted(system.users_by_cpu(resource).items())
        },
        server_ceiling=next((each.name for each in sharing if not each.is_slot), None),
        by_server=[
            SharingRow(
                server=each.name,
                ceiling=system.local_ceiling(resource, each.name),
                users=[
                    task.name for task in system.tasks_of(each.name) if task.name in resource.users
                ],
            )
            for each in sharing
        ],
    )


def _server_row(system: System, server: Server) -> ServerRow:
    tasks = system.tasks_of(server.name)
    known = all(_is_load_known(system, task) for task in tasks)
    return ServerRow(
        server=server.name,
        cpu=server.cpu,
        kind=server.kind,
        priority=server.priority,
        period_ns=server.period_ns,
        budget_ns=server.budget_ns,
        start_ns=server.start_ns,
        sharing=server.sharing,
        hold_ns=server.hold_ns or None,
        share=server.budget_ns / server.period_ns,
        utilisation=float(sum(task.utilisation for task in tasks)) if known else None,
        tasks=[task.name for task in tasks],
    )


def _reservation_row(reservation: Server) -> ReservationRow:
    return ReservationRow(
        server=reservation.name,
        thread=reservation.thread("N"),
        period_ns=reservation.period_ns,
        budget_ns=reservation.budget_ns,
        share=reservation.budget_ns / reservation.period_ns,
    )


def _cpu_row(system: System, cpu: int, overloaded: bool) -> CpuRow:
    known = _is_load_counted(system, cpu)
    return CpuRow(
        cpu=cpu,
        utilisation=float(system.utilisation(cpu)) if known else None,
        overloaded=overloaded if known or overloaded else None,
    )


def _is_load_known(system: System, task: Task) -> bool:
    return bool(task.body) and is_only_arriving(system, task)


def _is_load_counted(system: System, cpu: int) -> bool:
    """Return whether the load of a CPU is known; tasks in the background add none."""
    tasks = [task for task in system.tasks_on(cpu) if not task.background]
    return all(_is_load_known(system, task) for task in tasks)


def report_of_problems(error: DescriptionError) -> CheckReport:
    """Return the mistakes of a description."""
    return CheckReport(
        file=str(error.file),
        problems=[
            ProblemRow(
                file=str(problem.file or error.file),
                line=line,
                field=field_name(problem.where),
                found=problem.found,
                expected=problem.expected,
            )
            for line, problem in error.problems
        ],
    )
