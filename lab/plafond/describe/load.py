# SPDX-License-Identifier: MIT
"""Read a description: all its mistakes at once, or a system."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from plafond.describe.form import TOO_MANY_DIGITS, problems_of_form, scheduler_of
from plafond.describe.hold_rules import problems_of_holds
from plafond.describe.kernel_rules import (
    problems_of_alarms,
    problems_of_counters,
    problems_of_files,
    problems_of_isrs,
    problems_of_kernel_tasks,
    problems_of_scheduler,
)
from plafond.describe.make import system_of
from plafond.describe.mutexes import Mutex, mutexes_of, problems_of_mutexes
from plafond.describe.positions import line_of, lines_of
from plafond.describe.problems import DescriptionError, Problem, field_name
from plafond.describe.rules import (
    Known,
    problems_of_cpu,
    problems_of_resources,
    problems_of_tasks,
)
from plafond.describe.scheduler_rules import problems_of_scheduling
from plafond.describe.schema import (
    MOST_CPUS,
    AlarmFields,
    CounterFields,
    Description,
    IsrFields,
    KernelFields,
    MutexFields,
    ResourceFields,
    ServerFields,
    Strict,
    TaskFields,
)
from plafond.describe.server_rules import problems_of_servers
from plafond.describe.sharing_rules import problems_of_sharing
from plafond.describe.spinlock_rules import problems_of_spinlocks
from plafond.describe.system import System
from plafond.errors import PlafondError

Fields = TypeVar("Fields", bound=Strict)
LARGEST_FILE = 1 << 20
# A key of so many parts, which would take tomllib a time that grows with their square.
_DEEP_KEY = re.compile(r"""(?:^|[\[{,])[ \t]*(?:[\w"'-]+[ \t]*\.[ \t]*){100}""", re.MULTILINE)


def load(file: Path) -> System:
    """Return the system that the file describes; DescriptionError names every mistake."""
    text = _read(file)
    raw = _parse(file, text)
    form = list(problems_of_form(raw))
    rules = list(_problems_of_rules(raw, file.parent))
    if form:
        _refuse(file, text, [*form, *rules])
    description = Description.model_validate(raw)
    system = system_of(description, file)
    _refuse(file, text, [*rules, *problems_of_holds(system, description.server)])
    return system


def load_mutexes(file: Path) -> tuple[Mutex, ...]:
    """Return the mutexes of a file of `plafond preload`; of tasks there may be none.

    DescriptionError as from load().
    """
    text = _read(file)
    raw = _parse(file, text)
    problems = [*problems_of_form(raw), *_problems_of_rules(raw, file.parent)]
    _refuse(file, text, [p for p in problems if "task" in raw or p.where != ("task",)])
    return mutexes_of(
        _well_formed(raw.get("mutex"), MutexFields),
        _well_formed(raw.get("resource"), ResourceFields),
        _well_formed(raw.get("task"), TaskFields),
    )


def _refuse(file: Path, text: str, problems: list[Problem]) -> None:
    if problems:
        lines = lines_of(text)
        raise DescriptionError(file, [(line_of(lines, p.where), p) for p in problems])


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise PlafondError(f"{file}: found more than 1 MiB; expected a description")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise PlafondError(f"{file}: {error.strerror}; expected a description (TOML)") from None
    except UnicodeDecodeError:
        raise PlafondError(f"{file}: found bytes that are not UTF-8; expected TOML") from None


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        if _DEEP_KEY.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise PlafondError(f"{file}: found tables nested too deeply; expected at most 3") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        found = _in_terms_of_toml(re.sub(r" \(at [^)]*\)", "", str(error)))
        raise DescriptionError(file, [(line, Problem((), found, "valid TOML"))]) from None
    except ValueError:  # Python's limit to the digits of a number
        digits = re.search(r"[0-9][0-9_]{4000}", text)
        line = text.count("\n", 0, digits.start() if digits else None) + 1
        problem = Problem((), TOO_MANY_DIGITS, "a smaller number")
        raise DescriptionError(file, [(line, problem)]) from None


def _in_terms_of_toml(message: str) -> str:
    """Return what tomllib says, with a table as a file writes it."""
    twice = re.fullmatch(r"Cannot declare (\(.*\)) twice", message)
    return f"[{field_name(ast.literal_eval(twice[1]))}] twice" if twice else message


def _problems_of_rules(raw: dict[str, Any], folder: Path) -> Iterator[Problem]:
    """Check what is well formed also when something else is not."""
    tasks = _well_formed(raw.get("task"), TaskFields)
    resources = _well_formed(raw.get("resource"), ResourceFields)
    servers = _well_formed(raw.get("server"), ServerFields)
    counters = _well_formed(raw.get("counter"), CounterFields)
    alarms = _well_formed(raw.get("alarm"), AlarmFields)
    isrs = _well_formed(raw.get("isr"), IsrFields)
    mutexes = _well_formed(raw.get("mutex"), MutexFields)
    kernel = _well_formed({"kernel": raw.get("kernel", {})}, KernelFields).get("kernel")
    scheduler = scheduler_of(raw)
    known = Known(
        tasks=_names(raw, "task"),
        resources=_names(raw, "resource"),
        internal=frozenset(name for name, table in resources.items() if table.internal),
        events={name: task.events for name, task in tasks.items()},
        has_kernel="kernel" in raw,
    )
    return chain(
        _problems_of_cpus(
            raw.get("cpus", 1), task=tasks, server=servers, counter=counters, isr=isrs
        ),
        problems_of_tasks(tasks, known),
        problems_of_resources(tasks, resources, _names(raw, "mutex"), scheduler),
        problems_of_spinlocks(tasks, resources, known),
        problems_of_servers(servers, _names(raw, "server"), tasks, resources, scheduler),
        problems_of_sharing(servers, _names(raw, "server"), tasks, resources, scheduler),
        problems_of_scheduling(scheduler, tasks, resources, kernel) if scheduler else (),
        problems_of_kernel_tasks(tasks, resources, known),
        problems_of_scheduler(resources),
        problems_of_counters(counters),
        problems_of_alarms(alarms, counters, _names(raw, "counter"), known),
        problems_of_isrs(isrs, scheduler),
        problems_of_mutexes(mutexes, resources, tasks, known, scheduler),
        problems_of_files(kernel, folder, bool(isrs)) if kernel else (),
    )


def _problems_of_cpus(
    cpus: object, **tables: Mapping[str, TaskFields | ServerFields | CounterFields | IsrFields]
) -> Iterator[Problem]:
    if isinstance(cpus, int) and 0 < cpus <= MOST_CPUS:
        for kind, named in tables.items():
            yield from problems_of_cpu(kind, {name: each.cpu for name, each in named.items()}, cpus)


def _names(raw: dict[str, Any], tables: str) -> list[str]:
    named = raw.get(tables, {})
    return list(named) if isinstance(named, dict) else []


def _well_formed(tables: object, model: type[Fields]) -> dict[str, Fields]:
    found: dict[str, Fields] = {}
    for name, table in tables.items() if isinstance(tables, dict) else ():
        try:
            found[name] = model.model_validate(table)
        except ValidationError:
            continue  # reported by problems_of_form()
    return found
