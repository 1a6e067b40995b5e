# SPDX-License-Identifier: MIT
"""The report of `plafond bench programs`; its JSON is the output of `--format json`."""

from typing import Annotated

from plafond.bench.model import Part
from plafond.rows import Column


class Conditions(Part):
    """Under which the figures hold."""

    cpu_model: str
    cpus: int
    kernel: str
    libc: str
    quick: bool
    notes: list[str]


class Pair(Part):
    """What was counted in one run without the drop-in, and in one with it."""

    plain: int
    drop_in: int

    @property
    def ratio(self) -> float:
        """With the drop-in to plain."""
        return self.drop_in / self.plain


class ProgramRow(Part):
    """A program, run in pairs: plain, and with the drop-in."""

    program: Annotated[str, Column("program")]
    counted: Annotated[str, Column("counted")]
    pairs: Annotated[int, Column("pairs")]
    plain: Annotated[float, Column("plain", format=".0f")]  # medians
    drop_in: Annotated[float, Column("drop-in", format=".0f")]
    ratio: Annotated[float, Column("ratio", format=".3f")]
    ratio_min: Annotated[float, Column("min", format=".3f")]
    ratio_max: Annotated[float, Column("max", format=".3f")]


class CallsRow(Part):
    """System calls of a round, of all tasks together."""

    scheduling: float  # those that change a priority
    futex: float  # those that sleep and wake
    yields: float


class OperationRow(Part):
    """What a task asks of Ada's run-time system, plain and with the drop-in."""

    operation: str
    plain: CallsRow
    drop_in: CallsRow
    plain_ns: float  # processor time of a round: medians of the pairs
    drop_in_ns: float
    ratio: float  # the median of the pairs


class LockRow(Part):
    """An example under one kind of lock: its best run."""

    lock: Annotated[str, Column("lock")]
    callbacks: Annotated[int, Column("callbacks")]
    missed: Annotated[int, Column("missed")]
    # From its release until the callback has the lock.
    worst_wait_us: Annotated[int, Column("worst wait us")]
    # Calls that change a priority, for each callback.
    scheduling: Annotated[float, Column("scheduling calls a callback", format=".2f")]
    step_ns: Annotated[int, Column("step")]  # processor time of what else locks: see the example


class ExampleTable(Part):
    """An example of examples/, under each kind of lock."""

    program: str
    step: str  # what step_ns is of
    rows: list[LockRow]


class ProgramsReport(Part):
    """All of `plafond bench programs`."""

    conditions: Conditions
    programs: list[ProgramRow]
    operations: list[OperationRow]
    examples: list[ExampleTable]
