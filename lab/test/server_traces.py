# SPDX-License-Identifier: MIT
"""Traces that a test writes: of tasks, and of servers in microseconds."""

from collections.abc import Sequence
from typing import Any

from plafond.trace.model import (
    Event,
    Kind,
    ServerEvent,
    ServerEventKind,
    ServerTrace,
    TaskTrace,
    Trace,
)
from plafond.units import UNIT_NS

US = UNIT_NS["us"]


def recorded(name: str, arrivals_ns: list[int], events: Sequence[Event], **more: Any) -> TaskTrace:
    """Return a task without faults, switches or counted calls. `more` sets other fields."""
    return TaskTrace(
        name=name,
        arrivals_ns=arrivals_ns,
        voluntary_switches=0,
        involuntary_switches=0,
        minor_faults=0,
        major_faults=0,
        lock_calls=0,
        lost_gaps=0,
        events=list(events),
        **more,
    )


def task(name: str, arrivals_us: list[int], *events: tuple[int, Kind, int]) -> TaskTrace:
    """Return a task. Each event has time, kind and activation."""
    noted = [Event(time_us * US, kind, number, None) for time_us, kind, number in events]
    return recorded(name, [each * US for each in arrivals_us], noted)


def server(name: str, *gets_and_loses_us: int) -> ServerTrace:
    """Return a server that gets and loses the CPU at these instants in turn."""
    kinds = (ServerEventKind.GET, ServerEventKind.LOSE)
    events = [
        ServerEvent(time_us * US, kinds[place % 2])
        for place, time_us in enumerate(gets_and_loses_us)
    ]
    return ServerTrace(name=name, events=events)


def trace(*tasks: TaskTrace, servers: tuple[ServerTrace, ...] = ()) -> Trace:
    """Return a trace of these tasks and servers."""
    return Trace(
        version=1, protocol="p", cut=None, kernel="", priority_limit_us=(None, None), backend=None,
        cpus=[], resources=[], tasks=list(tasks), servers=list(servers),
        lock_calls_not_counted=None, spare_cpu_time_ns=None,
    )  # fmt: skip
