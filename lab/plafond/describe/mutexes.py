# SPDX-License-Identifier: MIT
"""Mutexes of Linux programs: where each is made, and the ceiling that was chosen for it.

A mutex and the resource of its name are one thing: the resource is what tasks lock, and has the
ceiling; the mutex says where a program makes it, and which threads were seen to lock it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Known, Resources, Tasks, users_of
from plafond.describe.schema import MutexFields
from plafond.words import suggestion


@dataclass(frozen=True)
class Mutex:
    """How a program's mutex is recognised again, and its ceiling; None if there is none."""

    name: str
    module: str
    offset: str
    order: int
    use: bool
    ceiling: int | None


def problems_of_mutexes(
    mutexes: Mapping[str, MutexFields],
    resources: Resources,
    tasks: Tasks,
    known: Known,
    scheduler: Scheduler | None,
) -> Iterator[Problem]:
    """Each mutex with its resource, and whether it can be used; no two are the same."""
    sites: dict[tuple[str, int, int], str] = {}
    for name, mutex in mutexes.items():
        where: Where = ("mutex", name)
        if scheduler is Scheduler.EDF:
            yield Problem(where, "a mutex of Linux", "none under EDF, which has no ceilings")
        if name not in known.resources:
            expected = f"a table [resource.{name}] too{suggestion(name, known.resources)}"
            yield Problem(where, "no resource of this name", expected)
        if mutex.use:
            yield from _problems_of_use(where, mutex)
            if name in resources and _ceiling(name, resources, tasks) is None:
                expected = (
                    f"the ceiling of mutex.{name}, which is to be used and which no task locks"
                )
                yield Problem(("resource", name, "ceiling"), "nothing", expected)
        other = sites.setdefault((mutex.module, int(mutex.offset, 16), mutex.order), name)
        if mutex.order and other != name:
            expected = f"a place and order of its own: these are those of {other}"
            yield Problem((*where, "order"), str(mutex.order), expected)


def _problems_of_use(where: Where, mutex: MutexFields) -> Iterator[Problem]:
    if mutex.protocol == "protect":
        yield Problem((*where, "use"), "true", "false: the program gives it a ceiling itself")
    if not mutex.order:
        yield Problem((*where, "order"), "0, not known", "one that is known, or use = false")
    if not can_be_listed(mutex.module):
        expected = "a file name that has no comment (#) or blanks at its ends, or use = false"
        yield Problem((*where, "module"), mutex.module, expected)


def can_be_listed(module: str) -> bool:
    """Whether the drop-in reads the name as it is, in a list where # begins a comment."""
    return module == module.strip() and not re.search(r"(^|\s)#", module)


def mutexes_of(
    mutexes: Mapping[str, MutexFields], resources: Resources, tasks: Tasks
) -> tuple[Mutex, ...]:
    """Return the mutexes of a description without mistakes."""
    return tuple(
        Mutex(
            name,
            fields.module,
            fields.offset,
            fields.order,
            fields.use,
            _ceiling(name, resources, tasks),
        )
        for name, fields in mutexes.items()
    )


def _ceiling(resource: str, resources: Resources, tasks: Tasks) -> int | None:
    """Return what is given, or the priority of the most urgent user."""
    given = resources[resource].ceiling
    if given is not None:
        return given
    return max((tasks[user].priority or 0 for user in users_of(resource, tasks)), default=None)
