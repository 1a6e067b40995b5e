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


@dataclass(frozen=True)
class FunctionTable:
    """An entry of plf_trusted_functions."""

    name: str
    application: str
    cores: int  # of its application, a bit each


def function_tables(system: System) -> Iterator[FunctionTable]:
    """Return the trusted functions, in the order of their numbers."""
    for application in system.applications:
        for name in application.functions:
            yield FunctionTable(name, application.name, _cores_of(system, application.name))


def _cores_of(system: System, application: str) -> int:
    """Return those that its tasks, interrupts and counters are on; of one without any, all."""
    placed = (("task", system.tasks), ("isr", system.isrs), ("counter", system.counters))
    cpus = {
        each.cpu
        for kind, objects in placed
        for each in objects
        if system.owners[kind, each.name].application == application
    }
    return sum(1 << cpu for cpu in cpus or range(system.cpus))


def problems_of_functions(system: System) -> Iterator[Problem]:
    """Yield those beside servers: a budget would not end in one."""
    for application in system.applications if system.servers else ():
        for index, name in enumerate(application.functions):
            where = ("application", application.name, "functions", index)
            expected = f"none with servers: the budget of {system.servers[0].name} ends behind it"
            yield Problem(where, name, expected)


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
