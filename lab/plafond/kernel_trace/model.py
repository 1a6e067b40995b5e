# SPDX-License-Identifier: MIT
"""What a recording of the kernel's scheduler says of one thread: OSPERT 2010, 6, Section III.

An activation of a thread begins when it is woken up, and ends when it goes to sleep. Its execution
is the time that it had a CPU meanwhile; its response is all of it; an inter-arrival lies between
the beginnings of two.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel

from plafond.rows import Column, duration


class ThreadKind(StrEnum):
    """Whose thread it is."""

    INTERRUPT = "interrupt"  # irq/N-ACTION
    SOFTIRQ = "softirq"  # ksoftirqd/N, or a softirq by its name inside another thread
    TASK = "task"  # of the description
    OTHER = "other"  # any other thread of the kernel or of a process


class Distribution(BaseModel):
    """Times, and their statistics: a maximum says nothing without the number of samples."""

    samples: Annotated[int, Column("samples", missing="0")]  # at least 1
    average_ns: Annotated[float, duration("average")]
    deviation_ns: Annotated[float, duration("std")]
    least_ns: Annotated[int, duration("least")]
    most_ns: Annotated[int, duration("most")]
    counts: list[tuple[int, int]]  # a time, rounded up to two digits that count, and how often


def _scheduled(row: "ThreadMeasures") -> str:
    return row.policy if row.priority is None else f"{row.policy} {row.priority}"


def _list(cpus: list[int]) -> str:
    return ",".join(map(str, cpus))


class ThreadMeasures(BaseModel):
    """One thread in one run; those of other programs with one name and priority share a row."""

    protocol: Annotated[str, Column("protocol")]  # of the run
    # Its whole name; of an interrupt thread irq/N-ACTION, not cut to 15 letters.
    thread: Annotated[str, Column("thread", place=-1)]
    kind: ThreadKind
    irq: int | None  # of an interrupt thread
    policy: Annotated[str, Column("scheduled", of=_scheduled)]  # FIFO, RR, DEADLINE, OTHER
    priority: int | None  # of SCHED_FIFO and SCHED_RR
    cpus: Annotated[list[int], Column("CPU", format=_list, is_text=True)]  # that it ran on
    execution: Distribution | None  # None: no activation ended
    inter_arrival: Distribution | None
    response: Distribution | None
    # None: it is not periodic, as far as the recording says.
    period_ns: Annotated[int | None, duration("period")]
