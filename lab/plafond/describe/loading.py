# SPDX-License-Identifier: MIT
"""Read a description: return a system, or report all mistakes at once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from plafond.describe.alarm import Alarm
from plafond.describe.application import Application
from plafond.describe.application_rules import problems_of_applications
from plafond.describe.combine import Place, problems_of_combinations
from plafond.describe.counter import Counter
from plafond.describe.counter_rules import problems_of_increments
from plafond.describe.description import TABLES, Description
from plafond.describe.event import Event
from plafond.describe.events import problems_of_events
from plafond.describe.fields import MOST_CPUS, Strict
from plafond.describe.flag_rules import problems_of_flags
from plafond.describe.form import problems_of_form, scheduler_of
from plafond.describe.function_rules import problems_of_functions
from plafond.describe.hold_rules import problems_of_holds
from plafond.describe.ioc import Ioc
from plafond.describe.isr import Isr
from plafond.describe.isr_rules import problems_of_isr_resources
from plafond.describe.kernel_rules import (
    problems_of_files,
    problems_of_internal_resources,
    problems_of_isrs,
    problems_of_modes,
)
from plafond.describe.kernel_table import Kernel
from plafond.describe.linked_rules import problems_of_linked
from plafond.describe.make import system_of
from plafond.describe.message import Com, Message
from plafond.describe.message_rules import (
    problems_of_com,
    problems_of_com_callbacks,
    problems_of_receivers,
)
from plafond.describe.mutex import Mutex
from plafond.describe.mutexes import ceiling_of, problems_of_mutexes
from plafond.describe.named import Known, Named
from plafond.describe.needs import TITLE, Needs
from plafond.describe.problems import Problem
from plafond.describe.purpose import refuse_study
from plafond.describe.read import read
from plafond.describe.reservation_rules import (
    problems_of_reservations,
    reservations_among,
    servers_among,
    tasks_outside,
)
from plafond.describe.resource import Resource
from plafond.describe.rules import (
    cpus_of_users,
    problems_of_cpu,
    problems_of_resources,
)
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.scheduler_rules import problems_of_scheduling
from plafond.describe.server import Server
from plafond.describe.server_rules import problems_of_servers
from plafond.describe.sharing_rules import problems_of_sharing, shared_by
from plafond.describe.source import Source
from plafond.describe.spinlock_rules import problems_of_spinlocks
from plafond.describe.subject import OF_KERNEL, Subject
from plafond.describe.system import System
from plafond.describe.task import Task
from plafond.describe.toml import source_of_toml

Fields = TypeVar("Fields", bound=Strict)


def load(file: Path, folders: tuple[Path, ...] = ()) -> System:
    """Return the system that the file describes; DescriptionError names every mistake.

    `folders`: where #include of OIL searches.
    """
    return system_from(read(file, folders))


def loads(text: str, file: Path = Path("description.toml")) -> System:
    """Return the system that a text in TOML describes, as if the text were in that file."""
    return system_from(source_of_toml(file, text))


def system_from(source: Source) -> System:
    """Return the system that a source describes; DescriptionError as from load()."""
    refuse_study(source)
    if source.part:
        expected = "a CPU with a TASK or ISR, here or in a file that includes this one"
        raise source.error([Problem((), source.part, expected)])
    of_build = source.to_build is not None
    form = list(problems_of_form(source.raw, files_may_follow=of_build))
    rules = list(_problems_of_rules(source.raw, source.file.parent))
    late = [*source.needs, *(each for each in rules if of_build and each.of_build)]
    rules = [each for each in rules if each not in late]
    if form:
        raise source.error([*form, *rules])
    description = Description.model_validate(source.raw)
    system = system_of(description, source.file)
    problems = [*rules, *problems_of_holds(system)]
    if problems:
        raise source.error(problems)
    needs = _needs_of(source, late) if late else None
    return replace(system, needs=needs, folders=source.folders, defaults=source.defaults)


def _needs_of(source: Source, late: list[Problem]) -> Needs:
    lines = source.to_build(late) if source.to_build else []
    to_add = [f"  {line}" for line in lines if not line.startswith("//")]  # the error has the rest
    return Needs(source.error(late, [TITLE, *to_add] if to_add else []), tuple(lines))


def load_mutexes(file: Path) -> tuple[Mutex, ...]:
    """Return the mutexes of a file for `plafond preload`, which need not have tasks.

    DescriptionError as from load().
    """
    source = read(file)
    refuse_study(source)
    raw = source.raw
    problems = [*problems_of_form(raw), *_problems_of_rules(raw, file.parent)]
    problems = [p for p in problems if "task" in raw or p.where != ("task",)]
    if problems:
        raise source.error(problems)
    resources = _well_formed(raw.get("resource"), Resource)
    tasks = _well_formed(raw.get("task"), Task)
    return tuple(
        mutex.changed(ceiling=ceiling_of(name, resources, tasks))
        for name, mutex in _well_formed(raw.get("mutex"), Mutex).items()
    )


def _problems_of_rules(raw: dict[str, Any], folder: Path) -> Iterator[Problem]:
    """Check the well-formed tables even if other tables are not well formed."""
    tasks = _well_formed(raw.get("task"), Task)
    resources = _well_formed(raw.get("resource"), Resource)
    servers = _well_formed(raw.get("server"), Server)
    events = _well_formed(raw.get("event"), Event)
    counters = _well_formed(raw.get("counter"), Counter)
    alarms = _well_formed(raw.get("alarm"), Alarm)
    schedule_tables = _well_formed(raw.get("schedule_table"), ScheduleTable)
    isrs = _well_formed(raw.get("isr"), Isr)
    messages = _well_formed(raw.get("message"), Message)
    iocs = _well_formed(raw.get("ioc"), Ioc)
    applications = _well_formed(raw.get("application"), Application)
    mutexes = _well_formed(raw.get("mutex"), Mutex)
    with_tasks, others = servers_among(servers), tasks_outside(servers, tasks)
    kernel = _well_formed({"kernel": raw.get("kernel", {})}, Kernel).get("kernel")
    com = _well_formed({"com": raw.get("com", {})}, Com).get("com")
    scheduler = scheduler_of(raw)
    objects: dict[str, Mapping[str, Named]] = {
        "task": tasks,
        "resource": resources,
        "server": servers,
        "event": events,
        "counter": counters,
        "alarm": alarms,
        "schedule_table": schedule_tables,
        "isr": isrs,
        "message": messages,
        "ioc": iocs,
        "application": applications,
        "mutex": mutexes,
    }
    known = Known(
        names={kind: _names(raw, kind) for kind in TABLES},
        objects=objects,
        internal=frozenset(name for name, table in resources.items() if table.internal),
        events={name: task.events for name, task in tasks.items()},
        has_kernel="kernel" in raw,
        folder=folder,
    )
    subject = Subject(
        scheduler=scheduler,
        cpus=_cpus(raw) or 1,
        tasks=tasks,
        resources=resources,
        isrs=isrs,
        alarms=alarms,
        applications=applications,
        servers={
            name: with_tasks[name].kind if name in with_tasks else ""
            for name in _names(raw, "server")
            if name in with_tasks or name not in servers
        },
        reservations=list(reservations_among(servers)),
        schedule_tables=list(schedule_tables),
        messages=list(messages),
        mutexes=list(mutexes),
        counters=list(counters),
        iocs=list(iocs),
        cpus_of={name: cpus_of_users(name, tasks) for name in resources},
        servers_of=shared_by(_names(raw, "server"), others, resources),
        of_kernel=[each for each in OF_KERNEL if kernel and getattr(kernel, each)],
    )
    return chain(
        problems_of_combinations(subject, Place.EVERYWHERE),
        _problems_of_cpus(
            _cpus(raw), task=tasks, server=with_tasks, counter=counters, isr=isrs, message=messages
        ),
        problems_of_resources(tasks, resources),
        problems_of_spinlocks(tasks, resources, known),
        problems_of_linked(tasks, resources, isrs, _names(raw, "mutex"), known),
        problems_of_servers(with_tasks, others, resources, known),
        problems_of_sharing(with_tasks, _names(raw, "server"), others, resources),
        problems_of_reservations(servers, tasks, _cpus(raw)),
        problems_of_scheduling(scheduler, tasks, resources, kernel) if scheduler else (),
        problems_of_internal_resources(tasks, resources, known),
        problems_of_events(tasks, events, _cpus(raw) or 1),
        *(each.problems(known) for named in objects.values() for each in named.values()),
        problems_of_increments(alarms, counters),
        problems_of_isrs(isrs),
        problems_of_isr_resources(isrs, tasks, resources, known),
        problems_of_applications(
            _names(raw, "application"),
            applications,
            task=tasks,
            resource=resources,
            isr=isrs,
            counter=counters,
            alarm=alarms,
            schedule_table=schedule_tables,
        ),
        problems_of_functions(applications, known),
        problems_of_receivers(messages),
        problems_of_com_callbacks(messages, kernel) if kernel else (),
        problems_of_com(
            com,
            _names(raw, "message"),
            kernel,
            known,
            has_own_sources=any(each.sources for each in applications.values()),
        )
        if com and kernel
        else (),
        problems_of_mutexes(mutexes, resources, tasks),
        problems_of_modes(kernel, com, task=tasks, alarm=alarms, schedule_table=schedule_tables)
        if kernel
        else (),
        problems_of_files(kernel, folder, applications, isrs, alarms) if kernel else (),
        problems_of_flags(kernel) if kernel else (),
    )


def _problems_of_cpus(
    cpus: int | None,
    **tables: Mapping[str, Task | Server | Counter | Isr | Message],
) -> Iterator[Problem]:
    if cpus is not None:
        for kind, named in tables.items():
            yield from problems_of_cpu(kind, {name: each.cpu for name, each in named.items()}, cpus)


def _cpus(raw: dict[str, Any]) -> int | None:
    cpus = raw.get("cpus", 1)
    return cpus if isinstance(cpus, int) and 0 < cpus <= MOST_CPUS else None


def _names(raw: dict[str, Any], tables: str) -> list[str]:
    named = raw.get(tables, {})
    return list(named) if isinstance(named, dict) else []


def _well_formed(tables: object, model: type[Fields]) -> dict[str, Fields]:
    found: dict[str, Fields] = {}
    for name, table in tables.items() if isinstance(tables, dict) else ():
        try:
            well_formed = model.model_validate(table)
        except ValidationError:
            continue  # reported by problems_of_form()
        found[name] = well_formed.named(name) if isinstance(well_formed, Named) else well_formed
    return found
