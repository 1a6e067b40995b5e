# SPDX-License-Identifier: MIT
"""What `plafond check` reports."""

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
from plafond.describe.server import BEFORE_ALL, Server, ServerKind, Sharing
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
    """With all its digits: instants are compared."""
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
    """Return its ceiling; between servers the most urgent of these; or its floor."""
    if row.is_global:
        return GLOBAL
    if row.by_server:
        return row.server_ceiling or "-"
    return str(row.ceiling) if row.floor_ns is None else format_duration(row.floor_ns)


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
    """One mistake."""

    file: str
    line: int
    field: str
    found: str
    expected: str


class TaskRow(BaseModel):
    """One task."""

    task: Annotated[str, Column("task")]
    cpu: Annotated[int, Column("cpu")]
    # None under EDF and in a reservation.
    priority: Annotated[int | None, Column("priority", missing="-")]
    # None: others activate it.
    least_interval_ns: Annotated[int | None, Column("interval", of=_interval)]
    most_interval_ns: int | None
    # The longest time from an arrival to its release.
    jitter_ns: Annotated[
        int, duration("jitter", of=lambda row: row.jitter_ns or None, needless="-")
    ]
    deadline_ns: Annotated[int | None, duration("deadline")]  # from each arrival
    # Absolute: that of the first arrival, if it arrives by itself.
    first_deadline_ns: Annotated[int | None, duration("first deadline", format=_instant)]
    # At most; not known where the task is a C function.
    run_ns: Annotated[int | None, Column("run", of=_run)]
    least_run_ns: int | None  # less where its body has ranges
    # Not known where one of these is not.
    utilisation: Annotated[float | None, Column("utilisation", format=".1%", missing="-")]


class ResourceRow(BaseModel):
    """One resource."""

    resource: Annotated[str, Column("resource", of=_name)]
    linked: str | None  # the one of which it is another name
    # None under EDF, and of a resource of several servers.
    ceiling: Annotated[int | None, Column("ceiling", of=_limit)]
    floor_ns: int | None  # under EDF only
    users: Annotated[list[str], Column("users", of=_users, is_text=True)]
    routines: list[str]  # of interrupts, which lock it, too
    is_global: bool  # its users are on several CPUs
    by_cpu: bool  # they are too many for one word of MPCP: each CPU has one
    users_by_cpu: dict[int, list[str]]
    # Of a resource of several servers: the most urgent of them (none: slots), and each of them.
    server_ceiling: str | None
    by_server: list["SharingRow"]


class SharingRow(BaseModel):
    """What a resource of several servers is in one of them."""

    server: str
    ceiling: int  # among the tasks of that server
    users: list[str]


class ServerRow(BaseModel):
    """One server: the share of its CPU that its budget is, and that its tasks may ask for."""

    server: Annotated[str, Column("server", place=-2)]
    cpu: Annotated[int, Column("cpu", needless="0", place=-2)]
    kind: Annotated[ServerKind, Column("kind", place=-2)]
    # None: a slot.
    priority: Annotated[int | None, Column("priority", missing="-", needless="-", place=-2)]
    period_ns: Annotated[int, duration("period")]
    budget_ns: Annotated[int, duration("budget")]
    # Of a slot, from the beginning of each period.
    start_ns: Annotated[int | None, duration("start", format=_start, needless="-", place=-1)]
    # Of resources of several servers, where it has a policy.
    sharing: Annotated[Sharing | None, Column("global", missing="-", needless="-")]
    # The longest time for which its tasks hold one of these resources, if there are any.
    hold_ns: Annotated[int | None, duration("hold", needless="-")]
    share: Annotated[float, Column("share", format=".1%", missing="-")]
    # Not known if that of a task is not.
    utilisation: Annotated[float | None, Column("asked", format=".1%", missing="-")]
    tasks: Annotated[list[str], Column("tasks", format=_names, is_text=True)]


class ReservationRow(BaseModel):
    """One reservation: the share of a CPU that a thread can have at most."""

    server: Annotated[str, Column("server")]
    # Task NAME; irq/N-ACTION, where N is any number unless the description has one.
    thread: Annotated[str, Column("thread")]
    period_ns: Annotated[int, duration("period")]
    budget_ns: Annotated[int, duration("budget")]
    share: Annotated[float, Column("share", format=".1%", missing="-")]


class CpuRow(BaseModel):
    """One CPU; overloaded: its tasks may ask for more than all of it.

    Neither is known where it is not for one of the tasks, unless the others ask for so much.
    """

    cpu: Annotated[int, Column("cpu")]
    utilisation: Annotated[float | None, Column("utilisation", format=".1%", missing="-")]
    overloaded: Annotated[
        bool | None, Column("verdict", format=_verdict, missing="not known", is_text=True)
    ]


class CheckReport(BaseModel):
    """A description: either its mistakes, or what was computed."""

    file: str
    name: str | None = None
    scheduler: str | None = None
    problems: list[ProblemRow] = []
    tasks: list[TaskRow] = []
    servers: list[ServerRow] = []
    reservations: list[ReservationRow] = Field(default=[], exclude_if=operator.not_)
    resources: list[ResourceRow] = []
    cpus: list[CpuRow] = []
    # A cycle that plain mutexes and inheritance allow, one sentence a task; or one sentence
    # that no cycle was found, but too many orders of locking were left to follow.
    deadlock: list[str] = []
    deadlock_is_cycle: bool = False


def report_of(file: Path, system: System) -> CheckReport:
    """Return what follows from a description that is right."""
    is_edf = system.scheduler is Scheduler.EDF
    deadlock = None if is_edf else find_deadlock(system)  # under EDF there are always floors
    overloaded = overloaded_cpus(system)
    return CheckReport(
        file=str(file),
        name=system.name,
        scheduler=system.scheduler,
        tasks=[_task_row(system, task) for task in system.tasks],
        servers=[_server_row(system, server) for server in system.servers],
        reservations=list(map(_reservation_row, system.reservations)),
        resources=[_resource_row(system, resource) for resource in system.resources],
        cpus=[_cpu_row(system, cpu, cpu in overloaded) for cpu in cpus_in_use(system)],
        deadlock=list(map(str, deadlock or ())),
        deadlock_is_cycle=deadlock is not None and is_cycle(deadlock),
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
    )


def _has_priority(system: System, task: Task) -> bool:
    return system.scheduler is not Scheduler.EDF and task.priority != BEFORE_ALL


def _resource_row(system: System, resource: Resource) -> ResourceRow:
    is_edf = system.scheduler is Scheduler.EDF
    sharing = [system.server(name) for name in resource.servers] if resource.is_of_servers else []
    return ResourceRow(
        resource=resource.name,
        linked=resource.linked,
        ceiling=None if is_edf or resource.is_of_servers else resource.ceiling,
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
    known = all(_is_load_known(system, task) for task in system.tasks_on(cpu))
    return CpuRow(
        cpu=cpu,
        utilisation=float(system.utilisation(cpu)) if known else None,
        overloaded=overloaded if known or overloaded else None,
    )


def _is_load_known(system: System, task: Task) -> bool:
    return bool(task.body) and is_only_arriving(system, task)


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
