# SPDX-License-Identifier: MIT
"""What an analysis says."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from plafond.analyse.overheads import Overheads
from plafond.describe.server import ServerKind, Sharing
from plafond.protocols import Protocol
from plafond.words import NO_BOUND_YET


class Verdict(StrEnum):
    """A row in one word."""

    SCHEDULABLE = "schedulable"
    LATE = "late"
    NO_BOUND = "no bound"
    NO_BOUND_YET = NO_BOUND_YET


def verdict_of(schedulable: bool | None, no_bound_yet: str | None) -> Verdict:
    """Return the verdict; None: there is no bound, or none yet, with the reason."""
    if no_bound_yet:
        return Verdict.NO_BOUND_YET
    if schedulable is None:
        return Verdict.NO_BOUND
    return Verdict.SCHEDULABLE if schedulable else Verdict.LATE


def _is_none(value: object) -> bool:
    return value is None


class AnalysisRow(BaseModel):
    """The bounds of one task under one protocol; None where there is none."""

    model_config = ConfigDict(frozen=True)

    task: str
    protocol: Protocol
    blocking_bound_ns: int | None
    response_bound_ns: int | None
    deadline_ns: int | None
    schedulable: bool | None
    no_bound_yet: str | None = None  # why a later analysis is needed
    server: str | None = Field(default=None, exclude_if=_is_none)  # where a CPU has servers

    @property
    def verdict(self) -> Verdict:
        """Whether the deadline holds for every job."""
        return verdict_of(self.schedulable, self.no_bound_yet)


class DemandRow(BaseModel):
    """A CPU under EDF, or a server of it: whether each window holds what is due in it, or the least
    that does not.
    """

    model_config = ConfigDict(frozen=True)

    cpu: int
    utilisation: float
    busy_period_ns: int
    schedulable: bool
    window_ns: int | None
    demand_ns: int | None
    blocking_ns: int | None
    server: str | None = Field(default=None, exclude_if=_is_none)


class ServerRow(BaseModel):
    """A server: whether its budget is sure in each period, and how long its tasks may get none."""

    model_config = ConfigDict(frozen=True)

    server: str
    cpu: int
    kind: ServerKind
    period_ns: int
    budget_ns: int
    response_bound_ns: int | None  # of its budget, after a replenishment; None: it is not sure
    gap_ns: int  # from an arrival on
    is_aligned: bool  # the gap is that of arrivals on multiples of the period, and not of any
    # Where resources are shared by servers.
    sharing: Sharing | None = Field(default=None, exclude_if=_is_none)
    hold_ns: int | None = Field(default=None, exclude_if=_is_none)  # X
    kept_out_ns: int | None = Field(default=None, exclude_if=_is_none)  # by less urgent ones
    no_bound: str | None = Field(default=None, exclude_if=_is_none)  # why, if its budget is sure

    @property
    def verdict(self) -> Verdict:
        """Whether its tasks can have bounds."""
        if self.no_bound:
            return Verdict.NO_BOUND
        return Verdict.LATE if self.response_bound_ns is None else Verdict.SCHEDULABLE


class AnalysisReport(BaseModel):
    """All rows, and what they do not say by themselves; the demand only under EDF."""

    model_config = ConfigDict(frozen=True)

    name: str
    rows: tuple[AnalysisRow, ...]
    demand: tuple[DemandRow, ...] = ()
    servers: tuple[ServerRow, ...] = Field(default=(), exclude_if=lambda rows: not rows)
    notes: tuple[str, ...]
    overheads: Overheads | None = None  # what the bounds include beyond the description
