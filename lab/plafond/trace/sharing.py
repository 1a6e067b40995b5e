# SPDX-License-Identifier: MIT
"""What resources of several servers did in a run: overruns, paybacks, skips, and keep-outs.

OSPERT 2010, 8: HSRP's overruns, with what is paid back, and SIRAP's waits for the next budget. A
server is kept out while it would have the processor and a section of another one has it.
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
    """How often something was, for how long at most, and for how long in all.

    What took no time does not count: in virtual time a section may end just when a budget does.
    """

    count: Annotated[int, Column("times", missing="-")]
    longest_ns: Annotated[int, duration("longest", of=lambda row: row.longest_ns or None)]
    total_ns: Annotated[int, duration("in all", of=lambda row: row.total_ns or None)]


class KeptOut(Times):
    """How often sections of one server kept another one out."""

    holder: Annotated[str, Column("kept out by", place=-1)]


class SharingMeasures(BaseModel):
    """One server under one protocol."""

    server: Annotated[str, Column("server")]
    protocol: Annotated[str, Column("protocol")]
    # None: its tasks use no such resource, and it may be kept out.
    sharing: Annotated[Sharing | None, Column("policy")]
    overruns: Times  # processor time beyond its budget
    paybacks: Times  # by so much its next budget was less
    skips: Times  # from where a task may not enter to its server's next budget
    kept_out: list[KeptOut]  # processor time of the holder


def measure_sharing(system: System, trace: Trace) -> list[SharingMeasures]:
    """Return a row for each server, where some of them share a resource."""
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
    """Yield how much of the processor each took: it may have lost it to a more urgent server."""
    held = held_spans(server, end_ns)
    for span in beyond_spans(server, end_ns):
        yield _length_ns(common([span], held))


def _paybacks(server: ServerTrace, end_ns: int) -> Iterator[int]:
    """Yield what it used beyond its budget before each replenishment that takes that back."""
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
    """Yield a row for each server whose sections kept this one out."""
    spans = shut_out_spans(server, end_ns)
    for holder, held in others.items():
        own = [_length_ns(common([span], held)) for span in spans if _had(held, span[0])]
        if own:
            yield KeptOut(holder=holder, **_times(own).model_dump())


def _had(held: Sequence[Span], time_ns: int) -> bool:
    """Whether it had the processor then: it may have got it at that instant, and not lost it."""
    return any(begin <= time_ns < end for begin, end in held)
