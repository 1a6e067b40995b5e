# SPDX-License-Identifier: MIT
"""The report of `--spare-cpu`, for other programs and for the terminal."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Annotated

from pydantic import BaseModel

from plafond.rows import Column
from plafond.run.model import Conditions


class Spread(BaseModel):
    """The processor time of all runs under a protocol."""

    average_ns: Annotated[float, Column("average", format=",.0f")]
    # The deviation of a sample: the sum of squares is divided by the number of values less 1.
    deviation_ns: Annotated[float, Column("deviation", format=",.0f")]
    minimum_ns: Annotated[int, Column("minimum", format=",")]
    maximum_ns: Annotated[int, Column("maximum", format=",")]
    samples_ns: list[int]


class SpareRow(BaseModel):
    """The use of the processor time under a protocol; see account.py."""

    protocol: str
    left: Spread
    worked: Spread | None  # None: tasks sleep or wait for another CPU
    overhead: Spread | None


class Occurrences(BaseModel):
    """The events that take processor time, as averages of all runs under a protocol."""

    protocol: Annotated[str, Column("protocol")]
    locks: Annotated[float, Column("locks", format=".1f")]
    switches: Annotated[float, Column("context switches", format=".1f")]


class Paper(BaseModel):
    """The results of a paper whose experiment is repeated here."""

    name: str
    pairs: int
    # in the order of the rows; nanoseconds in 2012, values of a counter in 2010
    averages: tuple[float, float]
    deviations: tuple[float, float]
    t: float
    # how much more the second protocol left, as a share of what is left under the first
    effect: float


class TTest(BaseModel):
    """The test whether the averages differ; a difference is the second protocol less the first."""

    test: Annotated[str, Column("test")]
    difference_ns: Annotated[float, Column("difference, ns", format=",.0f")]
    smallest_effect_ns: float  # the smallest difference that the test shows with probability POWER
    t: Annotated[float, Column("t", format=".2f")]
    degrees_of_freedom: Annotated[int, Column("d.f.")]
    p: Annotated[float, Column("p", format=".2g")]
    verdict: Annotated[str, Column("verdict")]


class SpareReport(BaseModel):
    """The comparison of two protocols; `cut`: the command ended before all pairs were run."""

    name: str
    conditions: Conditions  # the conditions of the first pair
    cpu: int
    duration_ns: int
    pairs: int
    cut: bool
    rows: list[SpareRow]
    occurrences: list[Occurrences]
    paper: Paper | None  # None: no paper made this experiment
    effect_to_see_ns: float | None  # the paper's effect, in ns of this run's first protocol
    tests: list[TTest]
    notes: list[str]


def spread(values_ns: Sequence[int]) -> Spread:
    """Summarise at least two values."""
    return Spread(
        average_ns=fmean(values_ns),
        deviation_ns=stdev(values_ns),
        minimum_ns=min(values_ns),
        maximum_ns=max(values_ns),
        samples_ns=list(values_ns),
    )
