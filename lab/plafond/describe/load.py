# SPDX-License-Identifier: MIT
"""Read a description: all its mistakes at once, or a system."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from plafond.describe.positions import line_of, lines_of
from plafond.describe.problems import DescriptionError, Problem, Where, field_name
from plafond.describe.rules import problems_of_resources, problems_of_tasks, uses
from plafond.describe.schema import (
    NAME,
    Description,
    ResourceFields,
    Strict,
    TaskFields,
)
from plafond.describe.steps import STEPS
from plafond.describe.system import Pending, Resource, System, Task
from plafond.errors import PlafondError
from plafond.words import suggestion

Fields = TypeVar("Fields", TaskFields, ResourceFields)
LARGEST_FILE = 1 << 20
# A key of so many parts, which would take tomllib a time that grows with their square.
_DEEP_KEY = re.compile(r"""(?:^|[\[{,])[ \t]*(?:[\w"'-]+[ \t]*\.[ \t]*){100}""", re.MULTILINE)
TOO_MANY_DIGITS = "a number with more digits than any field can hold"
MOST_BITS = 4096  # Python does not print much longer numbers


def load(file: Path) -> System:
    """Return the system that the file describes; DescriptionError names every mistake."""
    text = _read(file)
    raw = _parse(file, text)
    problems = [*_problems_of_form(raw), *_problems_of_rules(raw)]
    if problems:
        lines = lines_of(text)
        raise DescriptionError(file, [(line_of(lines, p.where), p) for p in problems])
    return _system(Description.model_validate(raw), file.stem)


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


def _problems_of_form(raw: dict[str, Any]) -> Iterator[Problem]:
    try:
        Description.model_validate(raw)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail["type"], tuple(detail["loc"]), detail)


def _problem(kind: str, loc: Where, detail: Any) -> Problem:
    if loc[-1] == "[key]":
        return Problem(loc[:-1], _shown(detail["input"]), f"a name: {NAME}")
    if kind == "extra_forbidden":
        known = list(_model_at(loc[:-1]).model_fields)
        expected = f"one of {', '.join(known)}{suggestion(str(loc[-1]), known)}"
        return Problem(loc, "an unknown key", expected)
    expected = str(detail["ctx"]["error"]) if kind == "value_error" else ""
    if expected in ("", "text"):
        expected = _expected_at(loc)
    found = "nothing" if kind == "missing" else _shown(detail["input"])
    return Problem(loc, found, expected)


def _model_at(where: Where) -> type[Strict]:
    tables: dict[str | int, type[Strict]] = {"task": TaskFields, "resource": ResourceFields}
    return tables[where[0]] if len(where) == 2 else Description


def _expected_at(where: Where) -> str:
    """Return what the schema says of the field, or of the table or list around it."""
    if len(where) > 3:
        return f"a step: {STEPS}"
    if len(where) == 1 or len(where) == 2:
        described = Description.model_fields[str(where[0])].description
    else:
        described = _model_at(where[:2]).model_fields[str(where[2])].description
    return described or ""


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return TOO_MANY_DIGITS
    if isinstance(value, str):
        shown = json.dumps(value, ensure_ascii=not value.isprintable())
    else:
        shown = json.dumps(value) if isinstance(value, bool) else str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _problems_of_rules(raw: dict[str, Any]) -> Iterator[Problem]:
    """Check what is well formed also when something else is not."""
    tasks = _well_formed(raw.get("task"), TaskFields)
    resources = _well_formed(raw.get("resource", {}), ResourceFields)
    named = raw.get("resource", {})
    cpus = raw.get("cpus", 1)
    return chain(
        problems_of_tasks(
            tasks,
            list(named) if isinstance(named, dict) else [],
            cpus if isinstance(cpus, int) and 0 < cpus <= 1024 else 1024,
        ),
        problems_of_resources(tasks, resources),
    )


def _well_formed(tables: object, model: type[Fields]) -> dict[str, Fields]:
    found: dict[str, Fields] = {}
    for name, table in tables.items() if isinstance(tables, dict) else ():
        try:
            found[name] = model.model_validate(table)
        except ValidationError:
            continue  # told by _problems_of_form()
    return found


def _system(description: Description, stem: str) -> System:
    tasks = [_task(name, fields) for name, fields in description.task.items()]
    return System(
        name=description.name or stem,
        cpus=description.cpus,
        seed=description.seed,
        tasks=tuple(sorted(tasks, key=lambda task: -task.priority)),
        resources=tuple(
            _resource(name, fields, description.task)
            for name, fields in description.resource.items()
        ),
    )


def _task(name: str, fields: TaskFields) -> Task:
    deadline_ns = fields.deadline
    return Task(
        name=name,
        priority=fields.priority,
        cpu=fields.cpu,
        interval=fields.arrival,
        offset_ns=fields.offset,
        deadline_ns=fields.arrival.least_ns if deadline_ns is None else deadline_ns,
        activations=fields.activations,
        pending=Pending(fields.pending),
        body=tuple(fields.body),
    )


def _resource(name: str, fields: ResourceFields, tasks: dict[str, TaskFields]) -> Resource:
    users = [user for user, task in tasks.items() if uses(task, name)]
    # Nobody's resource: any ceiling will do.
    highest = max((tasks[user].priority for user in users), default=1)
    return Resource(name=name, ceiling=fields.ceiling or highest, users=tuple(users))
