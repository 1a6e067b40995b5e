# SPDX-License-Identifier: MIT
"""The report of `plafond bench pthread`; its JSON is the output of `--format json`."""

from typing import Annotated

from plafond.bench.model import (
    Arrival,
    BreakEven,
    Conditions,
    Instructions,
    Longest,
    Median,
    Part,
    Shortest,
    Switches,
    SystemCalls,
    Target,
    named,
)
from plafond.rows import Column

PATH = named("path", "path")


def _verdict(within_noise: bool) -> str:
    return "within" if within_noise else "outside"


class PathRow(Part):
    """The costs of an uncontended pair on a path through libc or the drop-in."""

    path: Annotated[str, PATH]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    instructions: Instructions
    with_stops: bool = False


class PreemptedRow(Part):
    """A section during which a thread at or below the ceiling arrives."""

    path: Annotated[str, PATH]
    arrival: Annotated[Arrival, Column("arrival")]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    context_switches: Switches
    with_stops: bool = False


class ProgramRow(Part):
    """A whole program without ceilings, which is run in pairs: plain, and with the drop-in."""

    program: Annotated[str, Column("program")]
    command: str
    pairs: Annotated[int, Column("pairs")]
    plain_s: Annotated[float, Column("s plain", "s", ".3f")]  # medians
    preloaded_s: Annotated[float, Column("s preloaded", "s", ".3f")]
    # The median of the pairs' preloaded / plain, and the noise interval of that median.
    ratio: Annotated[float, Column("ratio", format=".3f")]
    ratio_low: Annotated[float, Column("noise from", format=".3f")]
    ratio_high: Annotated[float, Column("to", format=".3f")]
    within_noise: Annotated[bool, Column("verdict", format=_verdict, is_text=True)]


class PthreadReport(Part):
    """The report of `plafond bench pthread`."""

    conditions: Conditions
    rows: list[PathRow]
    preempted: list[PreemptedRow]
    break_even: list[BreakEven]
    programs: list[ProgramRow]
    targets: list[Target]
