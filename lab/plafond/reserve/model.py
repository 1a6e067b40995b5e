# SPDX-License-Identifier: MIT
"""What is proposed: a row for each interrupt thread and each way to choose its budget."""

from pydantic import BaseModel, ConfigDict

from plafond.reserve.source import Source


class Row(BaseModel):
    """One way for one thread."""

    model_config = ConfigDict(frozen=True)

    source: Source
    execution_ns: int  # C
    interval_ns: int  # P
    load: float  # C/P
    budget_ns: int | None  # None: there is no such reservation
    share: float | None  # Q/T
    pending: int | None  # the least N_c of equation 2
    # Of all interrupts, if they came at average intervals to a device that keeps none waiting.
    lost: float | None
    why_not: str | None = None


class ThreadRows(BaseModel):
    """One interrupt thread."""

    model_config = ConfigDict(frozen=True)

    thread: str
    irq: str  # as a description has it: the action, or the whole name of the thread
    samples: int  # activations that ended
    average_load: float  # below that, a reservation falls behind for ever
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
