# SPDX-License-Identifier: MIT
"""The application that owns each object of a description."""

from collections.abc import Iterator, Mapping

from plafond.describe.alarm import Alarm
from plafond.describe.application import Object, Owner
from plafond.describe.counter import Counter
from plafond.describe.description import Description
from plafond.describe.isr import Isr
from plafond.describe.kernel import SCHEDULER
from plafond.describe.resource import Resource
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.task import Task

Owned = Task | Resource | Counter | Alarm | ScheduleTable | Isr


def owners_of(description: Description) -> Mapping[Object, Owner]:
    """Return the owner of each object; empty if the description has no applications."""
    return dict(_owners(description)) if description.application else {}


def _owners(description: Description) -> Iterator[tuple[Object, Owner]]:
    tables: dict[str, Mapping[str, Owned]] = {
        "task": description.task,
        "isr": description.isr,
        "alarm": description.alarm,
        "counter": description.counter,
        "schedule_table": description.schedule_table,
    }
    for kind, named in tables.items():
        for name, table in named.items():
            yield (kind, name), Owner(table.application, applications_with(table))
    for name, resource in description.resource.items():
        users = [*_users(description, name)] if resource.is_open else []
        access = frozenset(each.application for each in users if each.application)
        yield ("resource", name), Owner(resource.application, access | applications_with(resource))
    yield ("resource", SCHEDULER), Owner(None, frozenset(description.application))


def _users(description: Description, resource: str) -> Iterator[Task | Isr]:
    yield from (task for task in description.task.values() if resource in task.used)
    yield from (isr for isr in description.isr.values() if resource in isr.resources)


def applications_with(table: Owned) -> frozenset[str]:
    """Return the applications that may use an object according to its table."""
    own = [table.application] if table.application else []
    return frozenset((*own, *getattr(table, "access", ())))
