# SPDX-License-Identifier: MIT
"""Rules of the fields for spinlocks: resources with users on several CPUs."""

from collections.abc import Collection, Iterator

from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Resources, Tasks, cpus_of_users


def problems_of_spinlocks(tasks: Tasks, resources: Resources, known: Known) -> Iterator[Problem]:
    """Yield fields for spinlocks on other resources, and wrong successors."""
    for name, fields in resources.items():
        cpus = cpus_of_users(name, tasks)
        for field in ("successor", "lock"):
            given = getattr(fields, field)
            if given and len(cpus) < 2:
                found = f"{given}, of a resource with users on {_in_words(cpus)}"
                expected = "users on several CPUs: this is for spinlocks, which no other CPU needs"
                yield Problem(("resource", name, field), found, expected)
        if fields.successor:
            yield from _problems_of_successor(name, fields.successor, tasks, resources, known)


def _problems_of_successor(
    name: str, successor: str, tasks: Tasks, resources: Resources, known: Known
) -> Iterator[Problem]:
    where: Where = ("resource", name, "successor")
    if expected := known.wrong_resource(successor):
        yield Problem(where, successor, expected)
    elif len(cpus_of_users(successor, tasks)) < 2:
        cpus = _in_words(cpus_of_users(successor, tasks))
        expected = f"a resource with users on several CPUs: those of {successor} are on {cpus}"
        yield Problem(where, successor, expected)
    elif name in (chain := _chain_from(successor, resources)):
        found = f"{successor}, which leads back to {name}: {' -> '.join([name, *chain])}"
        yield Problem(where, found, "an order: the last one has no successor")


def _chain_from(name: str, resources: Resources) -> list[str]:
    """A resource and its successors, up to the first repetition.

    The chain ends before a resource whose table is malformed.
    """
    chain: list[str] = []
    following: str | None = name
    while following and following in resources and following not in chain:
        chain.append(following)
        following = resources[following].successor
    return chain


def _in_words(cpus: Collection[int]) -> str:
    return f"the CPU {' and '.join(map(str, cpus))}" if cpus else "no CPU"
