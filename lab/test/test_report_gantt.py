# SPDX-License-Identifier: MIT
"""The Gantt chart as data: each task around the worst activation."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from report_fakes import (
    PATHFINDER,
    across_cpus,
    away,
    carminati,
    damaged,
    draw,
    execution_of,
    pathfinder,
    served,
    simulate,
    simulated,
    system_of,
)

from plafond.describe.server import BEFORE_ALL, reservation
from plafond.report.bands import make_band
from plafond.report.coarse import coarse
from plafond.report.cut import closed
from plafond.report.gantt import Chart, Gantt, make_gantt
from plafond.report.gantt_words import sentence
from plafond.report.page_data import states_of
from plafond.report.rows import Row, Section, State, Stretch
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.trace.model import Event, Kind, ServerEvent, ServerEventKind, ServerTrace, TaskTrace
from plafond.trace.shares import share_out

MS = 1_000_000
JITTER = 40_000


def chart_of(gantt: Gantt, protocol: str) -> Chart:
    return next(chart for chart in gantt.charts if protocol in chart.protocols)


def row_of(chart: Chart, task: str) -> Row:
    return next(row for row in chart.rows if row.task == task)


def total(row: Row, state: State) -> int:
    return sum(s.end_ns - s.begin_ns for s in row.stretches if s.state is state)


@pytest.mark.parametrize("protocol", ["none", "inherit", "protect", "plafond"])
def test_it_is_the_activation_with_the_largest_response(protocol: str) -> None:
    execution = pathfinder()
    task = execution.traces[protocol].tasks[0]
    responses = [a.response_ns for a in activations(task) if a.response_ns is not None]
    worst = chart_of(make_gantt(execution), protocol).worst

    assert worst is not None
    assert (worst.response_ns, worst.finished) == (max(responses), len(responses))


@pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])
def test_on_one_cpu_one_task_runs_at_a_time(
    executed: Callable[[], Execution],
) -> None:
    for chart in make_gantt(executed()).charts:
        running = sorted(
            (stretch.begin_ns, stretch.end_ns)
            for row in chart.rows
            for stretch in row.stretches
            if stretch.state is State.RUNNING
        )
        assert all(a[1] <= b[0] for a, b in pairwise(running))


@pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])
def test_a_task_is_in_one_state_at_a_time_all_through_its_activations(
    executed: Callable[[], Execution],
) -> None:
    for chart in make_gantt(executed()).charts:
        for row in chart.rows:
            assert all(a.end_ns <= b.begin_ns for a, b in pairwise(row.stretches))
        if chart.worst:
            inside = [
                s for s in chart.rows[0].stretches if 0 <= s.begin_ns < chart.worst.response_ns
            ]
            assert sum(s.end_ns - s.begin_ns for s in inside) == chart.worst.response_ns


def test_without_protocol_the_high_task_waits_at_the_lock_while_the_middle_one_runs() -> None:
    chart = chart_of(make_gantt(pathfinder()), "none")

    assert chart.worst is not None
    assert total(row_of(chart, "high"), State.BLOCKED) == chart.worst.blocking_ns
    assert total(row_of(chart, "middle"), State.RUNNING) == pytest.approx(12 * MS, abs=JITTER)


def test_under_a_ceiling_it_is_kept_out_before_it_starts() -> None:
    chart = chart_of(make_gantt(pathfinder()), "protect")
    high = row_of(chart, "high")

    assert chart.worst is not None
    assert total(high, State.BLOCKED) == 0
    assert total(high, State.KEPT_OUT) == pytest.approx(chart.worst.latency_ns, abs=JITTER)
    assert high.stretches[0].begin_ns == high.arrivals_ns[0] == 0


def test_what_delays_it_is_seen_from_its_begin() -> None:
    for chart in make_gantt(carminati()).charts:
        open_sections = [
            s for row in chart.rows for s in row.sections if s.begin_ns <= 0 < s.end_ns
        ]
        assert all(section.begin_ns > make_gantt(carminati()).begin_ns for section in open_sections)


def test_nested_sections_know_their_depth() -> None:
    middle = row_of(chart_of(make_gantt(carminati()), "protect"), "T1")
    depths = {section.resource: section.depth for section in middle.sections}

    assert depths == {"R1": 0, "R2": 1}


def test_all_charts_have_one_scale_and_named_protocols_their_order() -> None:
    gantt = make_gantt(carminati(), ["plafond", "none"])

    assert [chart.protocols for chart in gantt.charts] == [("plafond",), ("none",)]
    for chart in gantt.charts:
        for row in chart.rows:
            assert all(
                gantt.begin_ns <= s.begin_ns < s.end_ns <= gantt.end_ns for s in row.stretches
            )


def test_only_the_tasks_of_the_highest_tasks_cpu_are_shown() -> None:
    chart = chart_of(make_gantt(damaged()), "protect")

    assert [row.task for row in chart.rows] == ["first", "second", "idle"]


def test_a_task_that_never_ran_is_ready_from_its_arrival() -> None:
    idle = row_of(chart_of(make_gantt(damaged()), "protect"), "idle")

    assert {s.state for s in idle.stretches} <= {State.READY, State.KEPT_OUT, State.OUTSIDE}
    assert idle.stretches[0].begin_ns == idle.arrivals_ns[0]


def test_a_run_cut_before_anything_finished_has_no_worst_activation() -> None:
    chart = chart_of(make_gantt(damaged()), "none")

    assert (chart.worst, chart.rows, chart.cut) == (None, (), "interrupted")


@pytest.mark.parametrize("cut_ms", range(11, 60, 3))
def test_a_cut_anywhere_is_where_everything_ends(cut_ms: int) -> None:
    system = pathfinder().system
    trace = simulate(system, "inherit", draw(system, 3), cut_ns=cut_ms * MS + 1)
    gantt = make_gantt(execution_of(system, {"inherit": trace}))

    for chart in gantt.charts:
        for row in chart.rows:
            ends = [s.end_ns for s in row.stretches] + [s.end_ns for s in row.sections]
            assert all(end <= chart.recorded[1] for end in ends)


def test_what_was_cut_has_no_end_mark() -> None:
    system = system_of(PATHFINDER)
    arrivals = {"high": [3 * MS], "middle": [500 * MS], "low": [0]}
    trace = simulate(system, "inherit", arrivals, cut_ns=11 * MS + MS // 2)
    chart = make_gantt(execution_of(system, {"inherit": trace})).charts[0]

    assert len(row_of(chart, "high").ends_ns) == 1
    assert row_of(chart, "low").ends_ns == ()
    assert row_of(chart, "low").stretches[-1].end_ns == chart.recorded[1]


def test_an_activation_cut_in_nested_sections_is_closed_in_order() -> None:
    events = [
        Event(0, Kind.START, 0, None),
        Event(1, Kind.REQUEST, 0, 0),
        Event(2, Kind.GRANT, 0, 0),
        Event(3, Kind.REQUEST, 0, 1),
    ]
    task = TaskTrace(
        name="T",
        arrivals_ns=[0],
        voluntary_switches=None,
        involuntary_switches=None,
        minor_faults=None,
        major_faults=None,
        lock_calls=None,
        lost_gaps=0,
        events=events,
    )
    (activation,) = activations(closed(task, 9))

    assert activation.end_ns == 9
    assert activation.sections == [(9, 9, 1), (2, 9, 0)]
    assert activation.waits == [(1, 2, 0), (3, 9, 1)]


def test_the_processor_belongs_to_the_last_task_in_the_trace() -> None:
    """The urgent task arrives after the unlock of the other, which notes its end much later."""
    urgent, other = [(10, 40)], [(0, 50)]

    assert share_out([urgent, other], [[10, 40], [0, 10, 50]]) == [[(10, 40)], [(0, 10), (40, 50)]]


def test_idle_tasks_have_no_share() -> None:
    assert share_out([[], []], [[3], []]) == [[], []]


def test_a_task_of_equal_priority_does_not_keep_out() -> None:
    execution = simulated(
        """
        name = "Equals"
        [task.a]
        priority = 5
        arrival = "periodic 10ms"
        offset = "1ms"
        activations = 2
        body = ["run 1ms"]
        [task.b]
        priority = 5
        arrival = "periodic 10ms"
        body = ["run 3ms"]
        """,
        ("none",),
    )
    row = make_gantt(execution).charts[0].rows[0]

    assert total(row, State.KEPT_OUT) == 0
    assert total(row, State.READY) > 1 * MS


def test_when_none_of_the_tasks_runs_something_else_had_the_processor() -> None:
    system = system_of(
        """
        name = "One"
        [task.a]
        priority = 5
        arrival = "periodic 10ms"
        activations = 1
        body = ["run 1ms"]
        """
    )
    trace = simulate(system, "none", {"a": [0]})
    started = trace.tasks[0].events[0].time_ns
    row = make_gantt(execution_of(system, {"none": trace})).charts[0].rows[0]

    assert row.stretches[0] == Stretch(0, started, State.OUTSIDE)


def test_short_stretches_go_to_the_one_before_and_neighbours_are_joined() -> None:
    stretches = (
        Stretch(0, 1, State.KEPT_OUT),
        Stretch(1, 100, State.RUNNING),
        Stretch(100, 130, State.OUTSIDE),
        Stretch(130, 200, State.RUNNING),
        Stretch(200, 300, State.READY),
    )
    row = Row("T", stretches, (Section(1, 200, "R", 0),), (0,), (300,))
    chart = Chart(("none",), "none", "T", None, None, "no bound", None, 1, (0, 300), None, (row,))
    result = coarse(Gantt(0, 300, (chart,)), 10).charts[0].rows[0]

    assert result.stretches == (Stretch(1, 200, State.RUNNING), Stretch(200, 300, State.READY))
    assert result.sections == row.sections


def test_time_in_which_no_task_ran_does_not_make_an_activation_the_worst() -> None:
    quiet = chart_of(make_gantt(carminati()), "plafond").worst
    chart = chart_of(make_gantt(away()), "plafond")

    assert quiet
    assert chart.worst
    assert chart.worst.response_ns == quiet.response_ns
    assert (quiet.stopped, chart.worst.stopped) == (0, 1)
    assert chart.worst.longest_ns > 1000 * MS
    assert "(without 1 stopped, longest 1.0" in sentence(chart)


def states(row: Row) -> list[tuple[int, int, State]]:
    return [(s.begin_ns // MS, s.end_ns // MS, s.state) for s in row.stretches]


def test_a_chart_shows_the_cpus_that_share_a_resource() -> None:
    gantt = make_gantt(across_cpus())
    rows = gantt.charts[0].rows
    labels = ["CPU 0: beside", "CPU 0: first", "CPU 1: second", "CPU 1: kept_out"]
    assert [row.label for row in rows] == labels
    assert gantt.across_cpus == ("G",)
    assert -2 * MS < gantt.begin_ns < -1 * MS  # the begin of the section in the way
    first, second = rows[1], rows[2]
    assert states(first)[1:3] == [(1, 4, State.BLOCKED), (4, 5, State.RUNNING)]
    assert [(s.begin_ns, s.end_ns, s.resource) for s in second.sections] == [(-MS, 4 * MS, "G")]


def test_a_wait_for_another_cpu_keeps_its_processor() -> None:
    beside, _, _, kept_out = make_gantt(across_cpus()).charts[0].rows
    assert states(beside)[:2] == [(2, 4, State.KEPT_OUT), (4, 5, State.KEPT_OUT)]
    assert states(kept_out)[0] == (1, 5, State.READY)
    system = replace(across_cpus().system, resources=())
    row = make_gantt(replace(across_cpus(), system=system)).charts[0].rows[0]
    assert (2, 4, State.OUTSIDE) in states(row)


def test_a_chart_without_a_bound_yet_says_so() -> None:
    chart = make_gantt(across_cpus()).charts[0]
    assert sentence(chart) == "only response 6ms, no bound yet; deadline 10ms"


def in_us(row: Row) -> list[tuple[float, float, State]]:
    return [(s.begin_ns / 1_000, s.end_ns / 1_000, s.state) for s in row.stretches]


def test_a_server_has_a_band_above_its_tasks() -> None:
    """Times count from the arrival of t2 at 30 us. A budget without the processor is a gap."""
    gantt = make_gantt(served())
    rows = gantt.charts[0].rows
    assert [row.label for row in rows] == ["server control", "t0", "t1", "server video", "t2"]
    begin = gantt.begin_ns / 1_000
    assert -20 < begin < -15
    control, video = rows[0], rows[3]
    assert in_us(control) == [
        (begin, -10, State.SERVED),
        (-10, 20, State.DEPLETED),
        (20, 40, State.SERVED),
        (40, 45, State.DEPLETED),
    ]
    assert in_us(video) == [
        (0, 20, State.SERVED),
        (20, 30, State.DEPLETED),
        (40, 45, State.SERVED),
    ]
    assert [row.arrivals_ns for row in (control, video)] == [(20_000,), (30_000,)]


def test_a_task_is_ready_without_the_processor_of_its_server_or_within_its_time() -> None:
    rows = make_gantt(served()).charts[0].rows
    begin = rows[1].stretches[0].begin_ns / 1_000
    assert in_us(rows[1]) == [(begin, -15, State.RUNNING)]
    assert in_us(rows[2]) == [
        (begin, -15, State.READY),
        (-15, -10, State.RUNNING),
        (-10, 20, State.UNSERVED),
        (20, 23, State.RUNNING),
    ]
    assert in_us(rows[4]) == [
        (0, 20, State.RUNNING),
        (20, 40, State.UNSERVED),
        (40, 45, State.RUNNING),
    ]


def test_a_task_in_a_reservation_waits_for_its_budget_and_for_no_task() -> None:
    """It has no band, and comes before the tasks of servers."""
    execution = served()
    reserved = reservation("own", None, 100_000, 1_000).changed(task="t0")
    tasks = tuple(
        task.changed(server="own", priority=BEFORE_ALL) if task.name == "t0" else task
        for task in execution.system.tasks
    )
    (trace,) = execution.traces.values()
    late = Event(20_000, Kind.START, 0, None), Event(25_000, Kind.END, 0, None)
    own = TaskTrace.model_validate(
        trace.tasks[0].model_dump() | {"arrivals_ns": [10_000], "events": late}
    )
    trace = trace.model_copy(update={"tasks": [own, *trace.tasks[1:]]})
    system = replace(execution.system, tasks=tasks, reservations=(reserved,))
    rows = make_gantt(replace(execution_of(system, {"uprio-nprio": trace}), shown="t2"))
    assert rows.charts[0].rows[0].label == "t0"
    assert [state for *_, state in in_us(rows.charts[0].rows[0])] == [
        State.UNSERVED,
        State.RUNNING,
    ]
    without = replace(execution, system=replace(system, servers=()))
    assert State.UNSERVED in states_of(without)
    assert State.SERVED not in states_of(without)


def test_a_server_is_shown_though_its_tasks_do_nothing() -> None:
    execution = served()
    (trace,) = execution.traces.values()
    tasks = [
        task.model_copy(update={"arrivals_ns": [], "events": []}) if task.name != "t2" else task
        for task in trace.tasks
    ]
    idle = trace.model_copy(update={"tasks": tasks})
    gantt = make_gantt(replace(execution_of(execution.system, {"uprio-nprio": idle}), shown="t2"))
    labels = [row.label for row in gantt.charts[0].rows]
    assert labels == ["server control", "server video", "t2"]
    assert gantt.idle == ("t0", "t1")


def test_before_its_first_slot_a_server_has_no_budget() -> None:
    events = [
        ServerEvent(12, ServerEventKind.REPLENISH),
        ServerEvent(12, ServerEventKind.GET),
        ServerEvent(17, ServerEventKind.DEPLETE),
        ServerEvent(18, ServerEventKind.LOSE),
        ServerEvent(32, ServerEventKind.REPLENISH),
        ServerEvent(33, ServerEventKind.GET),
    ]
    band = make_band(ServerTrace(name="S", events=events), (-5, 50), 40)
    assert band.stretches == (
        Stretch(0, 12, State.DEPLETED),
        Stretch(12, 18, State.SERVED),
        Stretch(18, 32, State.DEPLETED),
        Stretch(33, 40, State.SERVED),
    )
    assert band.arrivals_ns == (12, 32)


@pytest.mark.parametrize(("least_ns", "marks"), [(1, (0, 12, 30)), (1.1, ())])
def test_replenishments_that_follow_too_fast_are_not_marked(
    least_ns: float, marks: tuple[int, ...]
) -> None:
    band = Row("S", (), (), (0, 12, 30), (), is_server=True)
    rows = (band, replace(band, is_server=False))
    chart = Chart(("none",), "none", "T", None, None, "no bound", None, 1, (0, 300), None, rows)
    coarsened = coarse(Gantt(0, 300, (chart,)), least_ns).charts[0].rows
    assert [row.arrivals_ns for row in coarsened] == [marks, (0, 12, 30)]
