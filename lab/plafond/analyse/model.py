# SPDX-License-Identifier: MIT
"""The report of an analysis."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from plafond.analyse.overheads import Overheads
from plafond.describe.server import ServerKind, Sharing
from plafond.protocols import Protocol
from plafond.rows import Column, duration
from plafond.words import NO_BOUND_YET


class Verdict(StrEnum):
    """The verdict of a row."""

    SCHEDULABLE = "schedulable"
    LATE = "late"
    NO_BOUND = "no bound"
    NO_BOUND_YET = NO_BOUND_YET


def verdict_of(schedulable: bool | None, no_bound_yet: str | None) -> Verdict:
    """Return the verdict.

    `schedulable` is None without a bound. `no_bound_yet` is the reason why there is none yet.
    """
    if no_bound_yet:
        return Verdict.NO_BOUND_YET
    if schedulable is None:
        return Verdict.NO_BOUND
    return Verdict.SCHEDULABLE if schedulable else Verdict.LATE


def _verdict(schedulable: bool) -> str:
    return Verdict.SCHEDULABLE if schedulable else Verdict.LATE


def _arrivals(is_aligned: bool) -> str:
    return "on periods" if is_aligned else "any"


SERVER = Column("server", missing="-", place=-1)


def _is_none(value: object) -> bool:
    return value is None


class AnalysisRow(BaseModel):
    """The bounds of one task under one protocol; None if there is no bound."""

    model_config = ConfigDict(frozen=True)

    task: Annotated[str, Column("task")]
    protocol: Annotated[Protocol, Column("protocol")]
    blocking_bound_ns: Annotated[int | None, duration("blocking")]
    response_bound_ns: Annotated[int | None, duration("response")]
    # From the arrival of the first task of its chain; None unless another task activates the task.
    end_to_end_ns: Annotated[int | None, duration("end to end")] = Field(
        default=None, exclude_if=_is_none
    )
    deadline_ns: Annotated[int | None, duration("deadline")]
    # The longest run of a task in C that only the description claims; None: there is no claim.
    claimed_run_ns: Annotated[int | None, duration("claimed run")] = Field(
        default=None, exclude_if=_is_none
    )
    schedulable: bool | None
    no_bound_yet: str | None = None  # why a later analysis is needed
    server: Annotated[str | None, SERVER] = Field(
        default=None, exclude_if=_is_none
    )  # or the reservation; None without either

    @property
    def verdict(self) -> Annotated[Verdict, Column("verdict", place=3)]:
        """Whether the deadline holds for every job."""
        return verdict_of(self.schedulable, self.no_bound_yet)


class DemandRow(BaseModel):
    """The demand test of a CPU under EDF, or of a server.

    From `window_ns` on: the shortest window that fails; None if no window fails.
    """

    model_config = ConfigDict(frozen=True)

    cpu: Annotated[int, Column("cpu")]
    utilisation: Annotated[float, Column("utilisation", format=".1%")]
    busy_period_ns: Annotated[int, duration("busy period")]
    schedulable: Annotated[bool, Column("verdict", format=_verdict, is_text=True)]
    window_ns: Annotated[int | None, duration("late within")]
    demand_ns: Annotated[int | None, duration("demand")]
    blocking_ns: Annotated[int | None, duration("blocking")]
    server: Annotated[str | None, SERVER] = Field(default=None, exclude_if=_is_none)


class ServerRow(BaseModel):
    """A server: whether it gets its budget in each period, and how long its tasks may get none."""

    model_config = ConfigDict(frozen=True)

    server: Annotated[str, Column("server", place=-2)]
    cpu: Annotated[int, Column("cpu")]
    kind: Annotated[ServerKind, Column("kind", place=-1)]
    period_ns: Annotated[int, duration("period")]
    budget_ns: Annotated[int, duration("budget")]
    # Time from a replenishment until all of its budget has come; None: it may not come.
    response_bound_ns: Annotated[int | None, duration("within", place=2)]
    gap_ns: Annotated[int, duration("first gap", place=2)]  # from an arrival on
    # Whether the gap is for arrivals on multiples of the period, not for any arrivals.
    is_aligned: Annotated[bool, Column("arrivals", format=_arrivals, is_text=True, place=2)]
    # From here on: None unless servers share resources.
    sharing: Annotated[Sharing | None, Column("global", missing="-", place=1)] = Field(
        default=None, exclude_if=_is_none
    )
    hold_ns: Annotated[int | None, duration("X", place=1)] = Field(
        default=None, exclude_if=_is_none
    )  # X
    kept_out_ns: Annotated[int | None, duration("kept out", place=1)] = Field(
        default=None, exclude_if=_is_none
    )  # by less urgent servers
    no_bound: str | None = Field(default=None, exclude_if=_is_none)  # why, if the budget is sure

    @property
    def verdict(self) -> Annotated[Verdict, Column("verdict", place=3)]:
        """Whether its tasks can have bounds."""
        if self.no_bound:
            return Verdict.NO_BOUND
        return Verdict.LATE if self.response_bound_ns is None else Verdict.SCHEDULABLE


class AnalysisReport(BaseModel):
    """All rows, and notes that explain them. `demand` has rows only under EDF."""

    model_config = ConfigDict(frozen=True)

    name: str
    rows: tuple[AnalysisRow, ...]
    demand: tuple[DemandRow, ...] = ()
    servers: tuple[ServerRow, ...] = Field(default=(), exclude_if=lambda rows: not rows)
    notes: tuple[str, ...]
    overheads: Overheads | None = None  # included in the bounds
