# SPDX-License-Identifier: MIT
"""Mutexes of Linux programs: where each is made, and the ceiling that was chosen for it.

A mutex and the resource of its name are one thing: the resource is what tasks lock, and has the
ceiling; the mutex says where a program makes it, and which threads were seen to lock it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plafond.describe.mutex import MutexFields
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, users_of
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
    inherits: bool  # it is to, instead of having the ceiling
    keys: tuple[str, ...]  # by which the drop-in recognises it: module, offset and order


def problems_of_mutexes(
    mutexes: Mapping[str, MutexFields],
    resources: Resources,
    tasks: Tasks,
    known: Known,
) -> Iterator[Problem]:
    """Each mutex with its resource, and whether it can be used; no two are the same."""
    yield from _problems_of_mixed(mutexes, resources, tasks)
    sites: dict[tuple[str, int, int], str] = {}
    places: dict[str, str] = {}
    for name, mutex in mutexes.items():
        where: Where = ("mutex", name)
        if name not in known.names["resource"]:
            hint = suggestion(name, list(known.names["resource"]))
            expected = f"a table [resource.{name}] too{hint}"
            yield Problem(where, "no resource of this name", expected)
        if mutex.use:
            yield from _problems_of_use(where, mutex)
            needs_ceiling = mutex.run_as == "ceiling" and name in resources
            if needs_ceiling and _ceiling(name, resources, tasks) is None:
                expected = (
                    f"the ceiling of mutex.{name}, which is to be used and which no task locks"
                )
                yield Problem(("resource", name, "ceiling"), "nothing", expected)
        other = sites.setdefault((mutex.module, int(mutex.offset, 16), mutex.order), name)
        if mutex.order and other != name:
            expected = f"a place and order of its own: these are those of {other}"
            yield Problem((*where, "order"), str(mutex.order), expected)
        if mutex.place and places.setdefault(mutex.place, name) != name:
            expected = f"a place of its own: this one is that of {places[mutex.place]}"
            yield Problem((*where, "place"), mutex.place, expected)


def _problems_of_use(where: Where, mutex: MutexFields) -> Iterator[Problem]:
    if mutex.protocol == "protect":
        yield Problem((*where, "use"), "true", "false: the program gives it a ceiling itself")
    if not mutex.order and not mutex.place and not mutex.named:
        yield from _problems_of_first_locks(where, mutex)
    for key in _keys_of(mutex):
        module = key.rsplit(" ", 2)[0]
        if not can_be_listed(module):
            expected = "a file name that has no comment (#) or blanks at its ends, or use = false"
            yield Problem((*where, "module"), module, expected)


def _problems_of_first_locks(where: Where, mutex: MutexFields) -> Iterator[Problem]:
    """One that no call makes, and that is no variable: others may be locked there first."""
    if not mutex.locked_at:
        yield Problem((*where, "order"), "0, not known", "one that is known, or use = false")
    elif mutex.run_as != "inherit":
        expected = '"inherit", or use = false: other mutexes may be locked there, too'
        yield Problem((*where, "run_as"), f'"{mutex.run_as}"', expected)


def _keys_of(mutex: MutexFields) -> tuple[str, ...]:
    """Return the first of these that is known: name, variable, first locks, path, order."""
    if mutex.named:
        return (f"name:{mutex.named} 0x0 1",)
    if mutex.place:
        return (f"{_spaced(mutex.place)} {min(mutex.order, 1)}",)
    if not mutex.order:
        return tuple(f"{_spaced(place)} 0" for place in mutex.locked_at)
    if mutex.path:
        return (f"{mutex.module} {mutex.offset}/{mutex.path} {mutex.nth}",)
    return (f"{mutex.module} {mutex.offset} {mutex.order}",)


def _spaced(place: str) -> str:
    module, _, offset = place.rpartition("+")
    return f"{module} {offset}"


def _made_by(mutex: MutexFields) -> str | None:
    """Return what it has in common with those that only an order distinguishes from it."""
    if mutex.named:
        return mutex.named
    if mutex.place or not mutex.path or not mutex.order:
        return None
    return f"{mutex.module} {mutex.offset} {mutex.path}"


def _problems_of_mixed(
    mutexes: Mapping[str, MutexFields], resources: Resources, tasks: Tasks
) -> Iterator[Problem]:
    """Those that nothing but an order distinguishes are used in one way, or not."""
    first: dict[str, str] = {}
    for name, mutex in mutexes.items():
        made_by = _made_by(mutex)
        if not made_by or mutex.protocol == "protect":
            continue
        other = first.setdefault(made_by, name)
        if not (mutex.use or mutexes[other].use):
            continue
        if _choice(name, mutex, resources, tasks) != _choice(
            other, mutexes[other], resources, tasks
        ):
            found = "true" if mutex.use else "false"
            expected = f"the same use and ceiling as of {other}: nothing distinguishes them"
            yield Problem(("mutex", name, "use"), found, expected)


def _choice(
    name: str, mutex: MutexFields, resources: Resources, tasks: Tasks
) -> tuple[bool, str, int | None]:
    has_ceiling = mutex.run_as == "ceiling" and name in resources
    ceiling = _ceiling(name, resources, tasks) if has_ceiling else None
    return mutex.use, mutex.run_as, ceiling


def file_of(place: str) -> str:
    """Return the file of a place; that of `app+0x12` is `app`."""
    return place.rpartition("+")[0]


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
            fields.run_as == "inherit",
            _keys_of(fields),
        )
        for name, fields in mutexes.items()
    )


def _ceiling(resource: str, resources: Resources, tasks: Tasks) -> int | None:
    """Return what is given, or the priority of the most urgent user."""
    given = resources[resource].given_ceiling
    if given is not None:
        return given
    return max((tasks[user].priority or 0 for user in users_of(resource, tasks)), default=None)
