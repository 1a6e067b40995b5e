# SPDX-License-Identifier: MIT
"""A trace, as the programs that execute a task set write it; times from time 0 of the run."""

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
    """What happened."""

    START = "start"  # the task goes to work on an activation
    REQUEST = "request"  # it asks for a resource
    GRANT = "grant"  # it holds the resource
    UNLOCK = "unlock"  # it is about to give the resource back
    END = "end"  # the activation is over
    SKIP = "skip"  # an arrival found the task unfinished and was dropped
    SLEEP = "sleep"  # it suspends itself, or waits for an event
    WAKE = "wake"  # and goes on, or its event came
    SUSPEND = "suspend"  # it lost the processor; a thread notes that in its run steps only
    RESUME = "resume"  # and has it again
    AWAIT = "await"  # too little is left of its server's budget for a section: it waits
    AFFORD = "afford"  # its server is replenished: it enters as soon as it has the processor


class ServerEventKind(StrEnum):
    """What happened to a server."""

    REPLENISH = "replenish"  # its budget is whole again; a slot begins
    DEPLETE = "deplete"  # nothing is left of it; a slot ends
    GET = "get"  # it has the processor: its tasks run, or its budget burns
    LOSE = "lose"  # another server has it, or none
    OVERRUN = "overrun"  # its budget has ended inside a section, and it goes on
    PAYBACK = "payback"  # the budget that it just got is less by what it overran before
    KEEP_OUT = "keep-out"  # it would have the processor, but for a section of another server


class Event(NamedTuple):
    """One thing that happened to one task."""

    time_ns: int
    kind: Kind
    activation: int
    resource: int | None


class ServerEvent(NamedTuple):
    """One thing that happened to one server."""

    time_ns: int
    kind: ServerEventKind


class CpuConditions(BaseModel):
    """How far the times of one CPU can be trusted."""

    cpu: int
    turn_ns: int | None  # that a turn of a run step usually takes; None: not measured
    turns_per_us: Speed
    steal_ns: int | None


class TaskTrace(BaseModel):
    """One task: its arrivals as planned, its events as they happened, its counts."""

    name: str
    arrivals_ns: list[int]
    # How much each release came after its arrival; none: with it.
    late_ns: list[int] = Field(default=[], exclude_if=operator.not_)
    # The slowest speed of each activation's run steps; None: too short. None at all: no threads.
    slowest_turns_per_us: list[float | None] = Field(default=[], exclude_if=operator.not_)
    thread: int | None = None  # its number in the kernel; None: it has none, or was not started
    voluntary_switches: int | None  # counts are None of a task that was cut off
    involuntary_switches: int | None
    minor_faults: int | None
    major_faults: int | None
    lock_calls: int | None
    lost_gaps: int
    stack_bytes: int | None = None  # used at most; None: not measured
    events: list[Event]


class ManagerTrace(BaseModel):
    """What keeps the budgets of a CPU on Linux: a thread above all others."""

    decisions: int
    busy_ns: int  # for all of them
    priority_changes: int  # of threads
    calls: int = 0  # by tasks of the server, at the end of a section
    latest_ns: int  # how late a decision about the server was, at most


class ServerTrace(BaseModel):
    """One server: its events as they happened."""

    name: str
    manager: ManagerTrace | None = Field(default=None, exclude_if=operator.not_)
    events: list[ServerEvent]


class Trace(BaseModel):
    """One run under one protocol."""

    model_config = ConfigDict(extra="forbid")

    version: int
    protocol: str
    cut: str | None  # why it ended early
    kernel: str
    priority_limit_us: tuple[
        int | None, int | None
    ]  # SCHED_FIFO may run so long in each such period
    backend: str | None
    zero_ns: int | None = None  # time 0 in CLOCK_MONOTONIC; None: not reached, or of a board
    cpus: list[CpuConditions]
    resources: list[str]
    tasks: list[TaskTrace]
    servers: list[ServerTrace] = Field(default=[], exclude_if=operator.not_)  # of the kernel
    lock_calls_not_counted: str | None
    spare_cpu_time_ns: int | None

    def numbers_of(self, resources: Iterable[str]) -> frozenset[int]:
        """Return what events call the resources."""
        return frozenset(self.resources.index(name) for name in resources)


def read_trace(file: Path) -> Trace:
    """Read a trace; PlafondError if the file is not one."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PlafondError(f"{file}: not a trace of plafond-run: {error}") from None
    return parse_trace(content, str(file))


def parse_trace(content: bytes, name: str) -> Trace:
    """Return the trace that `content` is; PlafondError with `name` if it is none."""
    try:
        return Trace.model_validate_json(content)
    except ValidationError as error:
        raise PlafondError(f"{name}: not a trace of plafond-run: {first_problem(error)}") from None
