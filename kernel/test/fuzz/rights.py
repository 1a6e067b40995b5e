# SPDX-License-Identifier: MIT
"""Drawn OS-Applications: the owner of each object, and other applications that may use it.

BOSS has the handlers and the last task, and is not terminated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .schedule_tables import ScheduleTable
    from .system import Alarm, System

APPLICATIONS = ["P0", "P1", "P2", "P3"]
BOSS = 3
HANDLERS = 2
RESOURCES = 3  # besides RES_SCHEDULER


class ObjectKind(IntEnum):
    """The numbers of AUTOSAR OS 4.x: ObjectTypeType."""

    TASK = 0
    ISR = 1
    ALARM = 2
    RESOURCE = 3
    COUNTER = 4
    SCHEDULETABLE = 5


@dataclass(frozen=True)
class Application:
    """Properties of an application."""

    is_trusted: bool
    restart: int | None  # the task that is activated when it restarts


@dataclass(frozen=True)
class Owner:
    """The application of an object; None: it has none. `access` includes that application."""

    application: int | None
    access: frozenset[int]


@dataclass(frozen=True)
class Rights:
    """The owners of all objects, by kind and number, with schedule tables if there are any."""

    applications: tuple[Application, ...]
    owners: Mapping[ObjectKind, tuple[Owner, ...]]

    def owner(self, kind: int, number: int) -> Owner | None:
        """The owner of an object; None: there is no such object."""
        found = self.owners[ObjectKind(kind)] if kind in self.owners else ()
        return found[number] if number < len(found) else None

    def application(self, kind: ObjectKind, number: int) -> int:
        """The application of an object, of a kind whose objects all have an application."""
        owner = self.owners[kind][number].application
        assert owner is not None
        return owner

    def of_task(self, number: int) -> Application:
        """The application of a task."""
        return self.applications[self.application(ObjectKind.TASK, number)]

    def numbers(self, kind: ObjectKind, application: int) -> Iterator[int]:
        """The numbers of the objects of an application."""
        for number, owner in enumerate(self.owners.get(kind, ())):
            if owner.application == application:
                yield number


def draw_rights(random: Random, system: System) -> Rights:
    """Return rights that the system respects: its alarms and locks use only permitted objects."""
    trusted = [random.random() < 0.5 for _ in range(BOSS)] + [True]
    all_of_them = range(len(APPLICATIONS))
    tasks = [random.randrange(len(APPLICATIONS)) for _ in system.tasks[:-1]] + [BOSS]
    in_kernel = [each for each in all_of_them if trusted[each]]
    alarms = [
        random.choice(in_kernel if alarm.action == "call" else all_of_them)
        for alarm in system.alarms
    ]
    counters = [random.choice(all_of_them) for _ in system.counters]
    tables = [random.choice(all_of_them) for _ in system.tables]
    restarts = [
        [task for task, of in enumerate(tasks) if of == each and random.random() < 0.8]
        for each in all_of_them
    ]

    def drawn(owner: int, *users: int) -> Owner:
        others = {each for each in all_of_them if random.random() < 0.6}
        return Owner(owner, frozenset({owner, *others, *users}))

    used = [*enumerate(system.alarms)]
    planned = [*enumerate(system.tables)]
    of_tables = {ObjectKind.SCHEDULETABLE: tuple(drawn(of) for of in tables)} if tables else {}
    return Rights(
        applications=tuple(
            Application(is_trusted, random.choice(restart) if restart else None)
            for is_trusted, restart in zip(trusted, restarts, strict=True)
        ),
        owners={
            ObjectKind.TASK: tuple(
                drawn(
                    of,
                    *(alarms[n] for n, alarm in used if _signals(alarm, number)),
                    *(tables[n] for n, table in planned if _plans(table, number)),
                )
                for number, of in enumerate(tasks)
            ),
            ObjectKind.ISR: tuple(Owner(BOSS, frozenset({BOSS})) for _ in range(HANDLERS)),
            ObjectKind.ALARM: tuple(drawn(of) for of in alarms),
            ObjectKind.RESOURCE: tuple(_draw_resources(random, system, tasks)),
            ObjectKind.COUNTER: tuple(
                drawn(
                    of,
                    *(alarms[n] for n, alarm in used if _counts(alarm, number)),
                    *(tables[n] for n, table in planned if table.counter == number),
                )
                for number, of in enumerate(counters)
            ),
            **of_tables,
        },
    )


def _signals(alarm: Alarm, task: int) -> bool:
    return alarm.action in ("activate", "set") and alarm.object == task


def _plans(table: ScheduleTable, task: int) -> bool:
    return any(signal.task == task for point in table.points for signal in point.signals)


def _counts(alarm: Alarm, counter: int) -> bool:
    return alarm.counter == counter or (alarm.action == "increment" and alarm.object == counter)


def _draw_resources(random: Random, system: System, tasks: list[int]) -> Iterator[Owner]:
    """A resource without an owner is open to its users' applications, and RES_SCHEDULER to all."""
    of_resources = [task.resources for task in system.tasks]
    for resource in range(RESOURCES):
        users = {of for of, used in zip(tasks, of_resources, strict=True) if resource in used}
        owner = random.choice([None, *range(len(APPLICATIONS))])
        yield Owner(owner, frozenset(users if owner is None else {owner, *users}))
    yield Owner(None, frozenset(range(len(APPLICATIONS))))


def application_line(number: int, application: Application, tasks: list[str]) -> str:
    """Return the table of an application in the language of descriptions."""
    fields = ["trusted = true"] if application.is_trusted else []
    if application.restart is not None:
        fields.append(f'restart = "{tasks[application.restart]}"')
    return f"{APPLICATIONS[number]} = {{ {', '.join(fields)} }}"


def owner_fields(rights: Rights | None, kind: ObjectKind, number: int) -> list[str]:
    """Return the fields of an object for its application, if the system has applications."""
    owner = rights.owner(kind, number) if rights else None
    if owner is None or owner.application is None:
        return []
    others = [f'"{APPLICATIONS[n]}"' for n in sorted(owner.access - {owner.application})]
    fields = [f'application = "{APPLICATIONS[owner.application]}"']
    return fields + ([f"access = [{', '.join(others)}]"] if others else [])
