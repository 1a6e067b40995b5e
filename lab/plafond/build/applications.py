# SPDX-License-Identifier: MIT
"""What the kernel knows of OS-Applications: tables of objects, in the order of their numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plafond.describe.application import Object
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


@dataclass(frozen=True)
class FunctionTable:
    """An entry of plf_trusted_functions."""

    name: str
    application: str
    cores: int  # of its application, a bit each


def function_tables(system: System) -> Iterator[FunctionTable]:
    """Return the trusted functions, in the order of their numbers."""
    placed = _placed(system)
    everywhere = (1 << system.cpus) - 1
    for application in system.applications:
        cores = 1 << placed[application.name] if application.name in placed else everywhere
        for name in application.functions:
            yield FunctionTable(name, application.name, cores)


def cores_of_applications(system: System) -> Mapping[str, int]:
    """Return on which core each is; 0 of one that has nothing."""
    placed = _placed(system)
    return {each.name: placed.get(each.name, 0) for each in system.applications}


def _placed(system: System) -> Mapping[str | None, int]:
    """Return on which core each is that has something; its alarms and tables count there, too."""
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
