# SPDX-License-Identifier: MIT
"""The description of task sets that are drawn: cpus, scheduler and the table [draw].

As in fields.py, a field's text up to the first semicolon is the expected value.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PlainValidator, ValidationError

from plafond.describe.draw_rules import problems_of
from plafond.describe.fields import MOST_CPUS, Strict, Title, expected, fields_of
from plafond.describe.form import shown
from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem, Where
from plafond.describe.purpose import refuse_system
from plafond.describe.read import read
from plafond.describe.server import MOST_SERVERS
from plafond.describe.source import Source
from plafond.describe.study import (
    Case,
    Deadlines,
    Last,
    Method,
    Sections,
    Servers,
    Shape,
    Spread,
    Study,
)
from plafond.describe.toml import source_of_toml
from plafond.describe.vary import (
    MOST_POINTS,
    NUMBER,
    VARY,
    Varied,
    cases_of,
    parse_time,
    parse_vary,
)
from plafond.words import suggestion

MOST_SETS = 1_000_000
MOST_RESOURCES = 100
MOST_DRAWN = 1000  # tasks of a set, with a number of them

SHAPES = "|".join(Shape)
_SHARES = re.compile(rf"({SHAPES}) {NUMBER} {NUMBER}", re.ASCII)
_TIMES = re.compile(rf"({SHAPES}) (\S+) (\S+)", re.ASCII)

SHARES = '"uniform 0.5 0.9" or "log-uniform 0.01 0.5"'
TIMES = '"uniform 3ms 33ms" or "log-uniform 1ms 1s"'
RANGE = "[from, to, step], such as [1, 24, 0.5], not empty"
COMPARE = 'a list of "partitioned", "clustered N" and "global", or of protocols'
METHODS = " or ".join(f'"{method}"' for method in Method)
# The keys of [draw] that each method needs, and those that it may have.
NEEDS = {
    Method.UNTIL_FULL: ("task_utilisation", "interval"),
    Method.UUNIFAST: ("tasks", "interval"),
    Method.AUTOMOTIVE: (),
}
MAY_HAVE = {Method.UUNIFAST: ("task_utilisation",)}
SCHEDULERS = [Scheduler.PRIORITY, Scheduler.EDF]


def _text(parse: Callable[[str], object], wanted: str) -> PlainValidator:
    def validate(value: object) -> object:
        found = parse(value) if isinstance(value, str) else None
        if found is None:
            raise ValueError(wanted)
        return found

    return PlainValidator(validate)


def _parse_shares(text: str) -> Spread | None:
    match = _SHARES.fullmatch(text)
    if not match:
        return None
    least, most = Fraction(match[2]), Fraction(match[3])
    return Spread(Shape(match[1]), least, most) if 0 < least <= most <= 1 else None


def _parse_times(text: str) -> Spread | None:
    match = _TIMES.fullmatch(text)
    ends = [parse_time(match[number]) for number in (2, 3)] if match else [None, None]
    if match is None or ends[0] is None or ends[1] is None or not 0 < ends[0] <= ends[1]:
        return None
    return Spread(Shape(match[1]), Fraction(ends[0]), Fraction(ends[1]))


def _parse_range(value: object) -> tuple[Fraction, ...]:
    numbers = value if isinstance(value, list) and len(value) == 3 else []
    if numbers and all(type(n) in (int, float) and 0 < n <= MOST_CPUS for n in numbers):
        # Take the decimal digits: 0.1 is exactly a tenth.
        least, most, step = (Fraction(str(number)) for number in numbers)
        points = (most - least) // step + 1
        if 0 < points <= MOST_POINTS:
            return tuple(least + number * step for number in range(points))
    raise ValueError(RANGE)


def _parse_share(value: object) -> Fraction:
    if type(value) in (int, float) and 0 < value <= 1:  # type: ignore[operator]
        return Fraction(str(value))
    raise ValueError


def _whole(least: int, most: int) -> str:
    return f"a whole number from {least} to {most}"


class SectionsFields(Strict):
    """A table [draw.sections]: the sections of the drawn tasks."""

    resources: Annotated[int, Field(ge=1, le=MOST_RESOURCES)] = Field(
        description=_whole(1, MOST_RESOURCES)
    )
    length: Annotated[Spread, _text(_parse_times, TIMES)] | None = Field(
        default=None, description=f"{TIMES}; of a section"
    )
    share: Annotated[Fraction, PlainValidator(_parse_share)] | None = Field(
        default=None, description="a number above 0 and up to 1; of the resources, that a task uses"
    )


class ServersFields(Strict):
    """A table [draw.servers]: the servers that contain the drawn tasks."""

    count: Annotated[int, Field(ge=1, le=MOST_SERVERS)] = Field(description=_whole(1, MOST_SERVERS))
    period: Annotated[Spread, _text(_parse_times, TIMES)] = Field(
        description=f"{TIMES}; of a budget"
    )
    budget: Annotated[Fraction, PlainValidator(_parse_share)] | None = Field(
        default=None, description="a number above 0 and up to 1; of the CPU, for all servers"
    )


class DrawFields(Strict):
    """The table [draw]."""

    sets: Annotated[int, Field(ge=1, le=MOST_SETS)] = Field(
        description=f"{_whole(1, MOST_SETS)}; task sets for each utilisation"
    )
    utilisation: Annotated[tuple[Fraction, ...], PlainValidator(_parse_range)] = Field(
        description=f"{RANGE}; how much of the CPUs a set may ask for"
    )
    method: Annotated[Method, _text(lambda t: Method(t) if t in [*Method] else None, "")] = Field(
        default=Method.UNTIL_FULL, description=f"{METHODS}; how tasks are drawn"
    )
    tasks: Annotated[int, Field(ge=1, le=MOST_DRAWN)] | None = Field(
        default=None, description=f"{_whole(1, MOST_DRAWN)}; of a set, with {Method.UUNIFAST}"
    )
    task_utilisation: Annotated[Spread, _text(_parse_shares, SHARES)] | None = Field(
        default=None, description=f"{SHARES}; from above 0 up to 1"
    )
    interval: Annotated[Spread, _text(_parse_times, TIMES)] | None = Field(
        default=None, description=f"{TIMES}; between arrivals, and to the deadline"
    )
    last: Annotated[Last, _text(lambda t: Last(t) if t in [*Last] else None, "")] = Field(
        default=Last.DISCARD,
        description='"discard" or "scale"; what becomes of the task that asks for too much',
    )
    sections: SectionsFields | None = Field(
        default=None, description="a table of resources, length and share; without it none"
    )
    servers: ServersFields | None = Field(
        default=None, description="a table of count, period and budget; without it none"
    )
    vary: Annotated[tuple[Varied, ...], PlainValidator(parse_vary)] = Field(
        default=(), description=f"{VARY}; without it nothing varies"
    )
    compare: Annotated[list[str], Field(min_length=1, max_length=20)] = Field(
        description=f"{COMPARE}; where N CPUs are a cluster"
    )
    costs: str | None = Field(
        default=None,
        description="the name of a file; of `bench locks` or `analyse --overheads` in JSON",
    )
    deadlines: Annotated[
        Deadlines, _text(lambda t: Deadlines(t) if t in [*Deadlines] else None, "")
    ] = Field(description='"hard" or "soft"; whether none is missed, or lateness is bounded')
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = Field(
        default=1, description=f"{_whole(0, 2**63 - 1)}; other sets for another one"
    )


class StudyFields(Strict):
    """A whole file with a table [draw]."""

    name: Title | None = Field(default=None, description="a title of up to 100 characters")
    cpus: Annotated[int, Field(ge=1, le=MOST_CPUS)] = Field(description=_whole(1, MOST_CPUS))
    scheduler: Annotated[
        Scheduler, _text(lambda t: Scheduler(t) if t in SCHEDULERS else None, "")
    ] = Field(description='"edf" or "priority"')
    draw: DrawFields = Field(description="a table [draw]")


def load_study(file: Path) -> Study:
    """Return the study that a file describes; DescriptionError names every mistake."""
    return _study(read(file))


def loads_study(text: str, file: Path = Path("description")) -> Study:
    """Return the study that a text describes, as if it were in that file."""
    return _study(source_of_toml(file, text))


def _study(source: Source) -> Study:
    refuse_system(source)
    try:
        fields = StudyFields.model_validate(source.raw)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise source.error(_problem(detail) for detail in details) from None
    draw = fields.draw
    if unfit := list(_problems_of_method(draw)):
        raise source.error(unfit)
    study = Study(
        name=fields.name or source.file.stem,
        cpus=fields.cpus,
        scheduler=fields.scheduler,
        sets=draw.sets,
        utilisations=draw.utilisation,
        task_utilisation=draw.task_utilisation,
        interval_ns=draw.interval,
        last=draw.last,
        varied=tuple(each.variable for each in draw.vary),
        cases=cases_of(draw.vary) if draw.vary else (Case(),),
        compared=tuple(draw.compare),
        deadlines=draw.deadlines,
        seed=draw.seed,
        sections=_sections(draw.sections),
        servers=_servers(draw.servers),
        method=draw.method,
        tasks=draw.tasks,
        costs=None if draw.costs is None else source.file.parent / draw.costs,
    )
    problems = list(problems_of(study))
    if problems:
        raise source.error(problems)
    return study


def _problems_of_method(draw: DrawFields) -> Iterator[Problem]:
    """Yield the keys that the method needs or cannot have."""
    needed = NEEDS[draw.method]
    for key in ("tasks", "task_utilisation", "interval"):
        where, value = ("draw", key), getattr(draw, key)
        if key in needed and value is None:
            yield Problem(where, "nothing", expected(DrawFields, key))
        if value is not None and key not in (*needed, *MAY_HAVE.get(draw.method, ())):
            able = [each for each in Method if key in (*NEEDS[each], *MAY_HAVE.get(each, ()))]
            yield Problem(where, "a value", f"none, as it is of method = {' or '.join(able)}")


def _sections(fields: SectionsFields | None) -> Sections | None:
    return Sections(fields.resources, fields.length, fields.share) if fields else None


def _servers(fields: ServersFields | None) -> Servers | None:
    return Servers(fields.count, fields.period, fields.budget) if fields else None


def _problem(detail: Any) -> Problem:
    """Turn an error of pydantic into words for the author of a description."""
    where: Where = tuple(detail["loc"])
    model, field = _field_of(where)
    if detail["type"] == "extra_forbidden":
        known = list(fields_of(model))
        return Problem(
            where, "an unknown key", f"one of {', '.join(known)}{suggestion(field, known)}"
        )
    found = "nothing" if detail["type"] == "missing" else shown(detail["input"])
    return Problem(where, found, expected(model, field))


def _field_of(where: Where) -> tuple[type[Strict], str]:
    """Return the model of the table that has the problem, and the field."""
    if where[:2] == ("draw", "sections") and len(where) > 2:
        return SectionsFields, str(where[2])
    if where[:2] == ("draw", "servers") and len(where) > 2:
        return ServersFields, str(where[2])
    if where[0] == "draw" and len(where) > 1:
        return DrawFields, str(where[1])
    return StudyFields, str(where[0])
