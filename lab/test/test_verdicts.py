# SPDX-License-Identifier: MIT
"""Verdicts on traces made by hand: a fault of the lock counts on any machine, and a stop does
not."""

import pytest
from server_traces import recorded

from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.describe.system import Interval, Task
from plafond.protocols import Protocol
from plafond.run.stops import not_judged_notes, steal_notes, stops_of
from plafond.trace.activations import activations
from plafond.trace.measures import Measures, judged_as_one, measure
from plafond.trace.model import CpuConditions, Event, Kind, TaskTrace, Trace
from plafond.trace.outside import LONGEST_OWN_NS, Processor
from plafond.trace.verdicts import Bound, Place, Verdict
from plafond.witness import Speed

U = LONGEST_OWN_NS  # a gap of 1 U is no stop yet
Row = tuple[int, str] | tuple[int, str, int]  # a time in U, an event, a resource


def task_of(name: str, arrival: int, *rows: Row, speed: float | None = None) -> TaskTrace:
    """Return a task with one activation, its arrival and its events."""
    events = [Event(row[0] * U, Kind(row[1]), 0, row[2] if len(row) > 2 else None) for row in rows]
    return recorded(name, [arrival * U], events, slowest_turns_per_us=[speed])


def described(name: str, priority: int) -> Task:
    return Task.made(name, priority=priority, interval=Interval(10, 10))


def bound_of(bound: int, costs: int = 0, noise: int = 0) -> Bound:
    """Return a bound in U. `costs` of it are for locks and switches."""
    return Bound(
        (bound - costs) * U,
        bound * U,
        lambda away_ns, slower: round((bound + (slower - 1) * costs) * U) + away_ns,
        lambda _: noise * U,
    )


def judged(
    bound: Bound, *traces: TaskTrace, usual: float | None = None, beside: Processor | None = None
) -> Measures:
    """Judge the first of these tasks of a CPU, the most urgent first."""
    jobs = [
        (described(trace.name, 9 - place), activations(trace)) for place, trace in enumerate(traces)
    ]
    processor = Processor([(task.priority, own) for task, own in jobs])
    seen = processor.beside([beside]) if beside else processor
    return measure(traces[0], Place(jobs[0][0], jobs, seen, 9, usual), "protect", bound)


def alone(end: int, *gaps: tuple[int, int], speed: float | None = None) -> TaskTrace:
    rows: list[Row] = [
        row for begin, until in gaps for row in ((begin, "suspend"), (until, "resume"))
    ]
    return task_of("T", 0, (0, "start"), *rows, (end, "end"), speed=speed)


@pytest.mark.parametrize(
    ("bound", "gaps", "verdict", "stopped"),
    [
        (100, [], Verdict.KEPT, 0),  # exactly
        (99, [], Verdict.EXCEEDED, 0),
        (100, [(30, 50)], Verdict.KEPT, 20),
        (80, [(30, 50)], Verdict.NOT_JUDGED, 20),  # exactly
        (79, [(30, 50)], Verdict.EXCEEDED, 20),
        (60, [(10, 30), (50, 70)], Verdict.NOT_JUDGED, 40),
        (59, [(10, 30), (50, 70)], Verdict.EXCEEDED, 40),
        (79, [(0, 20), (99, 100)], Verdict.NOT_JUDGED, 21),  # a short gap counts beside a stop
        (99, [(40, 41)], Verdict.EXCEEDED, 0),  # but not alone, if it is within the noise
        (80, [(0, 20)], Verdict.NOT_JUDGED, 20),  # right at the start
        (80, [(80, 100)], Verdict.NOT_JUDGED, 20),  # up to the end
    ],
)
def test_a_response_is_excused_by_what_the_machine_took_and_no_more(
    bound: int, gaps: list[tuple[int, int]], verdict: Verdict, stopped: int
) -> None:
    # A gap right at the start or the end counts in full, although the kernel has a part in it.
    row = judged(bound_of(bound, noise=1), alone(100, *gaps))
    assert row.verdict is verdict
    assert row.stopped_ns == ({0: stopped * U} if stopped else {})
    assert (row.excess is None) == (verdict is not Verdict.EXCEEDED)
    assert row.above == (verdict is not Verdict.KEPT)


def test_the_response_that_exceeds_a_bound_leaves_nothing_of_it() -> None:
    """The machine stopped that activation, but for too short. The other one was quick."""
    quick = (Event(0, Kind.START, 0, None), Event(20 * U, Kind.END, 0, None))
    rows = ((100, "start"), (130, "suspend"), (150, "resume"), (200, "end"))
    stopped = (Event(time * U, Kind(kind), 1, None) for time, kind in rows)
    trace = recorded("T", [0, 100 * U], [*quick, *stopped])

    row = judged(bound_of(50), trace)

    assert row.response_without_stops
    assert (row.verdict, row.response_without_stops.maximum_ns) == (Verdict.EXCEEDED, 20 * U)
    assert (row.compared_ns, row.left) == (100 * U, -1.0)


def test_noise_beyond_that_of_the_bound_excuses_without_any_stop() -> None:
    gaps = [(20, 21), (40, 41)]
    assert judged(bound_of(98, noise=2), alone(100, *gaps)).verdict is Verdict.EXCEEDED
    assert judged(bound_of(98, noise=1), alone(100, *gaps)).verdict is Verdict.NOT_JUDGED
    assert judged(bound_of(97, noise=1), alone(100, *gaps)).verdict is Verdict.EXCEEDED


def test_of_a_stop_that_began_before_only_the_rest_counts() -> None:
    """The less urgent task was stopped from 10 to 50. The urgent task arrived at 40."""
    low = task_of("L", 0, (0, "start"), (10, "suspend"), (70, "resume"), (90, "end"))
    high = task_of("H", 40, (50, "start"), (70, "end"))
    for bound, verdict in ((20, Verdict.NOT_JUDGED), (19, Verdict.EXCEEDED)):
        row = judged(bound_of(bound), high, low)
        assert (row.verdict, row.stopped_ns) == (verdict, {0: 10 * U})


def test_a_stop_before_its_level_had_work_is_none_of_its() -> None:
    low = task_of(
        "L", 0, (0, "start"), (10, "suspend"), (30, "resume"), (40, "suspend"), (60, "resume"),
        (90, "end"),
    )  # fmt: skip
    high = task_of("H", 40, (40, "start"), (60, "end"))
    row = judged(bound_of(19), high, low)
    assert (row.verdict, row.stopped) == (Verdict.EXCEEDED, 0)


def test_while_another_task_runs_the_machine_does_not_stand_still() -> None:
    high = task_of("H", 30, (30, "start"), (50, "end"))
    low = alone(100, (30, 50))
    jobs = [(described("H", 9), activations(high)), (described("T", 7), activations(low))]
    processor = Processor([(task.priority, own) for task, own in jobs])
    row = measure(low, Place(jobs[1][0], jobs, processor, 7), "none", bound_of(99))
    assert (row.verdict, row.stopped, processor.stops) == (Verdict.EXCEEDED, 0, [])


def test_waiting_for_a_lock_is_the_locks_fault_but_for_the_stop_of_its_holder() -> None:
    """The planted fault: a less urgent task keeps the lock. It runs for 60 and is stopped for
    20."""
    low = task_of(
        "L", 0, (0, "start"), (5, "request", 0), (5, "grant", 0), (10, "suspend"), (15, "resume"),
        (40, "suspend"), (60, "resume"), (90, "unlock", 0), (90, "suspend"), (95, "resume"),
        (99, "end"),
    )  # fmt: skip
    high = task_of(
        "H", 10, (10, "start"), (15, "request", 0), (90, "grant", 0), (95, "unlock", 0), (95, "end")
    )
    for bound, verdict in ((65, Verdict.NOT_JUDGED), (64, Verdict.EXCEEDED), (5, Verdict.EXCEEDED)):
        row = judged(bound_of(bound), high, low)
        assert (row.verdict, row.stopped_ns) == (verdict, {0: 20 * U})


def test_a_stop_of_another_cpu_counts_only_if_tasks_of_this_one_wait_for_it() -> None:
    other = Processor([(9, activations(alone(100, (30, 50))))])
    assert judged(bound_of(80), alone(100)).verdict is Verdict.EXCEEDED
    row = judged(bound_of(80), alone(100), beside=other)
    assert (row.verdict, row.stopped_ns) == (Verdict.NOT_JUDGED, {0: 20 * U})


@pytest.mark.parametrize(
    ("speed", "usual", "verdict"),
    [
        (2.5, 10.0, Verdict.NOT_JUDGED),  # locks and switches may take 4 times 10: 30 more
        (2.6, 10.0, Verdict.EXCEEDED),
        (10.0, 10.0, Verdict.EXCEEDED),
        (11.0, 10.0, Verdict.EXCEEDED),  # faster than usual excuses nothing, and takes nothing
        (None, 10.0, Verdict.EXCEEDED),
        (2.5, None, Verdict.EXCEEDED),
    ],
)
def test_locks_and_switches_are_as_slow_as_run_steps_beside_them(
    speed: float | None, usual: float | None, verdict: Verdict
) -> None:
    row = judged(bound_of(70, costs=10), alone(100, speed=speed), usual=usual)
    assert (row.verdict, row.stopped) == (verdict, 0)


def test_the_slowest_task_in_its_time_counts_and_none_before() -> None:
    slow = task_of("L", 0, (0, "start"), (40, "end"), speed=1.0)
    late = task_of("H", 40, (40, "start"), (140, "end"), speed=9.0)
    beside = task_of("H", 39, (40, "start"), (139, "end"), speed=9.0)
    bound = bound_of(90, costs=10)
    assert judged(bound, late, slow, usual=10.0).verdict is Verdict.EXCEEDED
    assert judged(bound, beside, slow, usual=10.0).verdict is Verdict.NOT_JUDGED


def test_a_task_that_is_slow_later_excuses_nothing() -> None:
    high = task_of("H", 0, (0, "start"), (100, "end"), speed=9.0)
    later = task_of("L", 100, (100, "start"), (140, "end"), speed=1.0)
    assert judged(bound_of(90, costs=10), high, later, usual=10.0).verdict is Verdict.EXCEEDED


def test_a_fast_processor_takes_nothing_from_the_bound() -> None:
    row = judged(bound_of(80, costs=10), alone(100, (30, 50), speed=20.0), usual=10.0)
    assert row.verdict is Verdict.NOT_JUDGED


def test_slowed_overheads_are_rounded_up() -> None:
    mutex = GlobalMutex(pair_ns=3, handover_ns=5)
    added = Overheads({Protocol.CEILING: Costs(pair_ns=3)}, step_ns=1, global_mutex=mutex)
    slower = added.slowed(1.5)
    assert slower.costs[Protocol.CEILING] == Costs(pair_ns=5)
    assert (slower.step_ns, slower.global_mutex) == (2, GlobalMutex(5, 8))
    assert added.slowed(1) is added


def row_of(stopped: int, finished: int, verdict: Verdict | None) -> Measures:
    row = judged(bound_of(99 if verdict is Verdict.EXCEEDED else 100), alone(100))
    return row.model_copy(update={"stopped": stopped, "activations": finished, "verdict": verdict})


def test_a_tenth_of_stopped_activations_is_judged_and_more_is_not() -> None:
    rows = [row_of(10, 50, Verdict.EXCEEDED), row_of(0, 50, Verdict.KEPT), row_of(0, 0, None)]
    assert judged_as_one(rows) == rows
    assert list(not_judged_notes(rows)) == []
    rows[1] = row_of(0, 49, Verdict.KEPT)
    withheld = judged_as_one(rows)
    verdicts = [row.verdict for row in withheld]
    assert verdicts == [Verdict.NOT_JUDGED, Verdict.NOT_JUDGED, None]
    assert all(row.excess is None for row in withheld)
    assert list(not_judged_notes(withheld)) == [
        "not judged: the run under protect: the machine stopped 10 of 99 activations, more than "
        "10%; 1 were above their bounds"
    ]


def test_what_only_stops_put_above_the_bound_is_one_line() -> None:
    row = judged(bound_of(80), alone(100, (30, 50)))
    quiet = row_of(0, 19, Verdict.KEPT)
    other = row.model_copy(update={"task": "U"})
    assert list(not_judged_notes(judged_as_one([row, other, quiet]))) == [
        "not judged: under protect 2 of 21 activations were above their bounds only by what the "
        "machine took: stops, and slow phases"
    ]


def test_alarms_are_not_counted_among_the_responses_that_were_not_judged() -> None:
    """All activations of the protocol count, and none of the other protocol."""
    held, alarm = row_of(1, 30, Verdict.NOT_JUDGED), row_of(2, 40, Verdict.EXCEEDED)
    held = held.model_copy(update={"above": 3})
    other = held.model_copy(update={"protocol": "other", "above": 4})
    kept = row_of(0, 5, Verdict.KEPT).model_copy(update={"protocol": "quiet"})
    assert list(not_judged_notes([held, other, alarm, kept])) == [
        f"not judged: under {of} activations were above their bounds only by what the machine "
        "took: stops, and slow phases"
        for of in ("protect 3 of 70", "other 4 of 30")
    ]
    many = [each.model_copy(update={"stopped": 9}) for each in (held, alarm)]
    assert list(not_judged_notes([*many, other])) == [
        "not judged: the run under protect: the machine stopped 18 of 70 activations, more than "
        "10%; 3 were above their bounds",
        *not_judged_notes([other]),
    ]


def test_stops_of_a_cpu_stand_beside_what_the_host_says() -> None:
    cpu = CpuConditions(cpu=1, turn_ns=100, turns_per_us=Speed(median=9, slowest=2), steal_ns=U)
    trace = Trace(
        version=2,
        protocol="protect",
        cut=None,
        kernel="6.12",
        priority_limit_us=(-1, 1_000_000),
        backend=None,
        cpus=[cpu, replace_cpu(cpu, 0)],
        resources=[],
        tasks=[],
        lock_calls_not_counted=None,
        spare_cpu_time_ns=None,
    )
    first, second = stops_of(trace, {1: [(0, 2 * U), (5 * U, 9 * U)], 0: []})
    assert (first.stops, first.longest_ns, first.stopped_ns) == (2, 4 * U, 6 * U)
    assert (second.stops, second.longest_ns, second.stopped_ns) == (0, 0, 0)
    assert list(steal_notes([first, second])) == [
        "protect: the host says that it took 100us from CPU 1; its tasks saw 2 stops, 600us in all"
    ]


def replace_cpu(cpu: CpuConditions, number: int) -> CpuConditions:
    return cpu.model_copy(update={"cpu": number, "steal_ns": None})
