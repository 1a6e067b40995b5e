# SPDX-License-Identifier: MIT
"""Two of each kind in a trace: both count, whichever is first, longest, or excused by a stop."""

from collections.abc import Sequence

import pytest
from report_fakes import system_of
from server_traces import recorded, trace

from plafond.describe.system import Interval, Run, Task
from plafond.trace.activations import activations, skipped
from plafond.trace.busy import longest_busy_ns
from plafond.trace.excess import excess_of
from plafond.trace.measures import Measures, measure
from plafond.trace.model import Event, Kind, ServerEvent, ServerEventKind, ServerTrace, TaskTrace
from plafond.trace.outside import LONGEST_OWN_NS, Processor
from plafond.trace.served import common, empty_spans
from plafond.trace.shares import share_out
from plafond.trace.sharing import KeptOut, Times, measure_sharing
from plafond.trace.verdicts import Bound, Place, Verdict, slowness

U = LONGEST_OWN_NS  # a gap of this length is no stop yet
Row = tuple[int, str] | tuple[int, str, int]  # a time, an event, a resource


def task_of(name: str, *jobs: Sequence[Row], unit: int = 1, late: Sequence[int] = ()) -> TaskTrace:
    """Return a task whose jobs arrive with their first events, or `late` before them."""
    late = late or [0] * len(jobs)
    arrivals_ns = [(job[0][0] - ns) * unit for job, ns in zip(jobs, late, strict=True)]
    events = [
        Event(row[0] * unit, Kind(row[1]), number, row[2] if len(row) > 2 else None)
        for number, job in enumerate(jobs)
        for row in job
    ]
    return recorded(name, arrivals_ns, events, late_ns=[ns * unit for ns in late])


def described(name: str, priority: int, deadline: int | None = None) -> Task:
    deadline_ns = deadline and deadline * U
    return Task.made(name, priority=priority, interval=Interval(10, 10), deadline_ns=deadline_ns)


def ran(begin: int, end: int, *gaps: tuple[int, int]) -> list[Row]:
    """Return a job that lacks the processor in these gaps."""
    away: list[Row] = [row for gap in gaps for row in ((gap[0], "suspend"), (gap[1], "resume"))]
    return [(begin, "start"), *away, (end, "end")]


def test_the_noise_of_the_window_counts_wherever_it_lies() -> None:
    """Each 100 have a bit less than 1 of noise, so a gap of 1 in a window of 100 is more."""
    found = task_of("T", ran(1000, 1100, (1040, 1041)), unit=U)
    task, own = described("T", 9), activations(found)
    bound = Bound(99 * U, 99 * U, lambda away_ns, _: 99 * U + away_ns, lambda ns: (ns - 1) // 100)
    row = measure(found, Place(task, [(task, own)], Processor([(9, own)]), 9), "protect", bound)
    assert (row.verdict, row.stopped_ns) == (Verdict.NOT_JUDGED, {0: U})


def judged(bound: int, *jobs: Sequence[Row], deadline: int) -> Measures:
    """Judge a task. Its bound grows by the time that the machine took."""
    found = task_of("T", *jobs, unit=U)
    task, own = described("T", 9, deadline), activations(found)
    limit = Bound(bound * U, bound * U, lambda away_ns, _: bound * U + away_ns, lambda _: U)
    return measure(found, Place(task, [(task, own)], Processor([(9, own)]), 9), "protect", limit)


def test_of_several_responses_above_the_bound_those_without_an_excuse_are_the_alarm() -> None:
    """Stops of 30 excuse the longest two. The third, 110, is above 100 without a stop."""
    stopped = ran(0, 130, (30, 60)), ran(400, 530, (450, 480))
    row = judged(100, stopped[0], ran(200, 310), stopped[1], deadline=110)
    assert row.verdict is Verdict.EXCEEDED
    assert row.excess is not None
    assert (row.excess.activation, row.excess.response_ns, row.above) == (1, 110 * U, 3)
    assert (row.stopped, row.stopped_ns) == (2, {0: 30 * U, 2: 30 * U})
    assert (row.worst, row.ratio) == (1, 1.1)
    assert row.deadline_misses == 2  # a response equal to the deadline is in time


@pytest.mark.parametrize("ends", [(110, 320, 505), (120, 305, 510), (105, 310, 520)])
def test_of_several_alarms_the_longest_is_split(ends: tuple[int, int, int]) -> None:
    begins = 0, 200, 400
    row = judged(100, *map(ran, begins, ends), deadline=100)
    responses = [end - begin for begin, end in zip(begins, ends, strict=True)]
    assert row.excess is not None
    assert (row.excess.activation, row.above) == (responses.index(120), 3)
    assert row.worst == responses.index(120)


def test_what_every_excess_owes_to_stops_is_not_judged() -> None:
    row = judged(100, ran(0, 130, (30, 60)), ran(200, 320, (210, 230)), deadline=100)
    assert (row.verdict, row.above, row.stopped) == (Verdict.NOT_JUDGED, 2, 2)
    assert row.worst == 0  # of the stopped jobs, because all were stopped


@pytest.mark.parametrize("speeds", [(5.0, 2.0), (2.0, 5.0)])
def test_the_slowest_of_two_tasks_counts(speeds: tuple[float, float]) -> None:
    traces = [
        task_of(name, ran(0, end)).model_copy(update={"slowest_turns_per_us": [speed]})
        for name, end, speed in zip("HL", (40, 60), speeds, strict=True)
    ]
    jobs = [(described(each.name, 9), activations(each)) for each in traces]
    processor = Processor([(9, own) for _, own in jobs])
    place = Place(jobs[0][0], jobs, processor, 9, usual_turns_per_us=10.0)
    assert slowness(jobs[0][1][0], place) == 5.0


def test_nested_sections_and_all_that_comes_twice_in_a_job() -> None:
    first: list[Row] = [
        (10, "start"), (11, "request", 7), (12, "grant", 7), (13, "request", 8), (15, "grant", 8),
        (17, "unlock", 8), (18, "request", 8), (20, "grant", 8), (21, "unlock", 8),
        (22, "unlock", 7), (23, "sleep"), (25, "wake"), (26, "sleep"), (29, "wake"),
        (30, "suspend"), (32, "resume"), (33, "suspend"), (36, "resume"), (37, "await"),
        (38, "afford"), (39, "await"), (42, "afford"), (45, "end"),
    ]  # fmt: skip
    found = task_of("T", first, [(60, "start"), (64, "end")], late=(3, 5))
    one, other = activations(found.model_copy(update={"slowest_turns_per_us": [4.0, 9.0]}))
    assert (one.slowest_turns_per_us, other.slowest_turns_per_us) == (4.0, 9.0)
    assert one.waits == [(11, 12, 7), (13, 15, 8), (18, 20, 8)]
    assert one.blocking_ns == 1 + 2 + 2
    assert one.sections == [(15, 17, 8), (20, 21, 8), (12, 22, 7)]
    assert one.sleeps == [(23, 25), (26, 29)]
    assert one.wake_ups() == [10, 25, 29]
    assert one.suspensions == one.interruptions() == [(30, 32), (33, 36)]
    assert one.budget_waits == [(37, 38), (39, 42)]
    assert one.running() == [
        (10, 11), (12, 13), (15, 18), (20, 23), (25, 26), (29, 30), (32, 33), (36, 37), (38, 39),
        (42, 45),
    ]  # fmt: skip
    assert one.waits_for({7, 8}) == [(11, 12), (13, 15), (18, 20)]
    assert (one.release_ns, one.response_ns, one.latency_ns) == (10, 45 - 7, 0)
    assert (other.release_ns, other.response_ns, other.latency_ns) == (60, 64 - 55, 0)


def test_a_suspension_at_a_lock_or_at_an_unlock_is_none_in_a_run_step() -> None:
    job: list[Row] = [
        (0, "start"), (20, "request", 7), (20, "suspend"), (23, "resume"), (24, "grant", 7),
        (26, "unlock", 7), (26, "suspend"), (28, "resume"), (30, "end"),
    ]  # fmt: skip
    (own,) = activations(task_of("T", job))
    assert (own.suspensions, own.interruptions()) == ([(20, 23), (26, 28)], [])


def test_all_skipped_arrivals_are_counted() -> None:
    assert skipped(task_of("T", [*ran(0, 9), (10, "skip")], [(15, "skip")], ran(20, 21))) == 2


def test_times_without_budget_and_what_two_servers_have_in_common() -> None:
    server = server_of("s", (3, "replenish"), (5, "deplete"), (9, "replenish"), (12, "deplete"))
    assert empty_spans(server, 20) == [(0, 3), (5, 9), (12, 20)]
    assert empty_spans(server_of("s", (3, "deplete"), (5, "replenish")), 20) == [(0, 5)]
    assert common([(5, 9), (12, 20)], [(0, 5), (7, 8), (8, 12), (15, 30)]) == [
        *((7, 8), (8, 9), (15, 20))
    ]


def test_of_two_tasks_that_seem_to_run_the_one_that_noted_last_does() -> None:
    """Both note an event in the midst of the other's span. At equal times the urgent task runs."""
    claims = [[(0, 30)], [(10, 20), (25, 40)]]
    assert share_out(claims, [[0, 15], [10, 25]]) == [[(0, 10), (15, 25)], [(10, 15), (25, 40)]]
    assert share_out(claims[::-1], [[10, 25], [0, 15]])[1] == [(0, 10), (15, 25)]
    assert share_out([[(0, 5)], [(0, 9)]], [[0], [0]]) == [[(0, 5)], [(5, 9)]]


def test_a_busy_time_goes_on_where_a_job_ends_as_another_one_comes() -> None:
    one = task_of("one", ran(0, 40), ran(90, 100))
    assert longest_busy_ns([one, task_of("other", ran(40, 70))]) == 70
    assert longest_busy_ns([one, task_of("other", ran(41, 70))]) == 40


def test_two_stops_count_as_far_as_they_are_in_the_window() -> None:
    """The level has work from 20 on, so half of the stop from 10 to 30 counts."""
    low = activations(task_of("L", ran(0, 100, (10, 30), (40, 60), (70, 90)), unit=U))
    high = activations(task_of("H", [(30, "start"), (35, "end")], unit=U, late=(0,)))
    high[0].arrival_ns = 20 * U
    longer = activations(task_of("M", [(35, "start"), (80, "end")], unit=U))
    longer[0].arrival_ns = 20 * U
    processor = Processor([(9, high), (8, longer), (7, low)])
    assert processor.stopped_ns(high[0], 9) == 10 * U
    assert processor.stopped_ns(low[0], 7) == (20 + 10) * U
    assert Processor([(7, low)]).stopped_ns(low[0], 7) == 3 * 20 * U
    one, other = (
        Processor([(9, activations(task_of("T", ran(0, 90, gap), unit=U)))])
        for gap in ((10, 20), (60, 75))
    )
    assert processor.beside([one, other]).stopped_ns(low[0], 7) == (20 + 10 + 10 + 15) * U


def test_a_stop_of_a_more_urgent_task_counts_before_the_job_that_it_delays() -> None:
    high = activations(task_of("H", ran(0, 50, (10, 30)), unit=U))
    low = activations(task_of("L", ran(50, 70), unit=U, late=(10,)))
    low[0].late_ns = 0
    assert Processor([(9, high), (7, low)]).stopped_ns(low[0], 7) == 20 * U


def test_an_excess_is_of_all_jobs_waits_and_stops_in_its_window() -> None:
    """The second job of L comes before the first ends. H comes three times, each time 1 late.

    Locks: 3, 4, and 2 of the last 4, in which H comes and runs. Stops: 10 and 5. A tick: 1.
    """
    first: list[Row] = [
        (0, "start"), (10, "suspend"), (21, "resume"), (22, "request", 0), (25, "grant", 0),
        (26, "unlock", 0), (27, "request", 0), (31, "grant", 0), (32, "unlock", 0),
        (40, "suspend"), (51, "resume"), (60, "end"),
    ]  # fmt: skip
    second: list[Row] = [
        (60, "start"), (62, "request", 0), (66, "grant", 0), (67, "unlock", 0), (70, "suspend"),
        (80, "resume"), (90, "suspend"), (95, "resume"), (100, "suspend"), (101, "resume"),
        (110, "end"),
    ]  # fmt: skip
    high = task_of("H", ran(11, 20), ran(41, 50), ran(63, 64), unit=U, late=(1, 1, 1))
    low = task_of("L", first, second, unit=U, late=(0, 5))
    jobs = [
        (
            described(each.name, priority).changed(body=(Run(length * U),)),
            activations(each.model_copy(update={"late_ns": []})),
        )
        for each, priority, length in ((high, 9, 6), (low, 7, 30))
    ]
    processor = Processor([(9, jobs[0][1]), (7, jobs[1][1])])
    excess = excess_of(jobs, processor, jobs[1][1][1], 7, bound_ns=50 * U)
    assert (excess.activation, excess.response_ns, excess.window_ns) == (1, 55 * U, 110 * U)
    assert excess.described_ns == (3 * 6 + 2 * 30) * U
    assert (excess.locks_ns, excess.host_ns) == ((3 + 4 + 2) * U, (10 + 5) * U)
    assert (excess.switches_ns, excess.interrupts_ns, excess.rest_ns) == (5 * U, U, 0)
    assert excess.run_steps_ns == (110 - 78 - 9 - 15 - 5 - 1) * U


def test_before_the_first_task_runs_there_is_a_switch() -> None:
    (own,) = activations(task_of("T", ran(1, 10), unit=U, late=(1,)))
    own.late_ns = 0
    jobs = [(described("T", 9), [own])]
    excess = excess_of(jobs, Processor([(9, [own])]), own, 9, bound_ns=U)
    assert (excess.switches_ns, excess.interrupts_ns) == (U, 0)


SHARING = """
[server.high]
kind = "idling"
priority = 3
period = "100us"
budget = "40us"
global = "skip"
[server.middle]
kind = "idling"
priority = 2
period = "100us"
budget = "30us"
global = "overrun-payback"
[server.low]
kind = "idling"
priority = 1
period = "100us"
budget = "20us"
global = "overrun"
[resource.R]
"""
for name, of in (("h1", "high"), ("h2", "high"), ("m", "middle"), ("l", "low")):
    SHARING += (
        f'[task.{name}]\nserver = "{of}"\npriority = {2 if name == "h2" else 1}\n'
        'arrival = "sporadic 1ms"\nbody = ["lock R", "run 9us", "unlock R"]\n'
    )


def server_of(name: str, *events: tuple[int, str]) -> ServerTrace:
    return ServerTrace(
        name=name, events=[ServerEvent(time, ServerEventKind(kind)) for time, kind in events]
    )


@pytest.mark.parametrize("last", ["h1", "h2", "m", "low", "high", "middle"])
def test_a_wait_goes_on_to_the_end_of_the_trace_whatever_comes_last(last: str) -> None:
    ends = {name: 90 if name == last else 50 for name in ("h1", "h2", "m", "low", "high", "middle")}
    tasks = [task_of(name, [(10, "start"), (ends[name], "end")]) for name in ("h1", "h2", "m")]
    tasks.insert(1, task_of("l", [(20, "start"), (20, "await")]))
    servers = tuple(server_of(name, (ends[name], "lose")) for name in ("low", "high", "middle"))
    rows = measure_sharing(system_of(SHARING), trace(*tasks, servers=servers))
    assert [row.skips.total_ns for row in rows] == [0, 0, 90 - 20]


def test_servers_overrun_pay_back_skip_and_are_kept_out_more_than_once() -> None:
    middle = server_of(
        "middle", (0, "replenish"), (0, "get"), (5, "overrun"), (7, "deplete"), (7, "lose"),
        # It pays 2, and overruns from 13 to 14 and from 16 to 19.
        (10, "replenish"), (10, "payback"), (10, "get"), (13, "overrun"), (14, "lose"), (16, "get"),
        (19, "deplete"), (19, "lose"), (20, "replenish"), (20, "payback"), (20, "get"),
        # It pays 4, and nothing at 30. The replenishment at 40 then cuts an overrun of 3.
        (24, "lose"), (30, "replenish"), (30, "get"), (37, "overrun"), (40, "replenish"),
        (40, "payback"), (44, "lose"),
    )  # fmt: skip
    low = server_of("low", (14, "get"), (16, "lose"), (44, "get"), (48, "lose"))
    high = server_of(
        "high", (6, "keep-out"), (7, "get"), (10, "lose"),
        # When `middle` loses the processor, `low` gets it, which keeps `high` out. This happens
        # twice.
        (14, "keep-out"), (16, "get"), (16, "lose"), (45, "keep-out"), (48, "get"), (60, "lose"),
    )  # fmt: skip
    waits: list[list[Row]] = [
        [(50, "start"), (50, "await"), (52, "afford"), (53, "await"), (57, "afford"), (58, "end")],
        [(50, "start"), (51, "await"), (57, "afford"), (58, "await"), (58, "afford")],
        [(55, "start"), (55, "await")],
    ]
    tasks = [task_of(name, job) for name, job in zip(("h1", "h2", "m"), waits, strict=True)]
    found = trace(*tasks, task_of("l"), servers=(low, high, middle))
    rows = {row.server: row for row in measure_sharing(system_of(SHARING), found)}

    assert rows["middle"].overruns == Times(count=3, longest_ns=4, total_ns=2 + 4 + 3)
    assert rows["middle"].paybacks == Times(count=3, longest_ns=4, total_ns=2 + 4 + 3)
    assert rows["high"].skips == Times(count=3, longest_ns=6, total_ns=2 + 4 + 6)
    assert rows["middle"].skips == Times(count=1, longest_ns=5, total_ns=60 - 55)
    assert rows["high"].kept_out == [
        KeptOut(holder="middle", count=1, longest_ns=1, total_ns=1),
        KeptOut(holder="low", count=2, longest_ns=3, total_ns=2 + 3),
    ]
