# SPDX-License-Identifier: MIT
"""Faults of a description's fields, each field by itself."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError

from plafond.describe.arrival import ARRIVALS
from plafond.describe.body import Activate, Chain
from plafond.describe.description import LISTED, SINGLE, TABLES, Description
from plafond.describe.fields import NAME, Strict, expected, fields_of, oil_of
from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.steps import STEPS, parse_action, parse_notification, parse_signal, parse_step
from plafond.describe.task import Task
from plafond.words import suggestion

TOO_MANY_DIGITS = "a number with more digits than any field can hold"
NO_ARRIVAL = f"{ARRIVALS}, or something that activates the task: a step, an alarm, autostart or C"
MOST_BITS = 4096  # Python refuses to print much longer numbers


def problems_of_form(raw: dict[str, Any], *, files_may_follow: bool = False) -> Iterator[Problem]:
    """Yield values that no field may hold, and missing fields.

    `files_may_follow`: a task without a body or activation may be in a C file that is not named,
    and interrupts need no task.
    """
    try:
        Description.model_validate(raw)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail["type"], tuple(detail["loc"]), detail)
    yield from _problems_of_missing(raw, files_may_follow=files_may_follow)


def scheduler_of(raw: dict[str, Any]) -> Scheduler | None:
    """Return the scheduler; None if the field is malformed."""
    known = {scheduler.value: scheduler for scheduler in Scheduler}
    word = raw.get("scheduler", Scheduler.PRIORITY.value)
    return known.get(word) if isinstance(word, str) else None


def _problem(kind: str, loc: Where, detail: Any) -> Problem:
    if loc[-1] == "[key]":
        return Problem(loc[:-1], shown(detail["input"]), f"a name: {NAME}")
    if kind == "extra_forbidden":
        return Problem(loc, "an unknown key", _known_instead(loc))
    wanted = str(detail["ctx"]["error"]) if kind == "value_error" else "text"
    if wanted == "text":
        wanted = _expected_at(loc)
    found = "nothing" if kind == "missing" else shown(detail["input"])
    return Problem(loc, found, wanted)


def _known_instead(where: Where) -> str:
    """Return the field that OSEK or a tool calls by this name, or else all fields."""
    model, key = _model_at(where[:-1]), str(where[-1])
    plain = key.lower().replace("_", "").replace("-", "")
    for name, field in fields_of(model).items():
        if plain in oil_of(field).plain_names:
            return f"{name}: {expected(model, name)}"
    known = list(fields_of(model))
    return model.elsewhere.get(plain) or f"one of {', '.join(known)}{suggestion(key, known)}"


def _model_at(where: Where) -> type[Strict]:
    if len(where) == 1 and where[0] in SINGLE:
        return SINGLE[str(where[0])]
    if len(where) == 4:
        return LISTED[str(where[0])]
    return TABLES[str(where[0])] if len(where) == 2 else Description


def _expected_at(where: Where) -> str:
    """Return the expected value of the field, or of the table or list around it."""
    if where[0] in SINGLE and len(where) > 1:
        return expected(SINGLE[str(where[0])], str(where[1]))
    if len(where) <= 2:
        return expected(Description, str(where[0]))
    if len(where) > 3 and where[2] == "body":
        return f"a step: {STEPS}"
    if len(where) > 4:
        return expected(_model_at(where[:4]), str(where[4]))
    return expected(_model_at(where[:2]), str(where[2]))


def _problems_of_missing(raw: dict[str, Any], *, files_may_follow: bool) -> Iterator[Problem]:
    """Yield missing fields that the scheduler needs, or that no other table replaces."""
    if not raw.get("task", {}) and not (files_may_follow and _table(raw.get("isr"))):
        found = shown(raw["task"]) if "task" in raw else "nothing"
        yield Problem(("task",), found, expected(Description, "task"))
    with_files = [_table(raw.get("kernel")), *map(_table, _table(raw.get("application")).values())]
    if files_may_follow:
        with_files.append({"sources": files_may_follow})
    scheduler = scheduler_of(raw)
    tasks = {name: _table(table) for name, table in _table(raw.get("task")).items()}
    activated = set(_activated(raw, tasks))
    for name, table in tasks.items():
        is_behind = table.get("background") is True
        if scheduler and scheduler.has_priorities and not ("priority" in table or is_behind):
            yield _missing(name, "priority", expected(Task, "priority"))
        if scheduler is Scheduler.EDF and not {"deadline", "arrival"}.intersection(table):
            yield _missing(name, "deadline", "a deadline or an arrival under EDF")
        if "body" not in table and not _has_files(with_files, "sources", "mixed"):
            yield _missing(name, "body", expected(Task, "body"))
        if "arrival" in table or table.get("autostart") is True or name in activated:
            continue
        if not _has_files(with_files, "sources", "trusted", "mixed"):
            yield _missing(name, "arrival", NO_ARRIVAL)


def _has_files(tables: list[dict[str, Any]], *fields: str) -> bool:
    return any(table.get(field) for table in tables for field in fields)


def _missing(task: str, field: str, wanted: str) -> Problem:
    return Problem(("task", task, field), "nothing", wanted)


def _activated(raw: dict[str, Any], tasks: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the tasks that a step, alarm, message or table activates; skip malformed tables."""
    for table in tasks.values():
        body = table.get("body")
        for written in body if isinstance(body, list) else ():
            step = _parsed(parse_step, written)
            if isinstance(step, Activate | Chain):
                yield step.task
    for kind, parse in (("alarm", parse_action), ("message", parse_notification)):
        for table in _table(raw.get(kind)).values():
            action = _parsed(parse, _table(table).get("action"))
            if isinstance(action, Activate):
                yield action.task
    for written in _written_signals(raw):
        signal = _parsed(parse_signal, written)
        if isinstance(signal, Activate):
            yield signal.task


def _written_signals(raw: dict[str, Any]) -> Iterator[object]:
    """Yield the signals of schedule tables; skip malformed tables."""
    for table in _table(raw.get("schedule_table")).values():
        points = _table(table).get("points")
        for point in points if isinstance(points, list) else ():
            signals = _table(point).get("do")
            yield from signals if isinstance(signals, list) else ()


def _parsed(parse: Callable[[str], object], written: object) -> object:
    try:
        return parse(written) if isinstance(written, str) else None
    except ValueError:
        return None  # reported with the field of the text


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def shown(value: object) -> str:
    """Return a value in short, printable form for messages."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return TOO_MANY_DIGITS
    if isinstance(value, str):
        shown = json.dumps(value, ensure_ascii=not value.isprintable())
    else:
        shown = json.dumps(value) if isinstance(value, bool) else str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
