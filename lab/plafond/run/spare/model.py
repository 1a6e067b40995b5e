# SPDX-License-Identifier: MIT
"""The report of `--spare-cpu`, for programs as for the terminal."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Annotated

from pydantic import BaseModel

from plafond.rows import Column
from plafond.run.model import Conditions


class Spread(BaseModel):
    """Processor time over all runs under one protocol."""

    average_ns: Annotated[float, Column("average", format=",.0f")]
    # Of a sample: the squares are divided by one less than their number.
    deviation_ns: Annotated[float, Column("deviation", format=",.0f")]
    minimum_ns: Annotated[int, Column("minimum", format=",")]
    maximum_ns: Annotated[int, Column("maximum", format=",")]
    samples_ns: list[int]


class SpareRow(BaseModel):
    """Where the processor time went under one protocol; see account.py."""

    protocol: str
    left: Spread
    worked: Spread | None  # None: tasks sleep or wait for another CPU
    overhead: Spread | None


class Occurrences(BaseModel):
    """What happened in a run under one protocol, on average, and takes processor time."""

    protocol: Annotated[str, Column("protocol")]
    locks: Annotated[float, Column("locks", format=".1f")]
    # Context switches of the tasks.
    switches: Annotated[float, Column("context switches", format=".1f")]


class Paper(BaseModel):
    """The experiment of a paper that this one repeats."""

    name: str
    pairs: int
    averages: tuple[float, float]  # in the order of the rows; 2012 ns, 2010 a counter's value
    deviations: tuple[float, float]
    t: float
    effect: float  # what the second left more, as a share


class TTest(BaseModel):
    """Whether the averages differ: the second protocol's less the first's."""

    test: Annotated[str, Column("test")]
    difference_ns: Annotated[float, Column("difference, ns", format=",.0f")]
    smallest_effect_ns: float  # that it shows with probability POWER
    t: Annotated[float, Column("t", format=".2f")]
    degrees_of_freedom: Annotated[int, Column("d.f.")]
    p: Annotated[float, Column("p", format=".2g")]
    verdict: Annotated[str, Column("verdict")]


class SpareReport(BaseModel):
    """Two protocols compared; `cut`: it ended before all pairs were run."""

    name: str
    conditions: Conditions  # of the first pair
    cpu: int
    duration_ns: int
    pairs: int
    cut: bool
    rows: list[SpareRow]
    occurrences: list[Occurrences]
    paper: Paper | None  # None: no paper made this experiment
    effect_to_see_ns: float | None  # the paper's, as a share of what the first protocol left
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
