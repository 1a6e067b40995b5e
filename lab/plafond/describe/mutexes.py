# SPDX-License-Identifier: MIT
"""Rules that span the mutexes of a description, and their resources."""

from collections.abc import Iterator, Mapping

from plafond.describe.mutex import Mutex
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, users_of


def problems_of_mutexes(
    mutexes: Mapping[str, Mutex], resources: Resources, tasks: Tasks
) -> Iterator[Problem]:
    """Yield mutexes that lack a needed ceiling, and mutexes with the same place."""
    yield from _problems_of_mixed(mutexes, resources, tasks)
    sites: dict[tuple[str, int, int], str] = {}
    places: dict[str, str] = {}
    for name, mutex in mutexes.items():
        where: Where = ("mutex", name)
        needs_ceiling = mutex.use and not mutex.inherits and name in resources
        if needs_ceiling and ceiling_of(name, resources, tasks) is None:
            expected = f"the ceiling of mutex.{name}, which is to be used and which no task locks"
            yield Problem(("resource", name, "ceiling"), "nothing", expected)
        other = sites.setdefault((mutex.module, int(mutex.offset, 16), mutex.order), name)
        if mutex.order and other != name:
            expected = f"a place and order of its own: these are those of {other}"
            yield Problem((*where, "order"), str(mutex.order), expected)
        if mutex.place and places.setdefault(mutex.place, name) != name:
            expected = f"a place of its own: this one is that of {places[mutex.place]}"
            yield Problem((*where, "place"), mutex.place, expected)


def _problems_of_mixed(
    mutexes: Mapping[str, Mutex], resources: Resources, tasks: Tasks
) -> Iterator[Problem]:
    """Yield mutexes that only an order distinguishes, but that differ in use or ceiling."""
    first: dict[str, str] = {}
    for name, mutex in mutexes.items():
        made_by = mutex.made_by
        if not made_by or mutex.protocol == "protect":
            continue
        other = mutexes[first.setdefault(made_by, name)]
        if not (mutex.use or other.use):
            continue
        if _choice(mutex, resources, tasks) != _choice(other, resources, tasks):
            found = "true" if mutex.use else "false"
            expected = f"the same use and ceiling as of {other.name}: nothing distinguishes them"
            yield Problem(("mutex", name, "use"), found, expected)


def _choice(mutex: Mutex, resources: Resources, tasks: Tasks) -> tuple[bool, str, int | None]:
    has_ceiling = not mutex.inherits and mutex.name in resources
    ceiling = ceiling_of(mutex.name, resources, tasks) if has_ceiling else None
    return mutex.use, mutex.run_as, ceiling


def ceiling_of(resource: str, resources: Resources, tasks: Tasks) -> int | None:
    """Return the given ceiling, or the priority of the most urgent user; None without users."""
    given = resources[resource].given_ceiling
    if given is not None:
        return given
    return max((tasks[user].priority or 0 for user in users_of(resource, tasks)), default=None)
