# SPDX-License-Identifier: MIT
"""A description without mistakes becomes a system."""

from collections.abc import Iterable
from pathlib import Path

from plafond.describe.alarm import Alarm, AlarmFields
from plafond.describe.application import HOOKS, Application
from plafond.describe.counter import Counter, CounterFields, least_cycle
from plafond.describe.description import Description
from plafond.describe.events import masks_of
from plafond.describe.holds import with_holds
from plafond.describe.ioc import Ioc, IocFields
from plafond.describe.isr import Isr
from plafond.describe.kernel import (
    DEFAULT_PROTOCOLS,
    SCHEDULER,
    Hook,
    Kernel,
    Scheduler,
    Status,
    Warnings,
)
from plafond.describe.message import Com, ComFields, Message
from plafond.describe.owners import owners_of
from plafond.describe.reservation import BEFORE_ALL
from plafond.describe.reservation_rules import reservations_of, servers_among
from plafond.describe.resource import ResourceFields
from plafond.describe.rules import cpus_of_users, names_of, users_of, uses
from plafond.describe.schedule_table import (
    ExpiryPoint,
    ScheduleTable,
    ScheduleTableFields,
    TableSync,
)
from plafond.describe.server_rules import servers_of, servers_of_users
from plafond.describe.system import Pending, Resource, System, Task
from plafond.describe.task import TaskFields
from plafond.describe.urgency import urgency_of
from plafond.protocols import GlobalProtocol, KernelProtocol


def system_of(description: Description, file: Path) -> System:
    """Return the system, with ceilings or floors computed and the most urgent task first."""
    scheduler = Scheduler(description.scheduler)
    resources = dict(description.resource)
    if any(uses(task, SCHEDULER) for task in description.task.values()):
        resources.setdefault(SCHEDULER, ResourceFields())
    names = names_of(resources)
    urgency = urgency_of(scheduler, description.task, resources, description.isr)
    servers = servers_of(servers_among(description.server), description.task)
    reservations = reservations_of(description.server, description.task)
    reserved = {each.task for each in reservations}
    tasks = [
        _task(name, fields, BEFORE_ALL if name in reserved else urgency.of_tasks[name])
        for name, fields in description.task.items()
    ]
    system = System(
        name=description.name or file.stem,
        cpus=description.cpus,
        seed=description.seed,
        tasks=tuple(sorted(tasks, key=lambda task: -task.priority)),
        resources=tuple(
            Resource(
                name=name,
                ceiling=urgency.of_resources[name],
                users=tuple(users_of(name, description.task)),
                is_internal=fields.internal,
                floor=urgency.floors.get(name),
                cpus=cpus_of_users(name, description.task),
                servers=servers_of_users(name, description.task, servers),
                given_ceiling=fields.ceiling,
                successor=fields.successor,
                keeps_tasks_out=fields.lock != "nothing",
                linked=fields.linked,
                names=frozenset(names[name]) if len(names[name]) > 1 else frozenset(),
            )
            for name, fields in resources.items()
        ),
        servers=servers,
        applications=tuple(
            Application(
                name,
                fields.trusted,
                fields.restart,
                _files(fields.sources, file.parent),
                tuple(fields.functions),
                tuple(hook for hook in HOOKS if hook in fields.hooks),
            )
            for name, fields in description.application.items()
        ),
        owners=owners_of(description),
        reservations=reservations,
        scheduler=scheduler,
        kernel=_kernel(description, scheduler, file.parent),
        events=masks_of(description.task, description.event, description.cpus),
        counters=tuple(
            Counter(
                name,
                fields.highest,
                fields.ticks_per_base,
                fields.min_cycle or least_cycle(fields.tick),
                fields.tick,
                fields.cpu,
            )
            for name, fields in description.counter.items()
        ),
        alarms=tuple(
            Alarm(
                name,
                fields.counter,
                fields.action,
                _autostart(fields, description.counter.get(fields.counter)),
                tuple(fields.modes or ()),
            )
            for name, fields in description.alarm.items()
        ),
        schedule_tables=tuple(
            _schedule_table(name, fields) for name, fields in description.schedule_table.items()
        ),
        isrs=tuple(
            Isr(
                name,
                fields.source,
                fields.cpu,
                fields.priority,
                tuple(fields.resources),
                fields.category,
            )
            for name, fields in description.isr.items()
        ),
        messages=tuple(
            Message(
                name,
                fields.type,
                fields.from_,
                fields.queue,
                fields.initial,
                fields.action,
                fields.cpu,
            )
            for name, fields in description.message.items()
        ),
        com=_com(description.com, file.parent),
        iocs=tuple(_ioc(name, fields, file.parent) for name, fields in description.ioc.items()),
        file=file,
    )
    return with_holds(system).seeded(system.seed)


def _autostart(alarm: AlarmFields, counter: CounterFields | None) -> tuple[int, int] | None:
    """As SetAbsAlarm() has it: a counter, which starts at 0, reaches that when it has wrapped."""
    if alarm.autostart is None or counter is None:
        return None
    first, cycle = alarm.autostart
    return first or counter.highest + 1, cycle


def _task(name: str, fields: TaskFields, priority: int) -> Task:
    return Task(
        name=name,
        priority=priority,
        cpu=fields.cpu,
        interval=fields.arrival,
        offset_ns=fields.offset,
        jitter_ns=fields.jitter,
        deadline_ns=fields.relative_deadline,
        activations=fields.activations,
        pending=Pending(fields.pending),
        body=tuple(fields.body or ()),
        autostart=fields.autostart,
        modes=tuple(fields.modes or ()),
        queue=fields.queue,
        is_preemptable=fields.schedule == "full",
        internal=fields.internal,
        events=tuple(fields.events),
        declared=tuple(fields.resources),
        stack=fields.stack,
        server=fields.server,
        budget_ns=fields.execution_budget,
        frame_ns=fields.time_frame,
        all_lock_ns=fields.all_interrupt_lock_budget,
        os_lock_ns=fields.os_interrupt_lock_budget,
        resource_locks=tuple(fields.resource_lock_budgets.items()),
        working_set=fields.working_set,
    )


def _schedule_table(name: str, fields: ScheduleTableFields) -> ScheduleTable:
    return ScheduleTable(
        name=name,
        counter=fields.counter,
        duration=fields.duration,
        repeats=fields.repeating,
        points=tuple(
            ExpiryPoint(point.at, tuple(point.do), point.shorten, point.lengthen)
            for point in fields.points
        ),
        autostart=fields.autostart,
        modes=tuple(fields.modes or ()),
        sync=TableSync(fields.sync),
        precision=fields.precision or 0,
    )


def _ioc(name: str, fields: IocFields, folder: Path) -> Ioc:
    return Ioc(
        name=name,
        type=fields.type,
        senders=tuple(fields.senders),
        receiver=fields.receiver,
        headers=_files(fields.headers, folder),
        queue=fields.queue,
        initial=fields.initial,
    )


def _files(names: Iterable[str], folder: Path) -> tuple[Path, ...]:
    return tuple((folder / name).resolve() for name in names)


def _com(fields: ComFields, folder: Path) -> Com:
    return Com(
        modes=tuple(fields.modes or ()),
        headers=_files(fields.headers, folder),
        error_hook=fields.error_hook,
        extension=fields.extension,
    )


def _kernel(description: Description, scheduler: Scheduler, folder: Path) -> Kernel:
    fields = description.kernel
    of_applications = [each for app in description.application.values() for each in app.sources]
    return Kernel(
        status=Status(fields.status),
        protocol=KernelProtocol(fields.protocol or DEFAULT_PROTOCOLS[scheduler]),
        global_protocol=GlobalProtocol(fields.global_) if fields.global_ else None,
        hooks=frozenset(map(Hook, fields.hooks)),
        sources=_files([*fields.sources, *of_applications], folder),
        trusted=_files(fields.trusted, folder),
        mixed=_files(fields.mixed, folder),
        include=_files(fields.include, folder),
        flags=tuple(fields.flags),
        warnings=Warnings(fields.warnings),
        console=fields.console,
        modes=tuple(fields.modes or ()),
        parameters=fields.parameters,
        stack_monitoring=fields.stack_monitoring,
    )
