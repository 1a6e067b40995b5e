# SPDX-License-Identifier: MIT
"""The measures of a thread in a recording of the scheduler: OSPERT 2010, 6, Section III.

An activation of a thread begins when the thread is woken up, and ends when it goes to sleep. The
execution is the time on a CPU meanwhile. The response is the whole time. An inter-arrival is the
time between the starts of two activations.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel

from plafond.rows import Column, duration


class ThreadKind(StrEnum):
    """The owner or purpose of a thread."""

    INTERRUPT = "interrupt"  # irq/N-ACTION
    SOFTIRQ = "softirq"  # ksoftirqd/N, or a softirq by name inside another thread
    TASK = "task"  # a task of the description
    OTHER = "other"  # any other thread of the kernel or of a process


class Distribution(BaseModel):
    """Statistics of times; they have the number of samples, because a maximum depends on it."""

    samples: Annotated[int, Column("samples", missing="0")]  # at least 1
    average_ns: Annotated[float, duration("average")]
    deviation_ns: Annotated[float, duration("std")]
    least_ns: Annotated[int, duration("least")]
    most_ns: Annotated[int, duration("most")]
    # pairs of a time, rounded up to two significant digits, and its count
    counts: list[tuple[int, int]]


def _scheduled(row: "ThreadMeasures") -> str:
    return row.policy if row.priority is None else f"{row.policy} {row.priority}"


def _list(cpus: list[int]) -> str:
    return ",".join(map(str, cpus))


class ThreadMeasures(BaseModel):
    """A thread in a run; threads of other programs with the same name and priority share a row."""

    protocol: Annotated[str, Column("protocol")]  # of the run
    # Not truncated to 15 letters; an interrupt thread is irq/N-ACTION.
    thread: Annotated[str, Column("thread", place=-1)]
    kind: ThreadKind
    irq: int | None  # only of an interrupt thread
    policy: Annotated[str, Column("scheduled", of=_scheduled)]  # FIFO, RR, DEADLINE, OTHER
    priority: int | None  # only of SCHED_FIFO and SCHED_RR
    cpus: Annotated[list[int], Column("CPU", format=_list, is_text=True)]  # on which it ran
    execution: Distribution | None  # None: no activation ended
    inter_arrival: Distribution | None
    response: Distribution | None
    # None: the recording does not show a period.
    period_ns: Annotated[int | None, duration("period")]
