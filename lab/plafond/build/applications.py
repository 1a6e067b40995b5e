# SPDX-License-Identifier: MIT
"""The kernel's tables for OS-Applications: objects in the order of their numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plafond.describe.application import Object
from plafond.describe.system import System


@dataclass(frozen=True)
class ObjectTable:
    """An entry of the table of a kind."""

    name: str
    application: str | None
    access: int  # bit set of applications


@dataclass(frozen=True)
class ObjectKind:
    """An entry of plf_object_kinds, for a kind with objects."""

    name: str
    objects: tuple[ObjectTable, ...]


def object_kinds(system: System) -> Iterator[ObjectKind]:
    """Yield the tables of all kinds; nothing without applications."""
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


@dataclass(frozen=True)
class FunctionTable:
    """An entry of plf_trusted_functions."""

    name: str
    application: str
    cores: int  # bit set of the application's cores


def function_tables(system: System) -> Iterator[FunctionTable]:
    """Yield the trusted functions, in the order of their numbers."""
    placed = _placed(system)
    everywhere = (1 << system.cpus) - 1
    for application in system.applications:
        cores = 1 << placed[application.name] if application.name in placed else everywhere
        for name in application.functions:
            yield FunctionTable(name, application.name, cores)


def cores_of_applications(system: System) -> Mapping[str, int]:
    """Return the core of each application; 0 if it has no object on a core."""
    placed = _placed(system)
    return {each.name: placed.get(each.name, 0) for each in system.applications}


def _placed(system: System) -> Mapping[str | None, int]:
    """Return the core of each application with objects; the counter places alarms and tables."""
    cores: dict[Object, int] = {
        **{("task", each.name): each.cpu for each in system.tasks},
        **{("isr", each.name): each.cpu for each in system.isrs},
        **{each.where: each.cpu for each in system.counters},
        **{each.where: system.counter(each.counter).cpu for each in system.alarms},
        **{each.where: system.counter(each.counter).cpu for each in system.schedule_tables},
    }
    return {
        owner.application: cores[each] for each, owner in system.owners.items() if each in cores
    }
