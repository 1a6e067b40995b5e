# SPDX-License-Identifier: MIT
"""The report of `plafond bench schedulability`; its JSON is the output of `--format json`."""

from plafond.bench.model import Part
from plafond.describe.draw import Deadlines, Last


class Conditions(Part):
    """What was drawn, and how it was judged."""

    cpus: int
    deadlines: Deadlines
    sets: int  # for each utilisation
    tasks: float  # of a set, on average
    last: Last
    seed: int
    utilisations: list[float]  # that are finished
    missing: int  # that are not
    notes: list[str]


class Ratio(Part):
    """A share of 1, and where it is with 95 % confidence."""

    value: float
    low: float
    high: float


class WeightedRow(Part):
    """The weighted schedulability at a delay."""

    scheduler: str
    cache_ns: int
    weighted: Ratio


class AcceptanceRow(Part):
    """How many sets of a utilisation a scheduler can take at a delay."""

    scheduler: str
    cache_ns: int
    utilisation: float
    sets: int
    schedulable: int
    ratio: Ratio


class BreakEven(Part):
    """The least delay of the study at which a scheduler is worse than the first one without."""

    scheduler: str
    cache_ns: int | None  # None: at none


class SchedulabilityReport(Part):
    """All of `plafond bench schedulability`."""

    name: str
    conditions: Conditions
    weighted: list[WeightedRow]
    acceptance: list[AcceptanceRow]
    break_even: list[BreakEven]
