# SPDX-License-Identifier: MIT
"""Perfetto traces, read back with Perfetto's own classes."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
    Trace as PerfettoTrace,
)
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
from report_fakes import across_cpus, carminati, damaged, served

from plafond.report.perfetto import perfetto_trace
from plafond.run.model import Execution
from plafond.trace.model import Kind, Trace

BEGIN, END = TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END
INSTANT = TrackEvent.TYPE_INSTANT


def packets(trace: Trace) -> list[Any]:
    names = [task.name for task in trace.tasks]
    executed = (carminati, damaged, across_cpus, served)
    systems = [each().system for each in executed]
    system = next(each for each in systems if [task.name for task in each.tasks] == names)
    parsed = PerfettoTrace()
    parsed.ParseFromString(perfetto_trace(trace, "name", system))
    return list(parsed.packet)


def events_of(trace: Trace, task: str) -> list[Any]:
    read = packets(trace)
    track = next(p.track_descriptor.uuid for p in read if p.track_descriptor.name.endswith(task))
    return [p for p in read if p.HasField("track_event") and p.track_event.track_uuid == track]


def test_every_task_has_a_track_under_that_of_the_run() -> None:
    trace = carminati().traces["inherit"]
    tracks = [p.track_descriptor for p in packets(trace) if p.HasField("track_descriptor")]

    assert [track.name for track in tracks] == ["name: inherit", "T0", "T1", "T2"]
    assert len({track.uuid for track in tracks}) == 4
    assert all(track.parent_uuid == tracks[0].uuid for track in tracks[1:])
    assert [track.sibling_order_rank for track in tracks[1:]] == [0, 1, 2]


@pytest.mark.parametrize(
    ("executed", "protocol"),
    [(carminati, "none"), (carminati, "protect"), (damaged, "protect")],
)
def test_slices_are_nested_and_in_order(executed: Callable[[], Execution], protocol: str) -> None:
    trace = executed().traces[protocol]
    for task in trace.tasks:
        depth = last = 0
        for packet in events_of(trace, task.name):
            assert packet.timestamp >= last
            last = packet.timestamp
            depth += {BEGIN: 1, END: -1, INSTANT: 0}[packet.track_event.type]
            assert depth >= 0
        assert depth == 0


def test_activations_sections_waits_and_arrivals_are_all_there() -> None:
    trace = carminati().traces["none"]
    kinds = Counter(event.kind for event in trace.tasks[1].events)
    names = Counter(p.track_event.name for p in events_of(trace, "T1"))

    assert (
        sum(n for name, n in names.items() if name.startswith("activation ")) == kinds[Kind.START]
    )
    assert names["R1"] == names["waits for R1"] == kinds[Kind.START]
    assert names["without the processor"] == kinds[Kind.SUSPEND]
    assert names["arrives"] >= kinds[Kind.START]


def test_times_are_nanoseconds() -> None:
    trace = carminati().traces["none"]
    first = next(p for p in events_of(trace, "T0") if p.track_event.type == BEGIN)

    assert first.timestamp == trace.tasks[0].events[0].time_ns


def test_what_the_cut_left_open_has_no_end_and_later_arrivals_are_left_out() -> None:
    trace = damaged().traces["inherit"]
    end_ns = max(task.events[-1].time_ns for task in trace.tasks if task.events)
    read = [p for task in trace.tasks for p in events_of(trace, task.name)]
    kinds = Counter(event.kind for task in trace.tasks for event in task.events)
    unfinished = kinds[Kind.START] - kinds[Kind.END]
    types = Counter(p.track_event.type for p in read)

    assert types[BEGIN] - types[END] >= unfinished
    assert max(p.timestamp for p in read) <= end_ns


def test_a_skipped_arrival_is_an_instant() -> None:
    trace = damaged().traces["protect"]
    task = trace.tasks[0]
    events = [*task.events, task.events[-1]._replace(kind=Kind.SKIP)]
    skipping = trace.model_copy(
        update={"tasks": [task.model_copy(update={"events": events}), *trace.tasks[1:]]}
    )
    last = events_of(skipping, task.name)[-1].track_event

    assert (last.type, last.name) == (INSTANT, "skipped")


def test_tracks_and_sections_show_what_is_of_several_cpus() -> None:
    trace = across_cpus().traces["plafond"]
    tracks = [p.track_descriptor.name for p in packets(trace) if p.HasField("track_descriptor")]
    assert tracks[1:] == ["CPU 0: beside", "CPU 0: first", "CPU 1: second", "CPU 1: kept_out"]
    slices = [(p.timestamp, p.track_event.name) for p in events_of(trace, "first")]
    assert (3_000_000, "waits for G (global)") in slices
    assert (6_000_000, "G (global)") in slices


def test_a_server_has_a_track_above_those_of_its_tasks() -> None:
    trace = served().traces["uprio-nprio"]
    tracks = [p.track_descriptor for p in packets(trace) if p.HasField("track_descriptor")]
    assert [track.name for track in tracks[1:]] == [
        *("server control", "t0", "t1", "server video", "t2")
    ]
    assert [track.sibling_order_rank for track in tracks[1:]] == [0, 1, 2, 3, 4]
    video = events_of(trace, "server video")
    assert [(p.timestamp, p.track_event.type, p.track_event.name) for p in video] == [
        (0, INSTANT, "replenished"),
        (30_000, BEGIN, "has the processor"),
        (50_000, INSTANT, "depleted"),
        (50_000, END, ""),
        (60_000, INSTANT, "replenished"),
        (70_000, BEGIN, "has the processor"),
        (75_000, END, ""),
    ]
