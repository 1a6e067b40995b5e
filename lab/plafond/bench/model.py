# SPDX-License-Identifier: MIT
"""The report of `plafond bench locks`; its JSON is the output of `--format json`."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict

from plafond.rows import Column

MARK = "*"
NOT_COUNTED = "not counted"


def ns(value: float) -> str:
    """Return a time in nanoseconds."""
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def count(value: float) -> str:
    """Return a count."""
    return f"{value:.4g}"


def share(value: float) -> str:
    """Return a break-even; see BreakEven."""
    return {1.0: "always", 0.0: "never"}.get(value) or f"{value:.1%}"


def named(heading: str, field: str) -> Column:
    """Return the column of a row's name, with a mark if it could not be measured without stops."""
    return Column(
        heading,
        of=lambda row: f"{getattr(row, field)} {MARK}" if row.with_stops else getattr(row, field),
    )


LOCK = named("lock", "lock")
# The figures of a row: times of its repetitions, and counts, None if they were not counted.
Median = Annotated[float, Column("ns median", format=ns)]
Shortest = Annotated[float, Column("min", format=ns)]
Longest = Annotated[float, Column("max", format=ns)]
SystemCalls = Annotated[float | None, Column("system calls", format=count, missing=NOT_COUNTED)]
Instructions = Annotated[float | None, Column("instructions", format=count, missing=NOT_COUNTED)]
Switches = Annotated[float, Column("context switches", format=count)]


class Part(BaseModel):
    """A part of a report: each figure is named, and none changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Conditions(Part):
    """Under which the figures hold, and how they were counted."""

    cpu_model: str
    cpu: int
    governor: str
    kernel: str
    libc: str
    compiler: str
    flags: str
    priority: int
    arrival_priority: int
    ceiling: int
    repetitions: int
    quick: bool
    empty_loop_ns: float
    empty_loop_instructions: float | None
    notes: list[str]
    again: int = 0  # repetitions that were measured again, because they had a stop
    rows_with_stops: int = 0


class Row(Part):
    """What one round costs; counts are None where this machine could not count."""

    lock: Annotated[str, LOCK]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    instructions: Instructions
    with_stops: bool = False  # it could not be measured without stops of the machine


class ScalingRow(Row):
    """One uncontended pair, with so many threads attached and as many mutexes in turn."""

    threads: Annotated[int, Column("threads", place=-1)]


class Arrival(StrEnum):
    """What the thread does that arrives while the section is open."""

    USES_LOCK = "uses-lock"
    PASSES_BY = "passes-by"


class PreemptedRow(Part):
    """One section during which a thread at or below the ceiling arrives."""

    lock: Annotated[str, LOCK]
    arrival: Annotated[Arrival, Column("arrival")]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    context_switches: Switches
    with_stops: bool = False


class BreakEven(Part):
    """The share of preempted sections up to which `lock` is cheaper than `rival`.

    1 if it always is, 0 if it never is, None if it is so only above some share.
    """

    lock: Annotated[str, Column("lock")]
    rival: Annotated[str, Column("rival")]
    arrival: Annotated[Arrival, Column("arrival")]
    share: Annotated[float | None, Column("share", format=share, missing="only above some share")]


class HandoverRow(Part):
    """A lock that goes from one CPU to another, where a thread waits while its section lasts.

    The times are those from the end of one section to the beginning of the next. `processor_ns` is
    what both CPUs spend on that, the wait included.
    """

    lock: Annotated[str, LOCK]
    section_ns: Annotated[int, Column("section us", "us", "g", place=-1)]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    processor_ns: Annotated[float, Column("processor ns", "ns", ns)]
    system_calls: Annotated[float | None, Column("calls", format=count, missing=NOT_COUNTED)]
    context_switches: Annotated[float, Column("switches", format=count)]
    with_stops: bool = False


class SpinLimit(Part):
    """The shortest measured section from which on `sleeping` costs both CPUs less; None: none."""

    spinning: Annotated[str, Column("spinning")]
    sleeping: Annotated[str, Column("sleeping")]
    section_ns: Annotated[int | None, Column("section us", "us", "g", missing="none measured")]


def _verdict(reached: bool) -> str:
    return "reached" if reached else "not reached"


class Target(Part):
    """A figure to reach; without a limit it is only printed."""

    name: Annotated[str, Column("figure")]
    value: Annotated[float | None, Column("value", missing="not counted")]
    limit: Annotated[float | None, Column("at most", format="g")]
    reached: Annotated[bool | None, Column("verdict", format=_verdict, is_text=True)]


class LocksReport(Part):
    """All of `plafond bench locks`."""

    conditions: Conditions
    uncontended: list[Row]
    nested: list[Row]
    hook: list[Row]
    preempted: list[PreemptedRow]
    break_even: list[BreakEven]
    scaling: list[ScalingRow]
    handover: list[HandoverRow]
    spin_limits: list[SpinLimit]
    targets: list[Target]
