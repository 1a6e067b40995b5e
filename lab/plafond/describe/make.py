# SPDX-License-Identifier: MIT
"""A description without mistakes becomes a system."""

from pathlib import Path

from plafond.describe.kernel import (
    SCHEDULER,
    Alarm,
    Counter,
    Hook,
    Isr,
    Kernel,
    KernelProtocol,
    Status,
    least_cycle,
)
from plafond.describe.rules import uses
from plafond.describe.schema import Description, KernelFields, ResourceFields, TaskFields
from plafond.describe.system import Pending, Resource, System, Task


def system_of(description: Description, file: Path) -> System:
    """Return the system, with ceilings computed and the most urgent task first."""
    tasks = [_task(name, fields) for name, fields in description.task.items()]
    resources = dict(description.resource)
    if any(uses(task, SCHEDULER) for task in description.task.values()):
        resources.setdefault(SCHEDULER, ResourceFields())
    return System(
        name=description.name or file.stem,
        cpus=description.cpus,
        seed=description.seed,
        tasks=tuple(sorted(tasks, key=lambda task: -task.priority)),
        resources=tuple(
            _resource(name, fields, description.task) for name, fields in resources.items()
        ),
        kernel=_kernel(description.kernel, file.parent),
        counters=tuple(
            Counter(
                name,
                fields.highest,
                fields.ticks_per_base,
                fields.min_cycle or least_cycle(fields.tick),
                fields.tick,
            )
            for name, fields in description.counter.items()
        ),
        alarms=tuple(
            Alarm(
                name,
                fields.counter,
                fields.action,
                (fields.autostart[0], fields.autostart[1]) if fields.autostart else None,
            )
            for name, fields in description.alarm.items()
        ),
        isrs=tuple(Isr(name, fields.source) for name, fields in description.isr.items()),
        file=file,
    )


def _task(name: str, fields: TaskFields) -> Task:
    deadline_ns = fields.deadline
    if deadline_ns is None and fields.arrival:
        deadline_ns = fields.arrival.least_ns
    return Task(
        name=name,
        priority=fields.priority,
        cpu=fields.cpu,
        interval=fields.arrival,
        offset_ns=fields.offset,
        deadline_ns=deadline_ns,
        activations=fields.activations,
        pending=Pending(fields.pending),
        body=tuple(fields.body or ()),
        autostart=fields.autostart,
        queue=fields.queue,
        is_preemptable=fields.schedule == "full",
        internal=fields.internal,
        events=tuple(fields.events),
        declared=tuple(fields.resources),
        stack=fields.stack,
    )


def _resource(name: str, fields: ResourceFields, tasks: dict[str, TaskFields]) -> Resource:
    users = [user for user, task in tasks.items() if uses(task, name)]
    counted = tasks if name == SCHEDULER else users
    # Nobody's resource: any ceiling will do.
    highest = max((tasks[user].priority for user in counted), default=1)
    return Resource(
        name=name,
        ceiling=fields.ceiling or highest,
        users=tuple(users),
        is_internal=fields.internal,
    )


def _kernel(fields: KernelFields, folder: Path) -> Kernel:
    return Kernel(
        status=Status(fields.status),
        protocol=KernelProtocol(fields.protocol),
        hooks=frozenset(map(Hook, fields.hooks)),
        sources=tuple((folder / file).resolve() for file in fields.sources),
        trusted=tuple((folder / file).resolve() for file in fields.trusted),
    )
