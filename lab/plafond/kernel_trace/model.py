# SPDX-License-Identifier: MIT
"""What a recording of the kernel's scheduler says of one thread: OSPERT 2010, 6, Section III.

An activation of a thread begins when it is woken up, and ends when it goes to sleep. Its execution
is the time that it had a CPU meanwhile; its response is all of it; an inter-arrival lies between
the beginnings of two.
"""

from enum import StrEnum

from pydantic import BaseModel


class ThreadKind(StrEnum):
    """Whose thread it is."""

    INTERRUPT = "interrupt"  # irq/N-ACTION
    SOFTIRQ = "softirq"  # ksoftirqd/N, or a softirq by its name inside another thread
    TASK = "task"  # of the description
    OTHER = "other"  # any other thread of the kernel or of a process


class Distribution(BaseModel):
    """Times, and their statistics: a maximum says nothing without the number of samples."""

    samples: int  # at least 1
    average_ns: float
    deviation_ns: float
    least_ns: int
    most_ns: int
    counts: list[tuple[int, int]]  # a time, rounded up to two digits that count, and how often


class ThreadMeasures(BaseModel):
    """One thread in one run; those of other programs with one name and priority share a row."""

    protocol: str  # of the run
    thread: str  # its whole name; of an interrupt thread irq/N-ACTION, not cut to 15 letters
    kind: ThreadKind
    irq: int | None  # of an interrupt thread
    policy: str  # FIFO, RR, DEADLINE, OTHER
    priority: int | None  # of SCHED_FIFO and SCHED_RR
    cpus: list[int]  # where it ran
    execution: Distribution | None  # None: no activation ended
    inter_arrival: Distribution | None
    response: Distribution | None
    period_ns: int | None  # None: it is not periodic, as far as the recording says
