# SPDX-License-Identifier: MIT
"""The description of task sets that are drawn: cpus, scheduler, and the table [draw].

As in schema.py the text of a field says, up to the first semicolon, what is expected there.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PlainValidator, ValidationError

from plafond.describe.form import shown
from plafond.describe.problems import Problem, Where
from plafond.describe.read import read
from plafond.describe.schema import MOST_CPUS, Strict, Title, expected, fields_of
from plafond.units import UNIT_NS, format_duration, parse_duration
from plafond.words import suggestion

MOST_SETS = 1_000_000
MOST_POINTS = 10_000
MOST_TASKS = 1000  # of a set, on average


class Shape(StrEnum):
    """How a parameter is spread over its range."""

    UNIFORM = "uniform"
    LOG_UNIFORM = "log-uniform"


class Last(StrEnum):
    """What becomes of the task with which a set asks for more than its utilisation."""

    DISCARD = "discard"
    SCALE = "scale"


class Deadlines(StrEnum):
    """Hard: none is missed. Soft: there is a bound for how late a job is."""

    HARD = "hard"
    SOFT = "soft"


@dataclass(frozen=True)
class Spread:
    """From where a parameter of a task is drawn."""

    shape: Shape
    least: Fraction
    most: Fraction

    def at(self, part: float) -> float:
        """Return the value below which this part of all values is."""
        least, most = float(self.least), float(self.most)
        if self.shape is Shape.UNIFORM:
            return least + part * (most - least)
        return math.exp(math.log(least) + part * (math.log(most) - math.log(least)))


@dataclass(frozen=True)
class Scheduler:
    """EDF in clusters of so many CPUs: 1 is partitioned, all of them are global."""

    name: str
    cluster: int


@dataclass(frozen=True)
class Study:
    """What is drawn, and what is asked of each set."""

    name: str
    cpus: int
    sets: int  # for each utilisation
    utilisations: tuple[Fraction, ...]
    task_utilisation: Spread
    interval_ns: Spread
    last: Last
    caches_ns: tuple[int, ...]  # what a job takes longer
    schedulers: tuple[Scheduler, ...]
    deadlines: Deadlines
    seed: int


NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
SHAPES = "|".join(Shape)
_SHARES = re.compile(rf"({SHAPES}) {NUMBER} {NUMBER}", re.ASCII)
_TIMES = re.compile(rf"({SHAPES}) (\S+) (\S+)", re.ASCII)
_CACHE = re.compile(r"cache (\S+) (\S+) (\S+)", re.ASCII)
_ZERO = re.compile(rf"0 ?(?:{'|'.join(UNIT_NS)})", re.ASCII)
_CLUSTERED = re.compile(r"clustered ([1-9]\d{0,3})", re.ASCII)

SHARES = '"uniform 0.5 0.9" or "log-uniform 0.01 0.5"'
TIMES = '"uniform 3ms 33ms" or "log-uniform 1ms 1s"'
CACHE = '"cache 0us 2ms 50us", from, to and step'
RANGE = "[from, to, step], such as [1, 24, 0.5], not empty"
COMPARE = 'a list of "partitioned", "clustered N" and "global"'


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
    ends = [_delay(match[number]) for number in (2, 3)] if match else [None, None]
    if match is None or ends[0] is None or ends[1] is None or not 0 < ends[0] <= ends[1]:
        return None
    return Spread(Shape(match[1]), Fraction(ends[0]), Fraction(ends[1]))


def _parse_cache(text: str) -> tuple[int, ...] | None:
    match = _CACHE.fullmatch(text)
    if not match:
        return None
    least, most, step = (_delay(match[number]) for number in (1, 2, 3))
    if least is None or most is None or not step or least > most:
        return None
    steps = range(least, most + 1, step)
    return tuple(steps) if len(steps) <= MOST_POINTS else None


def _delay(text: str) -> int | None:
    if _ZERO.fullmatch(text):
        return 0
    try:
        return parse_duration(text)
    except ValueError:
        return None


def _parse_range(value: object) -> tuple[Fraction, ...]:
    numbers = value if isinstance(value, list) and len(value) == 3 else []
    if numbers and all(type(n) in (int, float) and 0 < n <= MOST_CPUS for n in numbers):
        # As it is written: 0.1 is a tenth.
        least, most, step = (Fraction(str(number)) for number in numbers)
        points = (most - least) // step + 1
        if 0 < points <= MOST_POINTS:
            return tuple(least + number * step for number in range(points))
    raise ValueError(RANGE)


def _parse_scheduler(text: str) -> str | None:
    is_known = text in ("partitioned", "global") or _CLUSTERED.fullmatch(text)
    return text if is_known else None


def _whole(least: int, most: int) -> str:
    return f"a whole number from {least} to {most}"


class DrawFields(Strict):
    """The table [draw]."""

    sets: Annotated[int, Field(ge=1, le=MOST_SETS)] = Field(
        description=f"{_whole(1, MOST_SETS)}; task sets for each utilisation"
    )
    utilisation: Annotated[tuple[Fraction, ...], PlainValidator(_parse_range)] = Field(
        description=f"{RANGE}; how much of the CPUs a set may ask for"
    )
    task_utilisation: Annotated[Spread, _text(_parse_shares, SHARES)] = Field(
        description=f"{SHARES}; from above 0 up to 1"
    )
    interval: Annotated[Spread, _text(_parse_times, TIMES)] = Field(
        description=f"{TIMES}; between arrivals, and to the deadline"
    )
    last: Annotated[Last, _text(lambda t: Last(t) if t in [*Last] else None, "")] = Field(
        default=Last.DISCARD,
        description='"discard" or "scale"; what becomes of the task that asks for too much',
    )
    vary: Annotated[tuple[int, ...], _text(_parse_cache, CACHE)] = Field(
        default=(0,), description=f"{CACHE}; what each job takes longer; without it nothing"
    )
    compare: Annotated[
        list[Annotated[str, _text(_parse_scheduler, COMPARE)]], Field(min_length=1, max_length=20)
    ] = Field(description=f"{COMPARE}; where N CPUs are a cluster")
    deadlines: Annotated[
        Deadlines, _text(lambda t: Deadlines(t) if t in [*Deadlines] else None, "")
    ] = Field(description='"hard" or "soft"; whether none is missed, or lateness is bounded')
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = Field(
        default=1, description=f"{_whole(0, 2**63 - 1)}; other sets for another one"
    )


class StudyFields(Strict):
    """The file."""

    name: Title | None = Field(default=None, description="a title of up to 100 characters")
    cpus: Annotated[int, Field(ge=1, le=MOST_CPUS)] = Field(description=_whole(1, MOST_CPUS))
    scheduler: Annotated[str, _text(lambda text: text if text == "edf" else None, "")] = Field(
        description='"edf"'
    )
    draw: DrawFields = Field(description="a table [draw]")


def load_study(file: Path) -> Study:
    """Return what a file describes; DescriptionError names every mistake."""
    source = read(file)
    try:
        fields = StudyFields.model_validate(source.raw)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise source.error(_problem(detail) for detail in details) from None
    problems = list(_problems(fields))
    if problems:
        raise source.error(problems)
    draw = fields.draw
    return Study(
        name=fields.name or file.stem,
        cpus=fields.cpus,
        sets=draw.sets,
        utilisations=draw.utilisation,
        task_utilisation=draw.task_utilisation,
        interval_ns=draw.interval,
        last=draw.last,
        caches_ns=draw.vary,
        schedulers=tuple(Scheduler(name, _cluster(name, fields.cpus)) for name in draw.compare),
        deadlines=draw.deadlines,
        seed=draw.seed,
    )


def _problem(detail: Any) -> Problem:
    """Say what pydantic found, in the words of descriptions."""
    where: Where = tuple(detail["loc"])
    model = DrawFields if where[0] == "draw" and len(where) > 1 else StudyFields
    field = str(where[1] if model is DrawFields else where[0])
    if detail["type"] == "extra_forbidden":
        known = list(fields_of(model))
        return Problem(
            where, "an unknown key", f"one of {', '.join(known)}{suggestion(field, known)}"
        )
    found = "nothing" if detail["type"] == "missing" else shown(detail["input"])
    return Problem(where, found, expected(model, field))


def _problems(fields: StudyFields) -> Iterator[Problem]:
    """What fields say that are right by themselves."""
    draw = fields.draw
    least, most = draw.utilisation[0], draw.utilisation[-1]
    where = ("draw", "utilisation")
    if most > fields.cpus:
        yield Problem(where, f"up to {float(most):g}", f"at most cpus, {fields.cpus}")
    heaviest = draw.task_utilisation.most
    if draw.last is Last.DISCARD and least < heaviest:
        wanted = f"{float(heaviest):g} or more, as else a set can have no task"
        yield Problem(where, f"from {float(least):g}", wanted)
    mean = (draw.task_utilisation.at(0) + draw.task_utilisation.at(1)) / 2
    if float(most) / mean > MOST_TASKS:
        found = f"sets of about {float(most) / mean:.0f} tasks"
        yield Problem(("draw", "task_utilisation"), found, f"up to {MOST_TASKS}")
    if draw.task_utilisation.least * draw.interval.least < 1:
        found = f"runs below 1ns, of {format_duration(int(draw.interval.least))}"
        yield Problem(("draw", "interval"), found, "runs of 1ns or more")
    for place, name in enumerate(draw.compare):
        if fields.cpus % _cluster(name, fields.cpus):
            wanted = f"clusters of a size that divides cpus, {fields.cpus}"
            yield Problem(("draw", "compare", place), f'"{name}"', wanted)
        if name in draw.compare[:place]:
            yield Problem(("draw", "compare", place), f'"{name}" twice', "each once")


def _cluster(name: str, cpus: int) -> int:
    match = _CLUSTERED.fullmatch(name)
    if match:
        return int(match[1])
    return cpus if name == "global" else 1
