# SPDX-License-Identifier: MIT
"""Rows of charts at instants that meet: a window, an arrival, an end, a wake-up, a budget."""

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
    Trace as PerfettoTrace,
)
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
from report_fakes import execution_of, served, small, system_of
from rich.console import Console

from plafond.describe.kernel import Scheduler
from plafond.report.bands import make_band, split_unserved
from plafond.report.coarse import coarse
from plafond.report.during import During
from plafond.report.gantt import Chart, Gantt, make_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.report.page_data import timeline_end_ns
from plafond.report.perfetto import perfetto_trace
from plafond.report.rows import Row, State, Stretch, make_rows
from plafond.report.urgency import urgency_of
from plafond.report.waiting import split_ready
from plafond.run.model import Execution
from plafond.trace.activations import Activation
from plafond.trace.model import Event, Kind, ServerEvent, ServerEventKind, ServerTrace, TaskTrace

TWO = """
name = "Two"
[task.high]
priority = 2
arrival = "periodic 1us"
body = ["run 1ns", "lock R", "run 1ns", "unlock R"]
[task.low]
priority = 1
arrival = "periodic 1us"
body = ["lock R", "run 1ns", "unlock R"]
[resource.R]"""


def task_trace(name: str, arrivals_ns: Sequence[int], *events: Event) -> TaskTrace:
    (task, *_) = small().traces["none"].tasks
    changed = {"name": name, "arrivals_ns": list(arrivals_ns), "events": list(events)}
    return task.model_copy(update=changed)


def job(index: int, begin_ns: int, end_ns: int) -> tuple[Event, Event]:
    return Event(begin_ns, Kind.START, index, None), Event(end_ns, Kind.END, index, None)


# ---- Rows ----------------------------------------------------------------------------


def test_events_as_a_window_begins_or_ends_are_in_it() -> None:
    events = [*job(0, 0, 10), *job(1, 10, 20), *job(2, 20, 25)]
    (row,) = make_rows([task_trace("T", [0, 10, 20], *events)], [], (10, 20), 30)
    assert (row.arrivals_ns, row.ends_ns) == ((10, 20), (10, 20))
    assert row.stretches == (Stretch(10, 20, State.RUNNING),)
    (row,) = make_rows([task_trace("T", [0, 10, 20], *events)], [], (0, 30), 20)
    assert row.arrivals_ns == (0, 10, 20)


def test_a_skipped_arrival_is_not_ready_until_the_end() -> None:
    skipped = Event(5, Kind.SKIP, 1, None)
    begin, end = job(0, 0, 10)
    (row,) = make_rows([task_trace("T", [0, 5, 30], begin, skipped, end)], [], (0, 50), 40)
    assert row.stretches == (Stretch(0, 10, State.RUNNING), Stretch(30, 40, State.READY))


def test_items_that_touch_a_time_are_not_during_it() -> None:
    """A long item hides no shorter item behind it."""
    during = During([(0, 5), (1, 20), (2, 3), (4, 9), (9, 12)], lambda span: span)
    assert during.overlapping(5, 9) == [(1, 20), (4, 9)]
    assert during.overlapping(9, 12) == [(1, 20), (9, 12)]
    assert during.overlapping(20, 30) == []


def test_a_stretch_of_the_least_length_is_shown_and_one_behind_a_gap_is_not_joined() -> None:
    stretches = (
        Stretch(0, 10, State.RUNNING),
        Stretch(10, 20, State.READY),
        Stretch(20, 29, State.RUNNING),
        Stretch(40, 45, State.READY),
        Stretch(60, 90, State.RUNNING),
    )
    row = Row("T", stretches, (), (), ())
    chart = Chart(("p",), "p", "T", None, None, "no bound", None, 1, (0, 90), None, (row,))
    (chart,) = coarse(Gantt(0, 90, (chart,)), 10).charts
    assert chart.rows[0].stretches == (
        Stretch(0, 10, State.RUNNING),
        Stretch(10, 29, State.READY),
        Stretch(60, 90, State.RUNNING),
    )


def test_a_band_has_replenishments_at_both_ends_of_its_window() -> None:
    times = (10, 20, 30)
    events = [ServerEvent(time_ns, ServerEventKind.REPLENISH) for time_ns in times]
    band = make_band(ServerTrace(name="S", events=events), (10, 30), 40)
    assert band.arrivals_ns == times


def test_a_task_waits_for_no_server_that_is_beyond_its_budget() -> None:
    band = Row("S", (Stretch(0, 5, State.SERVED), Stretch(5, 9, State.OVERRUN)), (), (), ())
    ready = Row("T", (Stretch(0, 12, State.READY),), (), (), ())
    (row,) = split_unserved([ready], band, (0, 20))
    assert row.stretches == (Stretch(0, 9, State.READY), Stretch(9, 12, State.UNSERVED))


# ---- Urgency and waiting -------------------------------------------------------------


def test_under_edf_the_deadline_moves_as_a_job_ends_and_as_a_task_wakes_up() -> None:
    task = small().system.tasks[0].changed(deadline_ns=100)
    jobs = [
        Activation(0, 0, 0, 10),
        Activation(1, 10, 10, 60, sleeps=[(20, 30), (40, 50)]),
    ]
    urgency = urgency_of(Scheduler.EDF, task, jobs)
    assert [urgency(time_ns) for time_ns in (9, 10, 29, 30, 49, 50)] == [
        *(-100, -110, -110, -130, -130, -150),
    ]
    assert urgency(60) == -160


def in_state(state: State, *spans: tuple[int, int]) -> Row:
    return Row("T", tuple(Stretch(*span, state, "G") for span in spans), (), (), ())


def test_of_two_that_wait_across_cpus_the_more_urgent_keeps_the_others_out() -> None:
    """Both wait at the same time, the first beside a running task."""
    rows = [
        in_state(State.RUNNING, (0, 10)),
        in_state(State.BLOCKED, (0, 20)),
        in_state(State.BLOCKED, (5, 30)),
        Row("last", (Stretch(0, 40, State.READY),), (), (), ()),
    ]
    urgencies = [lambda _, own=own: own for own in (1, 4, 2, 3)]
    (*_, last) = split_ready(rows, urgencies, ["G"])
    assert last.stretches == (
        Stretch(0, 10, State.KEPT_OUT),
        Stretch(10, 20, State.READY),
        Stretch(20, 30, State.KEPT_OUT),
        Stretch(30, 40, State.OUTSIDE),
    )


def test_all_tasks_that_run_go_before_those_that_wait() -> None:
    rows = [
        in_state(State.RUNNING, (0, 5)),
        in_state(State.RUNNING, (5, 10)),
        in_state(State.BLOCKED, (0, 10)),
        Row("last", (Stretch(0, 10, State.READY),), (), (), ()),
    ]
    urgencies = [lambda _, own=own: own for own in (4, 4, 1, 2)]
    (*_, last) = split_ready(rows, urgencies, ["G"])
    assert last.stretches == (Stretch(0, 10, State.READY),)


# ---- The window of a chart -----------------------------------------------------------


def run_of(section_ns: tuple[int, int], start_ns: int, deadline_ns: int | None = None) -> Execution:
    """`high` arrives at 100 and takes 20 ns. `low` starts at `start_ns` and holds R for
    `section_ns`."""
    system = system_of(TWO)
    tasks = [system.tasks[0].changed(deadline_ns=deadline_ns), system.tasks[1]]
    grant_ns, unlock_ns = section_ns
    low = [
        Event(start_ns, Kind.START, 0, None),
        Event(grant_ns, Kind.REQUEST, 0, 0),
        Event(grant_ns, Kind.GRANT, 0, 0),
        Event(unlock_ns, Kind.UNLOCK, 0, 0),
        Event(130, Kind.END, 0, None),
    ]
    traces = [task_trace("high", [100], *job(0, 100, 120)), task_trace("low", [0], *low)]
    changed = {"tasks": traces, "resources": ["R"]}
    trace = small().traces["none"].model_copy(update=changed)
    return execution_of(replace(system, tasks=tuple(tasks)), {"none": trace})


@pytest.mark.parametrize(
    ("section_ns", "start_ns", "begin_ns"),
    [
        ((90, 105), 0, -10),
        ((60, 105), 0, -40),  # two responses before the arrival: a chart goes no further back
        ((59, 105), 0, 0),
        ((90, 100), 0, 0),  # the section ends as the task arrives
        ((100, 105), 0, 0),
        ((90, 105), 80, -20),  # a job that began a response before
        ((90, 105), 79, -10),
    ],
)
def test_a_chart_begins_with_what_was_in_the_way(
    section_ns: tuple[int, int], start_ns: int, begin_ns: int
) -> None:
    gantt = make_gantt(run_of(section_ns, start_ns))
    margin = max(int((20 - begin_ns) * 0.04), 1)
    assert (gantt.begin_ns, gantt.end_ns) == (begin_ns - margin, 20 + margin)


@pytest.mark.parametrize(("deadline_ns", "end_ns"), [(27, 28), (28, 21)])
def test_a_deadline_that_is_as_near_as_can_be_is_in_the_chart(
    deadline_ns: int, end_ns: int
) -> None:
    assert make_gantt(run_of((0, 1), 0, deadline_ns)).end_ns == end_ns


def test_the_longest_response_of_all_is_that_of_another_activation() -> None:
    run = run_of((0, 1), 0)
    high = task_trace("high", [100, 200], *job(0, 100, 120), *job(1, 200, 290))
    trace = run.traces["none"]
    made = trace.model_copy(update={"tasks": [high, trace.tasks[1]]})
    run = execution_of(run.system, {"none": made})
    rows = [each.model_copy(update={"worst": 0}) for each in run.report.rows]
    run = replace(run, report=run.report.model_copy(update={"rows": rows}))
    worst = make_gantt(run).charts[0].worst
    assert worst
    assert (worst.response_ns, worst.longest_ns) == (20, 90)


def test_a_step_and_a_name_that_just_fit_are_shown() -> None:
    """100 cells of 100 ns have a tick in each 10 cells, a microsecond apart."""
    text = StringIO()
    stretches = (Stretch(0, 500, State.BLOCKED, "R"), Stretch(500, 900, State.BLOCKED, "S"))
    row = Row("T", stretches, (), (), ())
    chart = Chart(("p",), "p", "T", None, None, "no bound", None, 1, (0, 90), None, (row,))
    print_gantt(Gantt(0, 10_000, (chart,)), Console(file=text, width=103, highlight=False))
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    assert lines[1] == "T xx R xxxx"
    assert lines[4] == "  " + "".join(f"{each:10}" for each in ("0us", *"123456789")).rstrip()


# ---- The page and Perfetto -----------------------------------------------------------


def test_the_time_line_ends_at_the_first_event_too_many_of_any_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If several runs are too long, the earliest end counts."""
    run = small()
    times = {
        protocol: sorted(event.time_ns for task in trace.tasks for event in task.events)
        for protocol, trace in run.traces.items()
    }
    monkeypatch.setattr("plafond.report.page_data.MOST_EVENTS", 10)
    assert timeline_end_ns(run) == min(each[10] for each in times.values())
    one = replace(run, traces={"none": run.traces["none"]})
    for count, end_ns in ((-1, times["none"][-1]), (0, None)):
        most = len(times["none"]) + count
        monkeypatch.setattr("plafond.report.page_data.MOST_EVENTS", most)
        assert timeline_end_ns(one) == end_ns


def marks_of_server(*events: tuple[int, ServerEventKind]) -> list[tuple[int, int, str]]:
    (trace,) = served().traces.values()
    made = [ServerEvent(*event) for event in events]
    servers = [each.model_copy(update={"events": made}) for each in trace.servers]
    parsed = PerfettoTrace()
    changed = trace.model_copy(update={"servers": servers})
    parsed.ParseFromString(perfetto_trace(changed, "name", served().system))
    name = f"server {servers[0].name}"
    tracks = {each.track_descriptor.name: each.track_descriptor.uuid for each in parsed.packet}
    return [
        (each.timestamp, each.track_event.type, each.track_event.name)
        for each in parsed.packet
        if each.HasField("track_event") and each.track_event.track_uuid == tracks[name]
    ]


def test_a_server_that_is_kept_out_twice_and_preempted_beyond_its_budget() -> None:
    """Two sections keep it out, the second right after the first. Its overrun is interrupted."""
    begin, end = TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END
    out, has = "kept out by a section of another server", "has the processor"
    beyond = "beyond its budget, to end a section"
    assert marks_of_server(
        (1, ServerEventKind.KEEP_OUT),
        (2, ServerEventKind.KEEP_OUT),
        (3, ServerEventKind.GET),
        (4, ServerEventKind.OVERRUN),
        (5, ServerEventKind.LOSE),
        (6, ServerEventKind.GET),
        (7, ServerEventKind.DEPLETE),
        (8, ServerEventKind.LOSE),
        (9, ServerEventKind.GET),
    ) == [
        *((1, begin, out), (2, end, ""), (2, begin, out), (3, end, ""), (3, begin, has)),
        *((4, begin, beyond), (5, end, ""), (5, end, ""), (6, begin, has), (6, begin, beyond)),
        *((7, end, ""), (7, TrackEvent.TYPE_INSTANT, "depleted"), (8, end, "")),
        (9, begin, has),
    ]


def test_an_arrival_with_the_last_event_is_on_its_track() -> None:
    run = run_of((0, 1), 0)
    trace = run.traces["none"]
    tasks = [trace.tasks[0].model_copy(update={"arrivals_ns": [100, 130, 131]}), trace.tasks[1]]
    parsed = PerfettoTrace()
    changed = trace.model_copy(update={"tasks": tasks})
    parsed.ParseFromString(perfetto_trace(changed, "name", run.system))
    arrivals = [p.timestamp for p in parsed.packet if p.track_event.name == "arrives"]
    assert sorted(arrivals) == [0, 100, 130]
