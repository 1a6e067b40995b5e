# SPDX-License-Identifier: MIT
"""A description without mistakes becomes a system."""

from pathlib import Path

from plafond.describe.holds import with_holds
from plafond.describe.kernel import (
    DEFAULT_PROTOCOLS,
    SCHEDULER,
    Alarm,
    Counter,
    Hook,
    Isr,
    Kernel,
    Scheduler,
    Status,
    least_cycle,
)
from plafond.describe.message import Com, Message
from plafond.describe.reservation import BEFORE_ALL
from plafond.describe.reservation_rules import reservations_of, servers_among
from plafond.describe.rules import cpus_of_users, users_of, uses
from plafond.describe.schema import (
    ComFields,
    Description,
    KernelFields,
    ResourceFields,
    TaskFields,
)
from plafond.describe.server_rules import servers_of, servers_of_users
from plafond.describe.system import Pending, Resource, System, Task
from plafond.describe.urgency import urgency_of
from plafond.protocols import GlobalProtocol, KernelProtocol


def system_of(description: Description, file: Path) -> System:
    """Return the system, with ceilings or floors computed and the most urgent task first."""
    scheduler = Scheduler(description.scheduler)
    resources = dict(description.resource)
    if any(uses(task, SCHEDULER) for task in description.task.values()):
        resources.setdefault(SCHEDULER, ResourceFields())
    urgency = urgency_of(scheduler, description.task, resources)
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
            )
            for name, fields in resources.items()
        ),
        servers=servers,
        reservations=reservations,
        scheduler=scheduler,
        kernel=_kernel(description.kernel, scheduler, file.parent),
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
                (fields.autostart[0], fields.autostart[1]) if fields.autostart else None,
                tuple(fields.modes or ()),
            )
            for name, fields in description.alarm.items()
        ),
        isrs=tuple(
            Isr(name, fields.source, fields.cpu, fields.priority)
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
        file=file,
    )
    return with_holds(system)


def _task(name: str, fields: TaskFields, priority: int) -> Task:
    return Task(
        name=name,
        priority=priority,
        cpu=fields.cpu,
        interval=fields.arrival,
        offset_ns=fields.offset,
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
    )


def _com(fields: ComFields, folder: Path) -> Com:
    return Com(
        modes=tuple(fields.modes or ()),
        headers=tuple((folder / file).resolve() for file in fields.headers),
        error_hook=fields.error_hook,
        extension=fields.extension,
    )


def _kernel(fields: KernelFields, scheduler: Scheduler, folder: Path) -> Kernel:
    return Kernel(
        status=Status(fields.status),
        protocol=KernelProtocol(fields.protocol or DEFAULT_PROTOCOLS[scheduler]),
        global_protocol=GlobalProtocol(fields.global_) if fields.global_ else None,
        hooks=frozenset(map(Hook, fields.hooks)),
        sources=tuple((folder / file).resolve() for file in fields.sources),
        trusted=tuple((folder / file).resolve() for file in fields.trusted),
        console=fields.console,
        modes=tuple(fields.modes or ()),
        parameters=fields.parameters,
    )
