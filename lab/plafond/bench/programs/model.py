# SPDX-License-Identifier: MIT
"""The report of `plafond bench programs`; its JSON is the output of `--format json`."""

from typing import Annotated

from plafond.bench.model import Part
from plafond.rows import Column


class Conditions(Part):
    """The conditions of the figures."""

    cpu_model: str
    cpus: int
    kernel: str
    libc: str
    quick: bool
    notes: list[str]


class Pair(Part):
    """The counts of a run without and a run with the drop-in."""

    plain: int
    drop_in: int

    @property
    def ratio(self) -> float:
        """Return the count with the drop-in, divided by the plain count."""
        return self.drop_in / self.plain


class ProgramRow(Part):
    """A program that is run in pairs: plain, and with the drop-in."""

    program: Annotated[str, Column("program")]
    counted: Annotated[str, Column("counted")]
    pairs: Annotated[int, Column("pairs")]
    plain: Annotated[float, Column("plain", format=".0f")]  # medians
    drop_in: Annotated[float, Column("drop-in", format=".0f")]
    ratio: Annotated[float, Column("ratio", format=".3f")]
    ratio_min: Annotated[float, Column("min", format=".3f")]
    ratio_max: Annotated[float, Column("max", format=".3f")]


class CallsRow(Part):
    """The system calls of a round, of all tasks together."""

    scheduling: float  # calls that change a priority
    futex: float  # calls that sleep or wake
    yields: float


class OperationRow(Part):
    """An operation of Ada's run-time system, plain and with the drop-in."""

    operation: str
    plain: CallsRow
    drop_in: CallsRow
    plain_ns: float  # processor time of a round: medians of the pairs
    drop_in_ns: float
    ratio: float  # the median of the pairs' ratios


class LockRow(Part):
    """The best run of an example under a kind of lock."""

    lock: Annotated[str, Column("lock")]
    callbacks: Annotated[int, Column("callbacks")]
    missed: Annotated[int, Column("missed")]
    # From the release until the callback has the lock.
    worst_wait_us: Annotated[int, Column("worst wait us")]
    # Calls that change a priority, for each callback.
    scheduling: Annotated[float, Column("scheduling calls a callback", format=".2f")]
    # processor time of the other user of the lock: see the example
    step_ns: Annotated[int, Column("step")]


class ExampleTable(Part):
    """An example of examples/, under each kind of lock."""

    program: str
    step: str  # the heading of step_ns
    rows: list[LockRow]


class ProgramsReport(Part):
    """The report of `plafond bench programs`."""

    conditions: Conditions
    programs: list[ProgramRow]
    operations: list[OperationRow]
    examples: list[ExampleTable]
