# SPDX-License-Identifier: MIT
"""Make a system from a description without mistakes."""

from pathlib import Path

from plafond.describe.description import Description
from plafond.describe.events import masks_of
from plafond.describe.holds import with_holds
from plafond.describe.kernel import SCHEDULER
from plafond.describe.owners import owners_of
from plafond.describe.reservation_rules import reservations_of, servers_among
from plafond.describe.resource import Resource
from plafond.describe.rules import cpus_of_users, names_of, users_of, uses
from plafond.describe.server import BEFORE_ALL
from plafond.describe.server_rules import servers_of, servers_of_users
from plafond.describe.system import System
from plafond.describe.urgency import urgency_of


def system_of(description: Description, file: Path) -> System:
    """Return the system, with computed ceilings or floors, and with the most urgent task first."""
    scheduler = description.scheduler
    resources = dict(description.resource)
    if any(uses(task, SCHEDULER) for task in description.task.values()):
        resources.setdefault(SCHEDULER, Resource.made(SCHEDULER))
    names = names_of(resources)
    urgency = urgency_of(scheduler, description.task, resources, description.isr)
    servers = servers_of(servers_among(description.server), description.task)
    reservations = reservations_of(description.server, description.task)
    reserved = {each.task for each in reservations}
    tasks = [
        task.changed(
            priority=BEFORE_ALL if name in reserved else urgency.of_tasks[name],
            deadline_ns=task.relative_deadline_ns,
        )
        for name, task in description.task.items()
    ]
    system = System(
        name=description.name or file.stem,
        cpus=description.cpus,
        seed=description.seed,
        tasks=tuple(sorted(tasks, key=lambda task: -task.priority)),
        resources=tuple(
            resource.changed(
                ceiling=urgency.of_resources[name],
                floor=urgency.floors.get(name),
                users=tuple(users_of(name, description.task)),
                cpus=cpus_of_users(name, description.task),
                servers=servers_of_users(name, description.task, servers),
                names=frozenset(names[name]) if len(names[name]) > 1 else frozenset(),
            )
            for name, resource in resources.items()
        ),
        servers=servers,
        applications=tuple(description.application.values()),
        owners=owners_of(description),
        reservations=reservations,
        scheduler=scheduler,
        kernel=description.kernel,
        events=masks_of(description.task, description.event, description.cpus),
        counters=tuple(description.counter.values()),
        alarms=tuple(description.alarm.values()),
        schedule_tables=tuple(description.schedule_table.values()),
        isrs=tuple(description.isr.values()),
        messages=tuple(description.message.values()),
        com=description.com,
        iocs=tuple(description.ioc.values()),
        file=file,
    )
    return with_holds(system).seeded(system.seed)
