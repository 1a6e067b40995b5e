# SPDX-License-Identifier: MIT
"""What becomes of each kind of object."""

from collections.abc import Mapping
from fractions import Fraction

from plafond.describe.kernel import DEFAULT_MODE, SCHEDULER, Hook
from plafond.describe.oil.application import Described
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.definitions import shown_value
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.model import TRUE
from plafond.describe.oil.priorities import priorities_of
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where
from plafond.describe.source import Place, within
from plafond.units import LONGEST_NS, UNIT_NS, format_exactly

LEAST_STACK = 4096  # bytes; what a task has without the field
NANOSECONDS = "a whole number of nanoseconds, up to an hour"
# Our fields of the kernel, by OIL's attributes that are TRUE or FALSE.
OF_KERNEL = {
    "CONSOLE": "console",
    "USEPARAMETERACCESS": "parameters",
    "STACKMONITORING": "stack_monitoring",
}
# Our fields of a counter, by OIL's attributes that hold the same numbers.
OF_COUNTER = {
    "MAXALLOWEDVALUE": "highest",
    "TICKSPERBASE": "ticks_per_base",
    "MINCYCLE": "min_cycle",
}
# The same of a task, in seconds.
OF_TIMING = {
    "EXECUTIONBUDGET": "execution_budget",
    "TIMEFRAME": "time_frame",
    "MAXALLINTERRUPTLOCKTIME": "all_interrupt_lock_budget",
    "MAXOSINTERRUPTLOCKTIME": "os_interrupt_lock_budget",
}
OF_RESOURCES = ("LOCKINGTIME", "RESOURCE")  # each names a resource, and how long it may be held
# Ours, by OIL's, with the parameters that name what it is for.
ACTIONS = {
    "ACTIVATETASK": ("activate", "TASK"),
    "SETEVENT": ("set", "TASK", "EVENT"),
    "ALARMCALLBACK": ("call", "ALARMCALLBACKNAME"),
    "INCREMENTCOUNTER": ("increment", "COUNTER"),
}
# How a schedule table starts, with the attribute that says when.
STARTS = {"ABSOLUTE": "START", "RELATIVE": "OFFSET", "SYNCHRON": None}
# By how much a point may be adjusted: OIL's names of AUTOSAR's former edition.
OF_POINT = {"MAX_RETARD": "shorten", "MAX_ADVANCE": "lengthen"}
SYNCHRONISATION = "LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION"
Objects = Mapping[str, Checked]
Files = Mapping[str, list[tuple[Place, str]]]  # of [kernel], by its fields


def add_kernel(draft: Draft, system: Checked, files: Files) -> None:
    """Take the object OS."""
    where: Where = ("kernel",)
    draft.table(where, system.place)
    draft.missing((*where, "trusted"), within(system.place, "TRUSTED_SRC"))
    status = system.one("STATUS")
    if status:
        draft.field((*where, "status"), str(status.value).lower(), status.place)
    for hook in Hook:
        given = system.one(f"{hook.name}HOOK")
        if given and system.says(f"{hook.name}HOOK", "TRUE"):
            draft.element((*where, "hooks"), hook.value, given.place)
    for attribute, field in OF_KERNEL.items():
        given = system.one(attribute)
        if given and system.says(attribute, "TRUE"):
            draft.field((*where, field), True, given.place)
    draft.names((*where, "include"), system.all("INCLUDE"))
    draft.names((*where, "flags"), system.all("FLAG"))
    warnings = system.one("WARNINGS")
    if warnings and not system.says("WARNINGS", "SHOWN"):
        draft.field((*where, "warnings"), str(warnings.value).lower(), warnings.place)
    for field, found in files.items():
        for place, file in found:
            draft.element((*where, field), file, place)


def add_modes(draft: Draft, modes: Mapping[str, Described], system: Place) -> None:
    """Take the objects APPMODE. There is always one: so main() of a program is called."""
    for name, mode in modes.items():
        draft.element(("kernel", "modes"), name, mode.place)
    if not modes:
        draft.element(("kernel", "modes"), DEFAULT_MODE, system)


def add_tasks(
    reader: Reader, draft: Draft, tasks: Objects, resources: Objects, *, lock_scheduler: bool
) -> None:
    """Take the objects TASK; all may lock RES_SCHEDULER, if there is one."""
    given = {name: task.one("PRIORITY") for name, task in tasks.items()}
    priorities = priorities_of(
        reader, "TASK.PRIORITY", {name: each for name, each in given.items() if each}
    )
    internal = {name for name, each in resources.items() if _is_internal(each)}
    for name, task in tasks.items():
        where: Where = ("task", name)
        draft.table(where, task.place)
        priority = given[name]
        if priority:
            draft.field((*where, "priority"), priorities[name], priority.place)
        _add_activation(draft, where, task)
        schedule = task.one("SCHEDULE")
        if schedule and task.says("SCHEDULE", "NON"):
            draft.field((*where, "schedule"), "non", schedule.place)
        held = [each for each in task.all("RESOURCE") if each.value in internal]
        for each in held[:1]:
            draft.field((*where, "internal"), str(each.value), each.place)
        for each in held[1:]:
            reader.refuse(each.place, str(each.value), f"{held[0].value} as the only internal one")
        draft.names((*where, "events"), task.all("EVENT"))
        locked = [each for each in task.all("RESOURCE") if each.value not in internal]
        draft.names((*where, "resources"), locked)
        if lock_scheduler and all(each.value != SCHEDULER for each in locked):
            draft.element((*where, "resources"), SCHEDULER, task.place)
        stack = task.one("STACKSIZE")
        if stack and isinstance(stack.value, int) and stack.value > LEAST_STACK:
            draft.field((*where, "stack"), stack.value, stack.place)
        timing = task.one("TIMING_PROTECTION")
        if timing:
            _add_timing(reader, draft, where, timing.parameters)
            locks = [each for name in OF_RESOURCES for each in timing.parameters.all(name)]
            _add_resource_locks(reader, draft, where, locks)


def _add_timing(reader: Reader, draft: Draft, where: Where, limits: Checked) -> None:
    for attribute, field in OF_TIMING.items():
        limit = limits.one(attribute)
        if limit:
            _add_seconds(reader, draft, (*where, field), limit)


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
            _add_seconds(reader, draft, (*field, name), budget)
            draft.missing((*field, name), resource.place)
            draft.missing(field, each.place)
        seen.add(name)


def _add_activation(draft: Draft, where: Where, task: Checked) -> None:
    autostart = task.one("AUTOSTART")
    if autostart and task.says("AUTOSTART", "TRUE"):
        draft.field((*where, "autostart"), True, autostart.place)
        draft.names((*where, "modes"), autostart.parameters.all("APPMODE"))
    activation = task.one("ACTIVATION")
    if activation and activation.value != 1:
        draft.field((*where, "queue"), activation.value, activation.place)


def add_resources(draft: Draft, resources: Objects) -> None:
    """Take the objects RESOURCE."""
    for name, resource in resources.items():
        draft.table(("resource", name), resource.place)
        if _is_internal(resource):
            draft.field(("resource", name, "internal"), True, resource.place)
        given = resource.one("RESOURCEPROPERTY")
        other = given.parameters.one("LINKEDRESOURCE") if given else None
        if other:
            draft.field(("resource", name, "linked"), str(other.value), other.place)


def _is_internal(resource: Checked) -> bool:
    return resource.says("RESOURCEPROPERTY", "INTERNAL")


def add_events(draft: Draft, events: Objects, tasks: Objects) -> None:
    """Take the objects EVENT: those of tasks need a table only for a mask."""
    owned = {str(each.value) for task in tasks.values() for each in task.all("EVENT")}
    for name, event in events.items():
        mask = event.one("MASK")
        if mask and not mask.is_auto:
            draft.table(("event", name), event.place)
            draft.field(("event", name, "mask"), mask.value, mask.place)
        elif name not in owned:
            draft.table(("event", name), event.place)


def add_counters(reader: Reader, draft: Draft, counters: Objects) -> None:
    """Take the objects COUNTER."""
    for name, counter in counters.items():
        where: Where = ("counter", name)
        draft.table(where, counter.place)
        for attribute, field in OF_COUNTER.items():
            given = counter.one(attribute)
            if given and not given.is_auto:
                draft.field((*where, field), given.value, given.place)
        tick = counter.one("SECONDSPERTICK")
        if tick and not tick.is_auto:
            _add_seconds(reader, draft, (*where, "tick"), tick)


def _add_seconds(reader: Reader, draft: Draft, where: Where, given: Given) -> None:
    assert not isinstance(given.value, str)
    given_ns = Fraction(given.value) * UNIT_NS["s"]
    if given_ns.denominator != 1 or not 0 < given_ns <= LONGEST_NS:
        reader.refuse(given.place, shown_value(given.value), NANOSECONDS)
    else:
        draft.field(where, format_exactly(int(given_ns)), given.place)


def add_alarms(reader: Reader, draft: Draft, alarms: Objects) -> None:
    """Take the objects ALARM. Counters start at 0: so a relative time is an absolute one, but 0."""
    for name, alarm in alarms.items():
        where: Where = ("alarm", name)
        draft.table(where, alarm.place)
        counter, action = alarm.one("COUNTER"), alarm.one("ACTION")
        if counter:
            draft.field((*where, "counter"), str(counter.value), counter.place)
        if action:
            draft.field((*where, "action"), _action(action), action.place)
        autostart = alarm.one("AUTOSTART")
        if autostart and alarm.says("AUTOSTART", "TRUE"):
            for attribute in ("ALARMTIME", "CYCLETIME"):
                time = autostart.parameters.one(attribute)
                if time:
                    draft.element((*where, "autostart"), time.value, time.place)
            first = autostart.parameters.one("ALARMTIME")
            if first and first.value == 0 and autostart.parameters.says("TYPE", "RELATIVE"):
                expected = "from 1: SetRelAlarm() takes no 0"
                reader.refuse(first.place, "0, which is RELATIVE", expected)
            draft.names((*where, "modes"), autostart.parameters.all("APPMODE"))


def add_schedule_tables(reader: Reader, draft: Draft, tables: Objects) -> None:
    """Take the objects SCHEDULETABLE."""
    for name, table in tables.items():
        where: Where = ("schedule_table", name)
        draft.table(where, table.place)
        counter = table.one("COUNTER")
        if counter:
            draft.field((*where, "counter"), str(counter.value), counter.place)
        draft.missing((*where, "duration"), within(table.place, "DURATION"))
        length = _either(reader, table, "LENGTH", "DURATION")
        if length:
            draft.field((*where, "duration"), length.value, length.place)
        repeating = _either(reader, table, "PERIODIC", "REPEATING")
        if repeating and repeating.value == TRUE:
            draft.field((*where, "repeating"), True, repeating.place)
        _add_start(draft, where, table)
        _add_sync(draft, where, table)
        draft.missing((*where, "points"), within(table.place, "EXPIRY_POINT"))
        _add_points(draft, (*where, "points"), table.all("EXPIRY_POINT"))


def _either(reader: Reader, table: Checked, one: str, other: str) -> Given | None:
    """The value of two names for one attribute."""
    first, second = table.one(one), table.one(other)
    if first and second:
        reader.refuse(second.place, str(second.value), f"none beside {one}: it is the same")
    return first or second


def _add_start(draft: Draft, where: Where, table: Checked) -> None:
    start = table.one("AUTOSTART")
    if start is None or start.value not in STARTS:
        return
    kind = str(start.value)
    attribute = STARTS[kind]
    ticks = start.parameters.one(attribute) if attribute else None
    written = f"{kind.lower()} {ticks.value}" if ticks else kind.lower()
    draft.field((*where, "autostart"), written, ticks.place if ticks else start.place)
    draft.names((*where, "modes"), start.parameters.all("APPMODE"))


def _add_sync(draft: Draft, where: Where, table: Checked) -> None:
    given = table.one(SYNCHRONISATION)
    strategy = given.parameters.one("SYNC_STRATEGY") if given else None
    precision = given.parameters.one("PRECISION") if given else None
    if strategy:
        draft.field((*where, "sync"), str(strategy.value).lower(), strategy.place)
    if precision:
        draft.field((*where, "precision"), precision.value, precision.place)


def _add_points(draft: Draft, where: Where, points: list[Given]) -> None:
    """In the order of their offsets."""
    offsets = [(point.parameters.one("OFFSET"), point) for point in points]
    given = [(offset, point) for offset, point in offsets if offset]
    given.sort(key=lambda each: int(each[0].value))
    for index, (offset, point) in enumerate(given):
        actions = point.parameters.all("ACTION")
        table: dict[str, object] = {"at": offset.value, "do": [_action(each) for each in actions]}
        adjustable = point.parameters.one("ADJUSTABLE")
        for attribute, field in OF_POINT.items() if adjustable else ():
            most = adjustable.parameters.one(attribute) if adjustable else None
            if most:
                table[field] = most.value
                draft.missing((*where, index, field), most.place)
        draft.element(where, table, point.place)
        draft.missing((*where, index, "at"), offset.place)
        draft.missing((*where, index, "do"), within(point.place, "ACTION"))
        for number, action in enumerate(actions):
            draft.missing((*where, index, "do", number), action.place)


def _action(action: Given) -> str:
    verb, *names = ACTIONS[str(action.value)]
    given = (action.parameters.one(name) for name in names)
    return " ".join([verb, *(str(each.value) for each in given if each)])


def add_isrs(reader: Reader, draft: Draft, isrs: Objects) -> None:
    """Take the objects ISR; of category 1 a priority means nothing."""
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
        draft.table(("isr", name), isr.place)
        number = isr.one("INTERRUPT")
        if number:
            draft.field(("isr", name, "source"), number.value, number.place)
        category = isr.one("CATEGORY")
        if category and category.value == 1:
            draft.field(("isr", name, "category"), 1, category.place)
        if name in ranked:
            draft.field(("isr", name, "priority"), priorities[name], ranked[name].place)
        draft.names(("isr", name, "resources"), isr.all("RESOURCE"))
