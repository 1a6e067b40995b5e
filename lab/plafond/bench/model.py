# always cheaper; 0: never; None: only above some share.
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
    """Return the text of a break-even; see BreakEven."""
    return {1.0: "always", 0.0: "never"}.get(value) or f"{value:.1%}"


def named(heading: str, field: str) -> Column:
    """Return the column of a row's name; MARK means that it was not measured without stops."""
    return Column(
        heading,
        of=lambda row: f"{getattr(row, field)} {MARK}" if row.with_stops else getattr(row, field),
    )


LOCK = named("lock", "lock")
# Types of the figures in a row: times of its repetitions, and counts; None: not counted.
Median = Annotated[float, Column("ns median", format=ns)]
Shortest = Annotated[float, Column("min", format=ns)]
Longest = Annotated[float, Column("max", format=ns)]
SystemCalls = Annotated[float | None, Column("system calls", format=count, missing=NOT_COUNTED)]
Instructions = Annotated[float | None, Column("instructions", format=count, missing=NOT_COUNTED)]
Switches = Annotated[float, Column("context switches", format=count)]


class Part(BaseModel):
    """A part of a report: it forbids unknown fields and is frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Conditions(Part):
    """The conditions of the figures, and how they were counted."""

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
    """The costs of a round; a count is None if this machine could not count."""

    lock: Annotated[str, LOCK]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    instructions: Instructions
    with_stops: bool = False  # it could not be measured without stops of the machine


class ScalingRow(Row):
    """An uncontended pair, with many threads attached and as many mutexes in turn."""

    threads: Annotated[int, Column("threads", place=-1)]


class Arrival(StrEnum):
    """The action of a thread that arrives during the section."""

    USES_LOCK = "uses-lock"
    PASSES_BY = "passes-by"


class PreemptedRow(Part):
    """A section during which a thread at or below the ceiling arrives."""

    lock: Annotated[str, LOCK]
    arrival: Annotated[Arrival, Column("arrival")]
    ns_median: Median
    ns_min: Shortest
    ns_max: Longest
    system_calls: SystemCalls
    context_switches: Switches
    with_stops: bool = False


class BreakEven(Part):
    """The share of preempted sections up to which `lock` is cheaper than `rival`."""

    lock: Annotated[str, Column("lock")]
    rival: Annotated[str, Column("rival")]
    arrival: Annotated[Arrival, Column("arrival")]
    share: Annotated[float | None, Column("share", format=share, missing="only above some share")]


class HandoverRow(Part):
    """A lock that passes from one CPU to another, where a thread waits during the section.

    The times are from the end of a section to the start of the next section. `processor_ns` is the
    processor time of both CPUs for that, with the wait.
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
    """The shortest measured section from which `sleeping` costs both CPUs less; None: none."""

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
    """The report of `plafond bench locks`."""

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
