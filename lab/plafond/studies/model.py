# SPDX-License-Identifier: MIT
"""The report of `plafond bench schedulability`; its JSON is the output of `--format json`."""

from typing import Annotated

from pydantic import Field, PlainSerializer

from plafond.bench.model import Part
from plafond.describe.kernel import Scheduler
from plafond.describe.study import Deadlines, Last
from plafond.rows import Column, duration
from plafond.units import format_duration

OPTIONAL = Field(exclude_if=lambda value: value is None)


class Conditions(Part):
    """What was drawn, and how it was judged."""

    cpus: int
    scheduler: Scheduler
    deadlines: Deadlines
    sets: int  # for each utilisation
    tasks: float  # of a set, on average
    last: Last
    seed: int
    resources: Annotated[int | None, OPTIONAL] = None  # None: there are none
    servers: Annotated[int | None, OPTIONAL] = None
    utilisations: list[float]  # that are finished
    missing: int  # that are not
    notes: list[str]


class Ratio(Part):
    """A share of 1, and where it is with 95 % confidence."""

    value: float
    low: float
    high: float


class CaseRow(Part):
    """A case; what does not vary, and is not 0, is None."""

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
    """How many sets of a utilisation can be taken in a case."""

    compared: str
    utilisation: float
    sets: int
    schedulable: int
    ratio: Ratio


def _written(form: str) -> PlainSerializer:
    return PlainSerializer(lambda value: None if value is None else format(value, form))


Exact = Annotated[float | None, _written(".12g")]
Rounded = Annotated[float, _written(".6f")]


class RatioRow(Part):
    """A line of the CSV; without a utilisation the ratio is weighted over all of them."""

    compared: str
    cache_ns: Exact
    overhead_ns: Exact = None
    section_ns: Exact = None
    share: Exact = None
    budget: Exact = None
    utilisation: Annotated[float | None, _written("g")] = None
    sets: int | None = None
    schedulable: int | None = None
    ratio: Rounded
    low: Rounded
    high: Rounded


class BestRow(CaseRow):
    """What takes most in a case: several where they are equal."""

    best: list[str]
    weighted: float
    margin: float | None  # over the next one; None: all are equal


class GainRow(CaseRow):
    """How many sets more, of all utilisations, the first of the compared takes than another."""

    over: str
    sets: int


class BreakEven(Part):
    """The least delay of the study at which a scheduler is worse than the first one without."""

    compared: Annotated[str, Column("compared")]
    # None: at none
    cache_ns: Annotated[int | None, Column("cache delay", format=format_duration, missing="none")]


class SchedulabilityReport(Part):
    """All of `plafond bench schedulability`."""

    name: str
    conditions: Conditions
    weighted: list[WeightedRow]
    acceptance: list[AcceptanceRow]
    best: list[BestRow] = Field(exclude_if=lambda rows: not rows)  # with sections
    gains: list[GainRow] = Field(exclude_if=lambda rows: not rows)
    break_even: list[BreakEven]
