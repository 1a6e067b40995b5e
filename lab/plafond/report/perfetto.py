# SPDX-License-Identifier: MIT
"""A run as a Perfetto trace, to be opened at ui.perfetto.dev: a track a task.

An activation is a slice; in it lie its sections, its waits for resources and the times
without the processor. What the end of the trace cut off has no end there either. Where tasks are
on several CPUs, a track names that of its task; a section that other CPUs can wait for is global.
A server has a track above those of its tasks, with a slice for each time that it has the processor.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from plafond.describe.server import Server
from plafond.describe.system import System
from plafond.report.bands import tracks_of
from plafond.report.cut import ENDS, end_of
from plafond.trace.model import Event, Kind, ServerEvent, ServerEventKind, TaskTrace, Trace

SEQUENCE = 1
RUN_TRACK = 1


class Type(StrEnum):
    """What a mark on a track is, by its name in Perfetto."""

    BEGIN = "TYPE_SLICE_BEGIN"
    END = "TYPE_SLICE_END"
    INSTANT = "TYPE_INSTANT"


class Mark(NamedTuple):
    """A point on a track."""

    time_ns: int
    type: Type
    name: str = ""


def perfetto_trace(trace: Trace, name: str, system: System) -> bytes:
    """Return the trace of one protocol in Perfetto's format, times in nanoseconds."""
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
        TrackDescriptor,
    )
    from perfetto.trace_builder.proto_builder import TraceProtoBuilder  # type: ignore[import-untyped]

    builder = TraceProtoBuilder()
    run = builder.add_packet().track_descriptor
    cut = f", CUT SHORT: {trace.cut}" if trace.cut else ""
    run.uuid, run.name = RUN_TRACK, f"{name}: {trace.protocol}{cut}"
    run.child_ordering = TrackDescriptor.EXPLICIT
    for rank, (track, marks) in enumerate(_tracks(trace, system)):
        descriptor = builder.add_packet().track_descriptor
        descriptor.uuid, descriptor.parent_uuid = RUN_TRACK + 1 + rank, RUN_TRACK
        descriptor.name, descriptor.sibling_order_rank = track, rank
        for mark in marks:
            _add(builder.add_packet(), descriptor.uuid, mark)
    return bytes(builder.serialize())


def _tracks(trace: Trace, system: System) -> Iterator[tuple[str, list[Mark]]]:
    """Yield what each track is called, and what is on it."""
    is_on_one = len({task.cpu for task in system.tasks}) == 1
    end_ns = end_of(trace)
    resources = _resources(trace, system)
    tasks = {task.name: task for task in trace.tasks}
    servers = {server.name: server for server in trace.servers}
    for track in tracks_of(system):
        place = "" if is_on_one else f"CPU {track.cpu}: "
        if isinstance(track, Server):
            marks = [mark for event in servers[track.name].events for mark in _of_server(event)]
            yield f"{place}server {track.name}", marks
        else:
            yield f"{place}{track.name}", _marks(tasks[track.name], resources, end_ns)


def _resources(trace: Trace, system: System) -> list[str]:
    """Return the names of resources, by their numbers."""
    across = {each.name: f"{each.name} (global)" for each in system.global_resources}
    return [across.get(name, name) for name in trace.resources]


def _add(packet: Any, track: int, mark: Mark) -> None:
    packet.timestamp = max(mark.time_ns, 0)
    packet.trusted_packet_sequence_id = SEQUENCE
    event = packet.track_event
    event.type = event.DESCRIPTOR.enum_types_by_name["Type"].values_by_name[mark.type].number
    event.track_uuid = track
    if mark.name:
        event.name = mark.name


def _marks(task: TaskTrace, resources: Sequence[str], end_ns: int) -> list[Mark]:
    arrivals = (Mark(time, Type.INSTANT, "arrives") for time in task.arrivals_ns if time <= end_ns)
    events = (mark for event in task.events for mark in _of_event(event, resources))
    return sorted([*arrivals, *events], key=lambda mark: mark.time_ns)


def _of_server(event: ServerEvent) -> Iterator[Mark]:
    match event.kind:
        case ServerEventKind.GET:
            yield Mark(event.time_ns, Type.BEGIN, "has the processor")
        case ServerEventKind.LOSE:
            yield Mark(event.time_ns, Type.END)
        case ServerEventKind.REPLENISH:
            yield Mark(event.time_ns, Type.INSTANT, "replenished")
        case ServerEventKind.DEPLETE:
            yield Mark(event.time_ns, Type.INSTANT, "depleted")


def _of_event(event: Event, resources: Sequence[str]) -> Iterator[Mark]:
    time_ns, kind, activation, index = event
    resource = "" if index is None else resources[index]
    begins = {
        Kind.START: f"activation {activation}",
        Kind.REQUEST: f"waits for {resource}",
        Kind.GRANT: resource,
        Kind.SUSPEND: "without the processor",
        Kind.SLEEP: "sleeps or waits for an event",
    }
    if kind in ENDS:
        yield Mark(time_ns, Type.END)
    if kind in begins:
        yield Mark(time_ns, Type.BEGIN, begins[kind])
    elif kind is Kind.SKIP:
        yield Mark(time_ns, Type.INSTANT, "skipped")
