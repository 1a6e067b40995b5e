# SPDX-License-Identifier: MIT
"""The report of `plafond bench schedulability`; its JSON is the output of `--format json`."""

from typing import Annotated

from pydantic import Field

from plafond.bench.model import Part
from plafond.describe.kernel import Scheduler
from plafond.describe.study import Deadlines, Last
from plafond.rows import Column
from plafond.units import format_duration


def _is_none(value: object) -> bool:
    return value is None


class Conditions(Part):
    """What was drawn, and how it was judged."""

    cpus: int
    scheduler: Scheduler
    deadlines: Deadlines
    sets: int  # for each utilisation
    tasks: float  # of a set, on average
    last: Last
    seed: int
    resources: int | None = Field(default=None, exclude_if=_is_none)  # None: there are none
    servers: int | None = Field(default=None, exclude_if=_is_none)
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

    cache_ns: int
    overhead_ns: int | None = Field(default=None, exclude_if=_is_none)
    section_ns: int | None = Field(default=None, exclude_if=_is_none)
    share: float | None = Field(default=None, exclude_if=_is_none)
    budget: float | None = Field(default=None, exclude_if=_is_none)


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
