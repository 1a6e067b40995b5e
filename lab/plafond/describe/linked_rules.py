# SPDX-License-Identifier: MIT
"""Linked resources: OSEK 2.2.3, Section 8, and OIL 2.5, RESOURCE.

A linked resource is a second name of another resource, so that a task can enter that resource
twice. All names of a resource have one ceiling, and other tasks see a single resource.
"""

from collections.abc import Collection, Iterator

from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Isrs, Resources, Tasks, kept_out_by, names_of

OF_THE_OTHER = ("ceiling", "floor", "internal", "successor", "lock")


def problems_of_linked(
    tasks: Tasks, resources: Resources, isrs: Isrs, mutexes: Collection[str], known: Known
) -> Iterator[Problem]:
    """Yield wrong links, fields beside a link, and users that need a resource without other
    names."""
    names_by_name = names_of(resources)
    for name, fields in resources.items():
        if fields.linked is None:
            continue
        where: Where = ("resource", name, "linked")
        wrong = _wrong_link(name, fields.linked, resources, known)
        if wrong:
            yield Problem(where, *wrong)
        for field in OF_THE_OTHER:
            if field in fields.given:
                expected = f"none beside linked: {name} has what {fields.linked} has"
                yield Problem(("resource", name, field), f"a field {field}", expected)
        names = names_by_name[name]
        for mutex in [each for each in names if each in mutexes]:
            expected = f"a resource without other names: there is a table [mutex.{mutex}]"
            yield Problem(where, fields.linked, expected)
        for routine in [each for each, isr in isrs.items() if set(names) & set(isr.resources)]:
            expected = f"a resource without other names: the routine {routine} locks it"
            yield Problem(where, " and ".join(names), expected)
        users = [tasks[user] for user in kept_out_by(names, tasks)]
        for place, places in (
            ("on one CPU", {f"CPU {user.cpu}" for user in users}),
            ("in one server", {user.server for user in users if user.server}),
        ):
            if len(places) > 1:
                found = f"{' and '.join(names)}, with users of {' and '.join(sorted(places))}"
                expected = f"users {place}: a resource that several of these share has one name"
                yield Problem(where, found, expected)


def _wrong_link(
    name: str, other: str, resources: Resources, known: Known
) -> tuple[str, str] | None:
    """Return the fault of the link and the expected resource, or None."""
    if SCHEDULER in (name, other):
        return f"{other}, of {name}", f"a resource that only some tasks lock, not {SCHEDULER}"
    if expected := known.wrong_resource(other):
        return other, expected
    chain = {name: None}
    last = name
    while (following := resources[last].linked) in resources and following is not None:
        if following in chain:
            found = f"{other}, which leads back: {' -> '.join([*chain, following])}"
            return found, "an order: the last one is linked to none"
        chain[following] = None
        last = following
    return None
