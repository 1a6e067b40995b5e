# SPDX-License-Identifier: MIT
"""The trace that the executing programs write; times count from time 0 of the run."""

import operator
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plafond.errors import PlafondError
from plafond.invalid import first_problem
from plafond.witness import Speed


class Kind(StrEnum):
    """The kind of a task's event."""

    START = "start"  # the task begins an activation
    REQUEST = "request"  # the task asks for a resource
    GRANT = "grant"  # the task holds the resource
    UNLOCK = "unlock"  # the task is about to release the resource
    END = "end"  # the activation ends
    SKIP = "skip"  # an arrival was dropped, because the task was unfinished
    SLEEP = "sleep"  # the task suspends itself, or waits for an event
    WAKE = "wake"  # the sleep ends, or the event came
    SUSPEND = "suspend"  # the task lost the processor; threads note that only in run steps
    RESUME = "resume"  # the task has the processor again
    AWAIT = "await"  # the task waits, because its server has too little budget for a section
    # the server is replenished; the task enters the section when it has the processor
    AFFORD = "afford"


class ServerEventKind(StrEnum):
    """The kind of a server's event."""

    REPLENISH = "replenish"  # the budget is whole again, or a slot begins
    DEPLETE = "deplete"  # the budget is used up, or a slot ends
    GET = "get"  # the server has the processor: its tasks run, or its budget burns
    LOSE = "lose"  # the server has the processor no longer
    OVERRUN = "overrun"  # the budget ended inside a section, and the server continues
    PAYBACK = "payback"  # the new budget is reduced by the earlier overrun
    KEEP_OUT = "keep-out"  # a section of another server keeps this server from the processor


class Event(NamedTuple):
    """An event of a task."""

    time_ns: int
    kind: Kind
    activation: int
    resource: int | None


class ServerEvent(NamedTuple):
    """An event of a server."""

    time_ns: int
    kind: ServerEventKind


class CpuConditions(BaseModel):
    """The conditions that show how far a CPU's times can be trusted."""

    cpu: int
    turn_ns: int | None  # the usual length of a turn of a run step; None: not measured
    turns_per_us: Speed
    steal_ns: int | None


class TaskTrace(BaseModel):
    """A task: its arrivals as planned, its events as they happened, its counts."""

    name: str
    arrivals_ns: list[int]
    # The release minus the arrival, by arrival; empty: released at the arrivals.
    late_ns: list[int] = Field(default=[], exclude_if=operator.not_)
    # By activation: the slowest speed of its run steps; None: too short. Empty: no threads.
    slowest_turns_per_us: list[float | None] = Field(default=[], exclude_if=operator.not_)
    thread: int | None = None  # its number in the kernel; None: no thread, or not started
    voluntary_switches: int | None  # the counts are None if the task was cut off
    involuntary_switches: int | None
    minor_faults: int | None
    major_faults: int | None
    lock_calls: int | None
    lost_gaps: int
    stack_bytes: int | None = None  # the largest use; None: not measured
    events: list[Event]


class ManagerTrace(BaseModel):
    """The thread above all others that enforces the budgets of a CPU on Linux."""

    decisions: int
    busy_ns: int  # the processor time of all decisions
    priority_changes: int  # changes of threads' priorities
    calls: int = 0  # calls by the server's tasks at the end of a section
    latest_ns: int  # the longest delay of a decision about the server


class ServerTrace(BaseModel):
    """A server and its events, as they happened."""

    name: str
    manager: ManagerTrace | None = Field(default=None, exclude_if=operator.not_)
    events: list[ServerEvent]


class Trace(BaseModel):
    """A run under a protocol."""

    model_config = ConfigDict(extra="forbid")

    version: int
    protocol: str
    cut: str | None  # the reason of an early end
    kernel: str
    priority_limit_us: tuple[
        int | None, int | None
    ]  # a runtime and a period: SCHED_FIFO may run for the runtime in each period
    backend: str | None
    zero_ns: int | None = None  # time 0 in CLOCK_MONOTONIC; None: not reached, or on a board
    cpus: list[CpuConditions]
    resources: list[str]
    tasks: list[TaskTrace]
    # servers of Plafond's kernel or of libplafond
    servers: list[ServerTrace] = Field(default=[], exclude_if=operator.not_)
    lock_calls_not_counted: str | None
    spare_cpu_time_ns: int | None

    def numbers_of(self, resources: Iterable[str]) -> frozenset[int]:
        """Return the numbers that events use for the resources."""
        return frozenset(self.resources.index(name) for name in resources)


def read_trace(file: Path) -> Trace:
    """Read a trace; PlafondError if the file is not a trace."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PlafondError(f"{file}: not a trace of plafond-run: {error}") from None
    return parse_trace(content, str(file))


def parse_trace(content: bytes, name: str) -> Trace:
    """Parse a trace; PlafondError with `name` if `content` is not a trace."""
    try:
        return Trace.model_validate_json(content)
    except ValidationError as error:
        raise PlafondError(f"{name}: not a trace of plafond-run: {first_problem(error)}") from None
