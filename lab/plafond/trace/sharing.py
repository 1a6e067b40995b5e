# SPDX-License-Identifier: MIT
"""Measure overruns, paybacks, skips and keep-outs of servers that share resources in a run.

OSPERT 2010, 8: HSRP's overruns with their paybacks, and SIRAP's waits for the next budget. A server
is kept out while it is due but a section of another server has the processor.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import BaseModel

from plafond.describe.server import Server, Sharing
from plafond.describe.system import System
from plafond.rows import Column, duration
from plafond.trace.activations import Span
from plafond.trace.model import Kind, ServerEventKind, ServerTrace, TaskTrace, Trace
from plafond.trace.served import beyond_spans, common, held_spans, overrun_spans, shut_out_spans


class Times(BaseModel):
    """The number of occurrences, the longest and the total time.

    Occurrences without length do not count: in virtual time a section may end exactly with a
    budget.
    """

    count: Annotated[int, Column("times", missing="-")]
    longest_ns: Annotated[int, duration("longest", of=lambda row: row.longest_ns or None)]
    total_ns: Annotated[int, duration("in all", of=lambda row: row.total_ns or None)]


class KeptOut(Times):
    """The times in which sections of another server kept a server out."""

    holder: Annotated[str, Column("kept out by", place=-1)]


class SharingMeasures(BaseModel):
    """The measures of a server under a protocol."""

    server: Annotated[str, Column("server")]
    protocol: Annotated[str, Column("protocol")]
    # None: the server's tasks use no shared resource, but it may be kept out.
    sharing: Annotated[Sharing | None, Column("policy")]
    overruns: Times  # processor time beyond its budget
    paybacks: Times  # the reductions of its next budget
    skips: Times  # from a task's skip to its server's next budget
    kept_out: list[KeptOut]  # processor time of the holder


def measure_sharing(system: System, trace: Trace) -> list[SharingMeasures]:
    """Return a row for each server, if some servers share a resource."""
    recorded = {server.name: server for server in trace.servers}
    end_ns = _end_of(trace)
    held = {server.name: held_spans(recorded[server.name], end_ns) for server in system.servers}
    return [
        _measure(system, trace, server, recorded[server.name], held, end_ns)
        for server in system.servers
        if system.resources_of_servers
    ]


def _end_of(trace: Trace) -> int:
    of_tasks = [event.time_ns for task in trace.tasks for event in task.events[-1:]]
    of_servers = [event.time_ns for server in trace.servers for event in server.events[-1:]]
    return max([*of_tasks, *of_servers], default=0)


def _measure(
    system: System,
    trace: Trace,
    server: Server,
    recorded: ServerTrace,
    held: dict[str, list[Span]],
    end_ns: int,
) -> SharingMeasures:
    tasks = {task.name for task in system.tasks_of(server.name)}
    others = {name: spans for name, spans in held.items() if name != server.name}
    return SharingMeasures(
        server=server.name,
        protocol=trace.protocol,
        sharing=server.sharing,
        overruns=_times(_overruns(recorded, end_ns)),
        paybacks=_times(_paybacks(recorded, end_ns)),
        skips=_times(_skips(trace, tasks, end_ns)),
        kept_out=list(_kept_out(recorded, others, end_ns)),
    )


def _times(lengths_ns: Iterable[int]) -> Times:
    known = [length_ns for length_ns in lengths_ns if length_ns]
    return Times(count=len(known), longest_ns=max(known, default=0), total_ns=sum(known))


def _length_ns(spans: Iterable[Span]) -> int:
    return sum(end - begin for begin, end in spans)


def _overruns(server: ServerTrace, end_ns: int) -> Iterator[int]:
    """Yield the processor time of each overrun, because a more urgent server may interrupt it."""
    held = held_spans(server, end_ns)
    for span in beyond_spans(server, end_ns):
        yield _length_ns(common([span], held))


def _paybacks(server: ServerTrace, end_ns: int) -> Iterator[int]:
    """Yield for each payback the overrun since the replenishment before."""
    overrun = overrun_spans(server, end_ns)
    since_ns = 0
    for before, event in pairwise(server.events):
        if event.kind is ServerEventKind.PAYBACK:
            yield _length_ns(common([(since_ns, event.time_ns)], overrun))
        if before.kind is ServerEventKind.REPLENISH:
            since_ns = before.time_ns


def _skips(trace: Trace, tasks: set[str], end_ns: int) -> Iterator[int]:
    for task in trace.tasks:
        if task.name in tasks:
            yield from _waits(task, end_ns)


def _waits(task: TaskTrace, end_ns: int) -> Iterator[int]:
    since_ns: int | None = None
    for event in task.events:
        if event.kind is Kind.AWAIT:
            since_ns = event.time_ns
        elif event.kind is Kind.AFFORD and since_ns is not None:
            yield event.time_ns - since_ns
            since_ns = None
    if since_ns is not None:
        yield end_ns - since_ns


def _kept_out(server: ServerTrace, others: dict[str, list[Span]], end_ns: int) -> Iterator[KeptOut]:
    """Yield a row for each server whose sections kept this server out."""
    spans = shut_out_spans(server, end_ns)
    for holder, held in others.items():
        own = [_length_ns(common([span], held)) for span in spans if _had(held, span[0])]
        if own:
            yield KeptOut(holder=holder, **_times(own).model_dump())


def _had(held: Sequence[Span], time_ns: int) -> bool:
    """Return whether the server had the processor at that instant, or got it then."""
    return any(begin <= time_ns < end for begin, end in held)
