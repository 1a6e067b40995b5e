# SPDX-License-Identifier: MIT
"""The core of each object, and spinlocks between cores: extensions of vendors to OIL."""

from collections.abc import Iterator, Mapping

from plafond.describe.kernel import SCHEDULER
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import Objects
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where
from plafond.describe.source import Place
from plafond.protocols import GlobalProtocol

# From OIL's kinds to our tables. Alarms and schedule tables are on the core of their counter.
PLACED = {"TASK": "task", "ISR": "isr", "COUNTER": "counter", "MESSAGE": "message"}
Cores = dict[tuple[str, str], int]  # by kind and name; default 0


def add_cores(reader: Reader, draft: Draft, objects: Mapping[str, Objects]) -> Cores:
    """Take CPU_ID of objects and CORE of applications; return the given cores."""
    cores: Cores = {}
    first: dict[int, Place] = {}
    for kind, name, given in _given(objects):
        core = cores.setdefault((kind, name), int(given.value))
        if core != given.value:
            expected = f"{core} again: {kind} {name} is on one core"
            reader.refuse(given.place, str(given.value), expected)
        draft.field((PLACED[kind], name, "cpu"), core, given.place)
        first.setdefault(core, given.place)
    most = max(first, default=0)
    if most:
        draft.field(("cpus",), most + 1, first[most])
    return cores


def _given(objects: Mapping[str, Objects]) -> Iterator[tuple[str, str, Given]]:
    """Yield each core that an object or its application gives."""
    for kind in PLACED:
        for name, each in objects[kind].items():
            own = each.one("CPU_ID")
            if own:
                yield kind, name, own
    for application in objects["APPLICATION"].values():
        core = application.one("CORE")
        if core:
            members = ((kind, each) for kind in PLACED for each in application.all(kind))
            yield from ((kind, str(each.value), core) for kind, each in members)


def refuse_shared(reader: Reader, objects: Mapping[str, Objects], cores: Cores) -> None:
    """Refuse a resource with tasks on several cores; a description would make it a spinlock."""
    resources = objects["RESOURCE"]
    owner: dict[str, tuple[str, int]] = {}
    for task, each in objects["TASK"].items():
        core = cores.get(("TASK", task), 0)
        for given in each.all("RESOURCE"):
            name = _first_of(resources, str(given.value))
            if name == SCHEDULER:
                continue
            other, its_core = owner.setdefault(name, (task, core))
            if core != its_core:
                expected = (
                    f"a resource of core {core}: {other} of core {its_core} has this one, "
                    "and SPINLOCK is for several cores"
                )
                reader.refuse(given.place, str(given.value), expected)


def _first_of(resources: Objects, name: str) -> str:
    """Return the resource at the end of the links, or `name` if it is not linked."""
    seen = {name}
    while name in resources:
        given = resources[name].one("RESOURCEPROPERTY")
        linked = given.parameters.one("LINKEDRESOURCE") if given else None
        if linked is None or linked.value in seen:
            return name
        name = str(linked.value)
        seen.add(name)
    return name


def add_spinlocks(
    reader: Reader, draft: Draft, objects: Mapping[str, Objects], cores: Cores
) -> None:
    """Take AUTOSAR's objects SPINLOCK; tasks of applications with access are the users.

    Without applications all tasks are, as ERIKA has it. A spinlock with users on one core is
    ignored.
    """
    users_of = {name: _users(each, objects) for name, each in objects["SPINLOCK"].items()}
    taken = {
        name
        for name, users in users_of.items()
        if len({cores.get(("TASK", task), 0) for task in users}) > 1
    }
    for name, spinlock in objects["SPINLOCK"].items():
        for next_one in spinlock.all("SUCCESSOR")[1:]:
            reader.refuse(next_one.place, str(next_one.value), "one successor at most")
        if name not in taken:
            why = "its users are on one core, and a RESOURCE is for one"
            reader.ignore(f"SPINLOCK {name}", spinlock.place, why)
            continue
        where: Where = ("kernel", "global")
        draft.field(where, GlobalProtocol.SPIN_UNORDERED.value, spinlock.place)
        draft.table(("resource", name), spinlock.place)
        for next_one in spinlock.all("SUCCESSOR")[:1]:
            if str(next_one.value) in taken:
                draft.field(("resource", name, "successor"), str(next_one.value), next_one.place)
        for task, place in users_of[name].items():
            draft.element(("task", task, "resources"), name, place)


def _users(spinlock: Checked, objects: Mapping[str, Objects]) -> dict[str, Place]:
    """Return the tasks that may lock a spinlock, with the places that say so."""
    if not objects["APPLICATION"]:
        return dict.fromkeys(objects["TASK"], spinlock.place)
    return {
        str(task.value): given.place
        for given in spinlock.all("ACCESSING_APPLICATION")
        for task in objects["APPLICATION"][str(given.value)].all("TASK")
    }
