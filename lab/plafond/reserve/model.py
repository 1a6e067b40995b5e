# SPDX-License-Identifier: MIT
"""The proposed reservations: a row for each interrupt thread and each way to choose its budget."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict

from plafond.reserve.source import Source
from plafond.rows import Column, duration
from plafond.units import format_duration


def _budget(budget_ns: int) -> str:
    return format_duration(budget_ns, digits=6)


class Row(BaseModel):
    """A reservation for a thread, by a way to choose the budget."""

    model_config = ConfigDict(frozen=True)

    source: Annotated[Source, Column("from")]
    execution_ns: Annotated[int, duration("C")]  # C
    interval_ns: Annotated[int, duration("P")]  # P
    load: float  # C/P
    # None: no reservation is possible this way.
    budget_ns: Annotated[int | None, duration("budget", format=_budget)]
    share: Annotated[float | None, Column("share", format=".2%", missing="-")]  # Q/T
    pending: Annotated[int | None, Column("N_c", missing="-")]  # the least N_c of equation 2
    # Share of all interrupts, if they come at average intervals and the device keeps none waiting.
    lost: Annotated[float | None, Column("lost", format=".2%", missing="-")]
    why_not: str | None = None


class ThreadRows(BaseModel):
    """An interrupt thread."""

    model_config = ConfigDict(frozen=True)

    thread: str
    irq: str  # in a description: the action, or the whole name of the thread
    samples: int  # number of activations that ended
    average_load: float  # a reservation with a lower share falls behind for ever
    rows: tuple[Row, ...]
    server: str  # the name of its table
    toml: str  # the table, or why there is none as a comment


class Proposal(BaseModel):
    """All threads of a report."""

    model_config = ConfigDict(frozen=True)

    name: str
    period_ns: int
    pending: int | None
    source: Source  # of the tables
    threads: tuple[ThreadRows, ...]
    notes: tuple[str, ...]
