# SPDX-License-Identifier: MIT
"""The report of `plafond bench pthread`; its JSON is the output of `--format json`."""

from plafond.bench.model import Arrival, BreakEven, Conditions, Part, Target


class PathRow(Part):
    """What one uncontended pair costs on one path through libc or the drop-in."""

    path: str
    ns_median: float
    ns_min: float
    ns_max: float
    system_calls: float | None
    instructions: float | None  # None where they were not counted
    with_stops: bool = False


class PreemptedRow(Part):
    """One section during which a thread at or below the ceiling arrives."""

    path: str
    arrival: Arrival
    ns_median: float
    ns_min: float
    ns_max: float
    system_calls: float | None
    context_switches: float
    with_stops: bool = False


class ProgramRow(Part):
    """A whole program that uses no ceilings, run in pairs: plain, and with the drop-in."""

    program: str
    command: str
    pairs: int
    plain_s: float  # medians
    preloaded_s: float
    ratio: float  # the median of the pairs' preloaded / plain
    ratio_low: float  # the noise interval of that median
    ratio_high: float
    within_noise: bool


class PthreadReport(Part):
    """All of `plafond bench pthread`."""

    conditions: Conditions
    rows: list[PathRow]
    preempted: list[PreemptedRow]
    break_even: list[BreakEven]
    programs: list[ProgramRow]
    targets: list[Target]
