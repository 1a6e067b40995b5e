# SPDX-License-Identifier: MIT
"""Convert each kind of object."""

from collections.abc import Mapping

from plafond.describe.event import Event
from plafond.describe.isr import Isr
from plafond.describe.kernel import DEFAULT_MODE, SCHEDULER
from plafond.describe.kernel_table import Kernel
from plafond.describe.oil.application import Application, Described
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import Objects, add_fields, add_objects, add_seconds
from plafond.describe.oil.model import TRUE
from plafond.describe.oil.priorities import priorities_of
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where
from plafond.describe.resource import Resource
from plafond.describe.source import Place, within
from plafond.describe.task import Task

LEAST_STACK = 4096  # bytes; default of the field
# Each value names a resource, and the longest time to hold it.
OF_RESOURCES = ("LOCKINGTIME", "RESOURCE")
SYSTEM_COUNTER = "SystemCounter"
Files = Mapping[str, list[tuple[Place, str]]]  # from fields of [kernel] to their files


def add_kernel(reader: Reader, draft: Draft, system: Checked, files: Files) -> None:
    """Take the object OS."""
    where: Where = ("kernel",)
    draft.table(where, system.place)
    draft.missing((*where, "sources"), within(system.place, "APP_SRC"))
    draft.missing((*where, "trusted"), within(system.place, "TRUSTED_SRC"))
    add_fields(reader, draft, where, system, Kernel)
    for field, found in files.items():
        for place, file in found:
            draft.element((*where, field), file, place)


def ignore_parameters(reader: Reader, system: Checked, coms: Objects) -> None:
    """Ignore the access to parameters if there is no hook for errors, which alone has it."""
    if any(com.says("COMERRORHOOK", "TRUE") for com in coms.values()):
        return
    if system.says("ERRORHOOK", "TRUE"):
        return
    for each, name in (
        (system, "USEPARAMETERACCESS"),
        *((com, "COMUSEPARAMETERACCESS") for com in coms.values()),
    ):
        given = each.one(name)
        if given and given.value == TRUE:
            reader.ignore(name, given.place, "there is no hook for errors")
            del each.given[name]


def add_system_counter(reader: Reader, draft: Draft, application: Application) -> None:
    """Add the counter SystemCounter if an object names it and no object describes it.

    OSEK's hardware drives it, so a build needs the time of its tick.
    """
    kinds = ("ALARM", "SCHEDULETABLE", "APPLICATION")
    users = [each for kind in kinds for each in application[kind].values()]
    named = [a for each in users for a in each.attributes if a.name == "COUNTER"]
    first = next((each for each in named if each.value == SYSTEM_COUNTER), None)
    if first and SYSTEM_COUNTER not in application["COUNTER"]:
        place = reader.place(("COUNTER", SYSTEM_COUNTER), first.line)
        application["COUNTER"][SYSTEM_COUNTER] = Described(place)
        tick = within(place, "SECONDSPERTICK")
        where: Where = ("counter", SYSTEM_COUNTER, "tick")
        draft.need(where, tick, "nothing", "the seconds of a tick")


def add_modes(draft: Draft, modes: Mapping[str, Described], system: Place) -> None:
    """Take the objects APPMODE. There is always a mode, so the program's main() is called."""
    for name, mode in modes.items():
        draft.element(("kernel", "modes"), name, mode.place)
    if not modes:
        draft.element(("kernel", "modes"), DEFAULT_MODE, system)


def add_tasks(
    reader: Reader, draft: Draft, tasks: Objects, resources: Objects, *, lock_scheduler: bool
) -> None:
    """Take the objects TASK. If `lock_scheduler`, every task may lock RES_SCHEDULER."""
    given = {name: task.one("PRIORITY") for name, task in tasks.items()}
    priorities = priorities_of(
        reader, "TASK.PRIORITY", {name: each for name, each in given.items() if each}
    )
    internal = {name for name, each in resources.items() if _is_internal(each)}
    for name, priority in given.items():
        draft.table(("task", name), tasks[name].place)
        if priority:
            draft.field(("task", name, "priority"), priorities[name], priority.place)
    add_objects(reader, draft, Task, tasks)
    for name, task in tasks.items():
        where: Where = ("task", name)
        held = [each for each in task.all("RESOURCE") if each.value in internal]
        for each in held[:1]:
            draft.field((*where, "internal"), str(each.value), each.place)
        for each in held[1:]:
            reader.refuse(each.place, str(each.value), f"{held[0].value} as the only internal one")
        locked = [each for each in task.all("RESOURCE") if each.value not in internal]
        draft.names((*where, "resources"), locked)
        if lock_scheduler and all(each.value != SCHEDULER for each in locked):
            draft.element((*where, "resources"), SCHEDULER, task.place)
        stack = task.one("STACKSIZE")
        if stack and isinstance(stack.value, int) and stack.value > LEAST_STACK:
            draft.field((*where, "stack"), stack.value, stack.place)
        locks = [each for name in OF_RESOURCES for each in task.at(f"TIMING_PROTECTION.{name}")]
        _add_resource_locks(reader, draft, where, locks)


def _add_resource_locks(reader: Reader, draft: Draft, where: Where, given: list[Given]) -> None:
    field: Where = (*where, "resource_lock_budgets")
    seen: set[str] = set()
    for each in given:
        resource = each.parameters.one("RESOURCE")
        budget = each.parameters.one("RESOURCELOCKTIME")
        name = str(resource.value) if resource else ""
        if resource and name in seen:
            reader.refuse(resource.place, f"{name}, a second time", "one limit of a resource")
        elif budget and resource:
            add_seconds(reader, draft, (*field, name), [budget])
            draft.missing((*field, name), resource.place)
            draft.missing(field, each.place)
        seen.add(name)


def add_resources(reader: Reader, draft: Draft, resources: Objects) -> None:
    """Take the objects RESOURCE."""
    add_objects(reader, draft, Resource, resources)
    for name, resource in resources.items():
        if _is_internal(resource):
            draft.field(("resource", name, "internal"), True, resource.place)


def _is_internal(resource: Checked) -> bool:
    return resource.says("RESOURCEPROPERTY", "INTERNAL")


def add_events(reader: Reader, draft: Draft, events: Objects, tasks: Objects) -> None:
    """Take the objects EVENT; an event of a task needs a table only for a mask."""
    owned = {str(each.value) for task in tasks.values() for each in task.all("EVENT")}
    for name, event in events.items():
        mask = event.one("MASK")
        if name not in owned or (mask and not mask.is_auto):
            add_objects(reader, draft, Event, {name: event})


def refuse_relative_zeros(reader: Reader, alarms: Objects) -> None:
    """Refuse a relative alarm time of 0, because SetRelAlarm() does not allow 0."""
    for alarm in alarms.values():
        autostart = alarm.one("AUTOSTART")
        first = autostart.parameters.one("ALARMTIME") if autostart else None
        if (
            autostart
            and first
            and first.value == 0
            and autostart.parameters.says("TYPE", "RELATIVE")
        ):
            reader.refuse(first.place, "0, which is RELATIVE", "from 1: SetRelAlarm() takes no 0")


def add_isrs(reader: Reader, draft: Draft, isrs: Objects) -> None:
    """Take the objects ISR; a priority is ignored in category 1."""
    given = {name: isr.one("PRIORITY") for name, isr in isrs.items()}
    ranked: dict[str, Given] = {}
    for name, each in given.items():
        category = isrs[name].one("CATEGORY")
        if each and category and category.value == 1:
            reader.ignore("ISR.PRIORITY", each.place, "category 1 is above all others")
        elif each:
            ranked[name] = each
    priorities = priorities_of(reader, "ISR.PRIORITY of category 2", ranked)
    for name, isr in isrs.items():
        draft.missing(("isr", name, "source"), within(isr.place, "INTERRUPT"))
    add_objects(reader, draft, Isr, isrs)
    for name, priority in priorities.items():
        draft.field(("isr", name, "priority"), priority, ranked[name].place)
