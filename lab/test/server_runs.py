# SPDX-License-Identifier: MIT
"""Runs under servers: when each task and each server had the processor."""

from itertools import cycle

from kernel_runs import trace_on
from server_model import Happening, Stretch, joined

from plafond.describe.kernel import DEFAULT_PROTOCOLS
from plafond.describe.system import System
from plafond.trace.model import Kind, ServerEventKind, ServerTrace, Trace
from plafond.trace.served import beyond_spans, shut_out_spans


def trace_of(system: System, board: str = "sim", scale: str = "1") -> Trace:
    """Return the complete trace of a run."""
    trace = trace_on(board, DEFAULT_PROTOCOLS[system.scheduler], system, scale)
    assert trace.cut is None
    return trace


def ran(trace: Trace) -> list[Stretch]:
    """Return the stretches in which each task had the processor."""
    found = []
    for task in trace.tasks:
        begin = None
        for event in task.events:
            if event.kind in ("start", "resume"):
                begin = event.time_ns
            elif event.kind in ("suspend", "await", "end") and begin is not None:
                found.append((task.name, begin, event.time_ns))
                begin = None
    return joined(found)


def holds(trace: Trace, server: str) -> list[tuple[int, int]]:
    """Return when a server had the processor. The last end may be that of the trace."""
    events = next(each.events for each in trace.servers if each.name == server)
    switches = [event for event in events if event.kind in ("get", "lose")]
    assert all(kind == event.kind for kind, event in zip(cycle(["get", "lose"]), switches))
    times = [event.time_ns for event in switches]
    last_ns = max(task.events[-1].time_ns for task in trace.tasks)
    return list(zip(times[::2], [*times[1::2], last_ns], strict=False))


def happened(trace: Trace) -> list[Happening]:
    """Return overruns, keep-outs, paybacks and skips, except spans without length."""
    skips = [
        (event.time_ns, "skip", task.name)
        for task in trace.tasks
        for event in task.events
        if event.kind is Kind.AWAIT
    ]
    of_servers = [happening for server in trace.servers for happening in _of_server(server, trace)]
    return sorted([*skips, *of_servers])


def _of_server(server: ServerTrace, trace: Trace) -> list[Happening]:
    end_ns = max(task.events[-1].time_ns for task in trace.tasks)
    spans = {"overrun": beyond_spans(server, end_ns), "keep-out": shut_out_spans(server, end_ns)}
    found = [
        (begin, what, server.name)
        for what, several in spans.items()
        for begin, end in several
        if begin < end
    ]
    paybacks = (event for event in server.events if event.kind is ServerEventKind.PAYBACK)
    return [*found, *((event.time_ns, "payback", server.name) for event in paybacks)]
