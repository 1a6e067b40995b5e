# SPDX-License-Identifier: MIT
"""A run as a Perfetto trace for ui.perfetto.dev: a track for each task.

An activation is a slice. It contains slices for its sections, its waits for resources, and its
times without the processor. A slice that is open at the end of the trace has no end. If tasks are
on several CPUs, a track names the CPU of its task. A section that other CPUs can wait for is marked
global.

A server has a track above its tasks' tracks, with slices for its times with the processor. If
servers share resources, slices also show its times kept out or beyond its budget. If the kernel's
scheduler was recorded, tracks of all other threads, softirqs and interrupts follow, with slices for
their times on a CPU.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from plafond.describe.server import Server
from plafond.describe.system import System
from plafond.kernel_trace.history import History, OnCpu
from plafond.kernel_trace.model import ThreadKind
from plafond.report.bands import tracks_of
from plafond.report.cut import ENDS, end_of
from plafond.trace.model import Event, Kind, ServerEvent, ServerEventKind, TaskTrace, Trace

SEQUENCE = 1
RUN_TRACK = 1
INSTANTS = {
    ServerEventKind.REPLENISH: "replenished",
    ServerEventKind.DEPLETE: "depleted",
    ServerEventKind.PAYBACK: "pays back what it overran",
}
# Events that end the slice of a server beyond its budget: the overrun ends, or the server loses the
# processor.
ENDS_BEYOND = (ServerEventKind.DEPLETE, ServerEventKind.REPLENISH, ServerEventKind.LOSE)


class Type(StrEnum):
    """The type of a mark, by its name in Perfetto."""

    BEGIN = "TYPE_SLICE_BEGIN"
    END = "TYPE_SLICE_END"
    INSTANT = "TYPE_INSTANT"


class Mark(NamedTuple):
    """A point on a track."""

    time_ns: int
    type: Type
    name: str = ""


def perfetto_trace(
    trace: Trace, name: str, system: System, history: History | None = None
) -> bytes:
    """Return the trace of a protocol in Perfetto's format; times are in nanoseconds.

    `history`: the other users of the CPUs, if they were recorded.
    """
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
        TrackDescriptor,
    )
    from perfetto.trace_builder.proto_builder import TraceProtoBuilder  # type: ignore[import-untyped]

    builder = TraceProtoBuilder()
    run = builder.add_packet().track_descriptor
    cut = f", CUT SHORT: {trace.cut}" if trace.cut else ""
    run.uuid, run.name = RUN_TRACK, f"{name}: {trace.protocol}{cut}"
    run.child_ordering = TrackDescriptor.EXPLICIT
    tracks = [*_tracks(trace, system), *(_of_others(history) if history else ())]
    for rank, (track, marks) in enumerate(tracks):
        descriptor = builder.add_packet().track_descriptor
        descriptor.uuid, descriptor.parent_uuid = RUN_TRACK + 1 + rank, RUN_TRACK
        descriptor.name, descriptor.sibling_order_rank = track, rank
        for mark in marks:
            _add(builder.add_packet(), descriptor.uuid, mark)
    return bytes(builder.serialize())


def _tracks(trace: Trace, system: System) -> Iterator[tuple[str, list[Mark]]]:
    """Yield the name and the marks of each track."""
    is_on_one = len({task.cpu for task in system.tasks}) == 1
    end_ns = end_of(trace)
    resources = _resources(trace, system)
    tasks = {task.name: task for task in trace.tasks}
    servers = {server.name: server for server in trace.servers}
    for track in tracks_of(system):
        place = "" if is_on_one else f"CPU {track.cpu}: "
        if isinstance(track, Server):
            yield f"{place}server {track.name}", list(_of_server(servers[track.name].events))
        else:
            yield f"{place}{track.name}", _marks(tasks[track.name], resources, end_ns)


def _of_others(history: History) -> Iterator[tuple[str, list[Mark]]]:
    """Yield a track for each handler and thread, with a slice for each time on a CPU.

    A handler may run on several CPUs at once, so it has a track for each CPU.
    """
    for each in [*history.interrupts, *history.softirqs]:
        for cpu in sorted({piece.cpu for piece in each.on_cpu}):
            own = (piece for piece in each.on_cpu if piece.cpu == cpu)
            yield f"CPU {cpu}: {each.name}", [mark for piece in own for mark in _on_cpu(piece)]
    for each in history.threads:
        if each.kind is not ThreadKind.TASK:
            yield each.name, [mark for piece in each.on_cpu for mark in _on_cpu(piece)]


def _on_cpu(piece: OnCpu) -> Iterator[Mark]:
    yield Mark(piece.begin_ns, Type.BEGIN, f"CPU {piece.cpu}")
    yield Mark(piece.end_ns, Type.END)


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


def _of_server(events: Iterable[ServerEvent]) -> Iterator[Mark]:
    """Yield the marks; an inner slice ends before the slice around it."""
    has_it = is_beyond = is_out = False  # the processor; beyond its budget; kept out
    for event in events:
        time_ns, kind = event
        if is_out and kind in (ServerEventKind.GET, ServerEventKind.KEEP_OUT):
            yield Mark(time_ns, Type.END)
            is_out = False
        if is_beyond and has_it and kind in ENDS_BEYOND:
            yield Mark(time_ns, Type.END)
        match kind:
            case ServerEventKind.GET:
                has_it = True
                yield Mark(time_ns, Type.BEGIN, "has the processor")
            case ServerEventKind.LOSE:
                has_it = False
                yield Mark(time_ns, Type.END)
            case ServerEventKind.KEEP_OUT:
                is_out = True
                yield Mark(time_ns, Type.BEGIN, "kept out by a section of another server")
            case ServerEventKind.OVERRUN:
                is_beyond = True
            case _:
                is_beyond &= kind not in ENDS_BEYOND
                yield Mark(time_ns, Type.INSTANT, INSTANTS[kind])
        if is_beyond and has_it and kind in (ServerEventKind.OVERRUN, ServerEventKind.GET):
            yield Mark(time_ns, Type.BEGIN, "beyond its budget, to end a section")


def _of_event(event: Event, resources: Sequence[str]) -> Iterator[Mark]:
    time_ns, kind, activation, index = event
    resource = "" if index is None else resources[index]
    begins = {
        Kind.START: f"activation {activation}",
        Kind.REQUEST: f"waits for {resource}",
        Kind.GRANT: resource,
        Kind.SUSPEND: "without the processor",
        Kind.SLEEP: "sleeps or waits for an event",
        Kind.AWAIT: "waits for the next budget of its server",
    }
    if kind in ENDS:
        yield Mark(time_ns, Type.END)
    if kind in begins:
        yield Mark(time_ns, Type.BEGIN, begins[kind])
    elif kind is Kind.SKIP:
        yield Mark(time_ns, Type.INSTANT, "skipped")
