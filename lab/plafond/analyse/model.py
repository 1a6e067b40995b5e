# SPDX-License-Identifier: MIT
"""What an analysis says."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from plafond.analyse.overheads import Overheads
from plafond.protocols import Protocol


class Verdict(StrEnum):
    """A row in one word."""

    SCHEDULABLE = "schedulable"
    LATE = "late"
    NO_BOUND = "no bound"


def verdict_of(schedulable: bool | None) -> Verdict:
    """Return the verdict; None: there is no bound."""
    if schedulable is None:
        return Verdict.NO_BOUND
    return Verdict.SCHEDULABLE if schedulable else Verdict.LATE


class AnalysisRow(BaseModel):
    """The bounds of one task under one protocol; None where there is none."""

    model_config = ConfigDict(frozen=True)

    task: str
    protocol: Protocol
    blocking_bound_ns: int | None
    response_bound_ns: int | None
    deadline_ns: int | None
    schedulable: bool | None

    @property
    def verdict(self) -> Verdict:
        """Whether the deadline holds for every job."""
        return verdict_of(self.schedulable)


class DemandRow(BaseModel):
    """A CPU under EDF: whether each window holds what is due in it, or the least that does not."""

    model_config = ConfigDict(frozen=True)

    cpu: int
    utilisation: float
    busy_period_ns: int
    schedulable: bool
    window_ns: int | None
    demand_ns: int | None
    blocking_ns: int | None


class AnalysisReport(BaseModel):
    """All rows, and what they do not say by themselves; the demand only under EDF."""

    model_config = ConfigDict(frozen=True)

    name: str
    rows: tuple[AnalysisRow, ...]
    demand: tuple[DemandRow, ...] = ()
    notes: tuple[str, ...]
    overheads: Overheads | None = None  # what the bounds include beyond the description
