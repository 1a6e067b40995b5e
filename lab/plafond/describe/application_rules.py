# SPDX-License-Identifier: MIT
"""Rules for a description with OS-Applications: AUTOSAR OS 4.x, Section 7.6.

Each object except a resource must belong to an application. An object that acts without a calling
task, such as an alarm, has the rights of its application.
"""

from collections.abc import Iterator, Mapping, Sequence

from plafond.describe.alarm import Alarm
from plafond.describe.application import MOST_FUNCTIONS, Application
from plafond.describe.body import Action, Activate, CallBack, Chain, Increment, Lock, SetEvent, Step
from plafond.describe.counter import Counter
from plafond.describe.isr import Isr
from plafond.describe.owners import Owned, applications_with
from plafond.describe.problems import Problem, Where
from plafond.describe.resource import Resource
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.task import Task
from plafond.words import suggestion

Tables = Mapping[str, Mapping[str, Owned]]


def problems_of_applications(
    named: Sequence[str],
    applications: Mapping[str, Application],
    *,
    task: Mapping[str, Task],
    resource: Mapping[str, Resource],
    isr: Mapping[str, Isr],
    counter: Mapping[str, Counter],
    alarm: Mapping[str, Alarm],
    schedule_table: Mapping[str, ScheduleTable],
) -> Iterator[Problem]:
    """Yield faults of owners, trust, cores and access between applications."""
    tables: Tables = {
        "task": task,
        "resource": resource,
        "isr": isr,
        "counter": counter,
        "alarm": alarm,
        "schedule_table": schedule_table,
    }
    for kind, objects in tables.items():
        for name, table in objects.items():
            yield from _problems_of_owner((kind, name), table, named)
    yield from _problems_of_trust(applications, isr, alarm)
    yield from _problems_of_restart(applications, task)
    yield from _problems_of_functions(applications)
    yield from _problems_of_cpus(
        {"task": task, "isr": isr, "counter": counter},
        {"alarm": alarm, "schedule_table": schedule_table},
    )
    for name, fields in task.items():
        yield from _problems_of_task(name, fields, tables)
    yield from _problems_of_isrs(isr, tables)
    yield from _problems_of_alarms(alarm, tables)
    yield from _problems_of_schedule_tables(schedule_table, tables)


def _problems_of_owner(where: Where, table: Owned, named: Sequence[str]) -> Iterator[Problem]:
    if table.application is None and named and not isinstance(table, Resource):
        expected = "the name of one application: where there are some, each object belongs to one"
        yield Problem((*where, "application"), "nothing", expected, of_build=True)
    elif table.application is not None and table.application not in named:
        expected = _described(table.application, named)
        yield Problem((*where, "application"), table.application, expected)
    for index, name in enumerate(getattr(table, "access", ())):
        if name not in named:
            yield Problem((*where, "access", index), name, _described(name, named))


def _described(name: str, named: Sequence[str]) -> str:
    described = f"an application that is described: a table [application.{name}]"
    return described + suggestion(name, list(named))


def _problems_of_trust(
    applications: Mapping[str, Application],
    isrs: Mapping[str, Isr],
    alarms: Mapping[str, Alarm],
) -> Iterator[Problem]:
    """Yield code in the kernel's mode whose application is not trusted: protection cannot confine
    it."""
    calling = {name: alarm for name, alarm in alarms.items() if isinstance(alarm.action, CallBack)}
    in_kernel: list[tuple[Where, str, Owned]] = [
        *((("isr", name), "its handler runs", isr) for name, isr in isrs.items()),
        *((("alarm", name), "its callback runs", alarm) for name, alarm in calling.items()),
    ]
    for where, runs, table in in_kernel:
        owner = applications.get(table.application or "")
        if owner and not owner.trusted:
            expected = f"one with trusted = true: {runs} in the kernel's mode"
            field: Where = (*where, "application")
            yield Problem(field, str(table.application), expected, of_build=True)


def _problems_of_restart(
    applications: Mapping[str, Application], tasks: Mapping[str, Task]
) -> Iterator[Problem]:
    for name, application in applications.items():
        own = [task for task, table in tasks.items() if table.application == name]
        if application.restart is not None and application.restart not in own:
            listed = ", ".join(own) or "none so far"
            hint = suggestion(application.restart, own)
            expected = f"one of the tasks of {name}: {listed}{hint}"
            yield Problem(("application", name, "restart"), application.restart, expected)


def _problems_of_functions(applications: Mapping[str, Application]) -> Iterator[Problem]:
    """Yield trusted functions without trust, and names that two applications give to functions.

    The names must differ because CallTrustedFunction numbers the functions of all applications
    together.
    """
    first: dict[str, str] = {}
    for name, application in applications.items():
        for index, function in enumerate(application.functions):
            where: Where = ("application", name, "functions", index)
            if not application.trusted:
                expected = "an application with trusted = true: it runs in the kernel's mode"
                yield Problem(where, function, expected)
            if function in first:
                expected = f"another name: {first[function]} has a function {function}"
                yield Problem(where, function, expected)
            first.setdefault(function, name)
    if len(first) > MOST_FUNCTIONS:
        found = f"{len(first)} functions in all"
        yield Problem(("application",), found, f"at most {MOST_FUNCTIONS}")


def _problems_of_cpus(
    tables: Mapping[str, Mapping[str, Task | Isr | Counter]],
    counted: Mapping[str, Mapping[str, Alarm | ScheduleTable]],
) -> Iterator[Problem]:
    """Yield objects on another core than their application, or whose counter is on another core."""
    counters = tables["counter"]
    placed: list[tuple[Where, str | None, int, str]] = [
        ((kind, name, "cpu"), table.application, table.cpu, str(table.cpu))
        for kind, objects in tables.items()
        for name, table in objects.items()
    ]
    placed += [
        ((kind, name, "counter"), table.application, cpu, f"{table.counter}, on CPU {cpu}")
        for kind, named in counted.items()
        for name, table in named.items()
        if table.counter in counters
        for cpu in [counters[table.counter].cpu]
    ]
    first: dict[str, tuple[int, Where]] = {}
    for where, application, cpu, found in placed:
        if application is None:
            continue
        expected_cpu, of = first.setdefault(application, (cpu, where[:-1]))
        if cpu != expected_cpu:
            counter = "one on CPU " if where[-1] == "counter" else ""
            expected = (
                f"{counter}{expected_cpu}, as of {' '.join(map(str, of))}: application "
                f"{application} is on one CPU"
            )
            yield Problem(where, found, expected)


def _problems_of_task(name: str, task: Task, tables: Tables) -> Iterator[Problem]:
    for index, step in enumerate(task.body):
        where: Where = ("task", name, "body", index)
        if isinstance(step, Lock):
            found = f"lock {step.resource}"
            yield from _problems_of_use(where, found, task, "resource", step.resource, tables)
        else:
            yield from _problems_of_act(where, step, task, tables)
    for index, resource in enumerate(task.declared):
        where = ("task", name, "resources", index)
        yield from _problems_of_use(where, resource, task, "resource", resource, tables)
    if task.internal:
        where = ("task", name, "internal")
        yield from _problems_of_use(where, task.internal, task, "resource", task.internal, tables)


def _problems_of_isrs(isrs: Mapping[str, Isr], tables: Tables) -> Iterator[Problem]:
    for name, isr in isrs.items():
        for index, locked in enumerate(isr.resources):
            where: Where = ("isr", name, "resources", index)
            yield from _problems_of_use(where, locked, isr, "resource", locked, tables)


def _problems_of_alarms(alarms: Mapping[str, Alarm], tables: Tables) -> Iterator[Problem]:
    for name, alarm in alarms.items():
        yield from _problems_of_counter(("alarm", name), alarm, alarm.counter, tables)
        yield from _problems_of_act(("alarm", name, "action"), alarm.action, alarm, tables)


def _problems_of_schedule_tables(
    named: Mapping[str, ScheduleTable], tables: Tables
) -> Iterator[Problem]:
    for name, table in named.items():
        own: Where = ("schedule_table", name)
        yield from _problems_of_counter(own, table, table.counter, tables)
        for index, point in enumerate(table.points):
            for number, signal in enumerate(point.signals):
                where = (*own, "points", index, "do", number)
                yield from _problems_of_act(where, signal, table, tables)


def _problems_of_act(
    where: Where, act: Action | Step, user: Owned, tables: Tables
) -> Iterator[Problem]:
    match act:
        case Activate(task) | Chain(task) | SetEvent(task, _):
            yield from _problems_of_use(where, str(act), user, "task", task, tables)
        case Increment(counter):
            yield from _problems_of_use(where, str(act), user, "counter", counter, tables)


def _problems_of_counter(
    where: Where, user: Owned, counter: str, tables: Tables
) -> Iterator[Problem]:
    yield from _problems_of_use((*where, "counter"), counter, user, "counter", counter, tables)


def _problems_of_use(
    where: Where, found: str, user: Owned, kind: str, name: str, tables: Tables
) -> Iterator[Problem]:
    """Yield the use of another application's object that is not open to the user's application."""
    used = tables[kind].get(name)
    if used is None or user.application is None or user.application in applications_with(used):
        return
    if isinstance(used, Resource) and used.is_open:
        return
    if not isinstance(used, Resource) and used.application is None:
        return  # reported with that object
    whose = f", which is of {used.application}" if used.application else ""
    expected = f'access = ["{user.application}"] in [{kind}.{name}]{whose}'
    yield Problem(where, found, expected, of_build=True)
