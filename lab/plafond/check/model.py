# SPDX-License-Identifier: MIT
"""What `plafond check` reports."""

import operator
from pathlib import Path

from pydantic import BaseModel, Field

from plafond.analyse.coverage import is_only_arriving
from plafond.analyse.overload import cpus_in_use, overloaded_cpus
from plafond.describe.kernel import Scheduler
from plafond.describe.lock_order import find_deadlock, is_cycle
from plafond.describe.problems import DescriptionError, field_name
from plafond.describe.reservation import BEFORE_ALL, Reservation
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import Resource, System, Task


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
    priority: int | None  # none under EDF and in a reservation
    least_interval_ns: int | None  # none: others activate it
    most_interval_ns: int | None
    jitter_ns: int  # a release comes up to so long after its arrival
    deadline_ns: int | None  # from each arrival
    first_deadline_ns: int | None  # absolute: that of the first arrival, if it arrives by itself
    run_ns: int | None  # at most; not known where the task is a C function
    least_run_ns: int | None  # less where its body has ranges
    utilisation: float | None  # not known where one of these is not


class ResourceRow(BaseModel):
    """One resource."""

    resource: str
    linked: str | None  # the one of which it is another name
    ceiling: int | None  # none under EDF, and of a resource of several servers
    floor_ns: int | None  # under EDF only
    users: list[str]
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

    server: str
    cpu: int
    kind: ServerKind
    priority: int | None  # none: a slot
    period_ns: int
    budget_ns: int
    start_ns: int | None  # of a slot, from the beginning of each period
    sharing: Sharing | None  # of resources of several servers, where it has a policy
    hold_ns: int | None  # for which at most its tasks hold one of these, where there are any
    share: float
    utilisation: float | None  # not known as with tasks
    tasks: list[str]


class ReservationRow(BaseModel):
    """One reservation: the share of a CPU that a thread can have at most."""

    server: str
    thread: str  # task NAME; irq/N-ACTION, where N is any number unless the description has one
    period_ns: int
    budget_ns: int
    share: float


class CpuRow(BaseModel):
    """One CPU; overloaded: its tasks may ask for all of it or more, under EDF for more.

    Neither is known where it is not for one of the tasks, unless the others ask for so much.
    """

    cpu: int
    utilisation: float | None
    overloaded: bool | None


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


def _reservation_row(reservation: Reservation) -> ReservationRow:
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
