# SPDX-License-Identifier: MIT
"""What the kernel knows of OS-Applications: tables of objects, in the order of their numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem
from plafond.describe.system import System


@dataclass(frozen=True)
class ObjectTable:
    """An entry of a kind's table."""

    name: str
    application: str | None
    access: int  # a bit each


@dataclass(frozen=True)
class ObjectKind:
    """An entry of plf_object_kinds, of a kind that the system has objects of."""

    name: str
    objects: tuple[ObjectTable, ...]


def object_kinds(system: System) -> Iterator[ObjectKind]:
    """Yield the tables; of a system without applications none."""
    numbered: dict[str, Sequence[str]] = {
        "task": [each.name for each in system.tasks],
        "isr": [each.name for each in system.isrs],
        "alarm": [each.name for each in system.alarms],
        "resource": [each.name for each in system.entered_resources],
        "counter": [each.name for each in system.counters],
        "schedule_table": [each.name for each in system.schedule_tables],
    }
    for kind, names in numbered.items():
        if names and system.applications:
            yield ObjectKind(kind, tuple(_object(system, kind, name) for name in names))


def _object(system: System, kind: str, name: str) -> ObjectTable:
    owner = system.owners[kind, name]
    access = sum(
        1 << index for index, each in enumerate(system.applications) if each.name in owner.access
    )
    return ObjectTable(name, owner.application, access)


def why_not_terminated(system: System) -> str | None:
    """Return what keeps the kernel from terminating applications; None: nothing does."""
    if system.scheduler is not Scheduler.PRIORITY:
        return f'scheduler = "{system.scheduler}"'
    if system.cpus > 1:
        return f"cpus = {system.cpus}"
    return "servers" if system.servers else None


def problems_of_restart(system: System) -> Iterator[Problem]:
    """Yield those that are to be restarted where none is terminated."""
    why = why_not_terminated(system)
    for application in system.applications:
        if application.restart and why:
            where = ("application", application.name, "restart")
            expected = f"nothing: with {why} applications are not terminated, and so not restarted"
            yield Problem(where, application.restart, expected)
