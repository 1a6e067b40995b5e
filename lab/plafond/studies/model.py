# SPDX-License-Identifier: MIT
"""The report of `plafond bench schedulability`; its JSON is the output of `--format json`."""

from typing import Annotated

from pydantic import Field, PlainSerializer

from plafond.bench.model import Part
from plafond.describe.kernel import Scheduler
from plafond.describe.study import Deadlines, Last, Method
from plafond.rows import Column, duration
from plafond.units import format_duration

OPTIONAL = Field(exclude_if=lambda value: value is None)


class Conditions(Part):
    """The parameters of the drawn sets, and of the judgement."""

    cpus: int
    scheduler: Scheduler
    deadlines: Deadlines
    sets: int  # for each utilisation
    tasks: float  # of a set, on average
    method: Method
    last: Last
    seed: int
    resources: Annotated[int | None, OPTIONAL] = None  # None: there are none
    servers: Annotated[int | None, OPTIONAL] = None
    utilisations: list[float]  # finished
    missing: int  # number of unfinished utilisations
    notes: list[str]


class Ratio(Part):
    """A ratio from 0 to 1, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class CaseRow(Part):
    """A case; a variable that does not vary is None or 0."""

    cache_ns: Annotated[int, duration("cache delay")]
    overhead_ns: Annotated[int | None, duration("overhead"), OPTIONAL] = None
    section_ns: Annotated[int | None, duration("section"), OPTIONAL] = None
    share: Annotated[float | None, Column("share", format="g"), OPTIONAL] = None
    budget: Annotated[float | None, Column("budget", format="g"), OPTIONAL] = None


class WeightedRow(CaseRow):
    """The weighted schedulability in a case."""

    compared: str
    weighted: Ratio


class AcceptanceRow(CaseRow):
    """The number of schedulable sets of a utilisation in a case."""

    compared: str
    utilisation: float
    sets: int
    schedulable: int
    ratio: Ratio


def _written(form: str) -> PlainSerializer:
    return PlainSerializer(lambda value: None if value is None else format(value, form))


Exact = Annotated[float | None, _written(".12g")]
Rounded = Annotated[float, _written(".6f")]


class _CaseOfRatio(Part):
    """The columns of the CSV that name an alternative and a case."""

    compared: str
    cache_ns: Exact
    overhead_ns: Exact = None
    section_ns: Exact = None
    share: Exact = None
    budget: Exact = None


class WeightedRatioRow(_CaseOfRatio):
    """A line of the CSV: a ratio that is weighted over all utilisations."""

    ratio: Rounded
    low: Rounded
    high: Rounded


class RatioRow(_CaseOfRatio):
    """A line of the other CSV: the ratio of a utilisation."""

    utilisation: Annotated[float, _written("g")]
    sets: int
    schedulable: int
    ratio: Rounded
    low: Rounded
    high: Rounded


class BestRow(CaseRow):
    """The best alternatives in a case; several if they are equal."""

    best: list[str]
    weighted: float
    margin: float | None  # over the next best; None: all are equal


class GainRow(CaseRow):
    """How many more sets the first alternative can schedule than another, over all utilisations."""

    over: str
    sets: int


class BreakEven(Part):
    """The least cache delay at which an alternative is worse than the first without delay."""

    compared: Annotated[str, Column("compared")]
    # None: at no delay
    cache_ns: Annotated[int | None, Column("cache delay", format=format_duration, missing="none")]


class SchedulabilityReport(Part):
    """The report of `plafond bench schedulability`."""

    name: str
    conditions: Conditions
    weighted: list[WeightedRow]
    acceptance: list[AcceptanceRow]
    best: list[BestRow] = Field(exclude_if=lambda rows: not rows)  # with sections
    gains: list[GainRow] = Field(exclude_if=lambda rows: not rows)
    break_even: list[BreakEven]
