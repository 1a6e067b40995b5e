# SPDX-License-Identifier: MIT
"""Values read from a trace: activations, measures, and time in which no task of the set ran."""

from pathlib import Path

import pytest

from plafond.describe.server import BEFORE_ALL
from plafond.describe.system import Interval, Pending, Run, Task
from plafond.errors import PlafondError
from plafond.trace.activations import Activation, activations, skipped
from plafond.trace.busy import longest_busy_ns
from plafond.trace.excess import excess_of
from plafond.trace.measures import measure, spread
from plafond.trace.model import Event, Kind, TaskTrace, read_trace
from plafond.trace.outside import LONGEST_OWN_NS, Processor, Served
from plafond.trace.verdicts import Bound, Place, Verdict


def task_of(arrivals: list[int], *events: tuple[int, str, int, int | None]) -> TaskTrace:
    return TaskTrace(
        name="T",
        arrivals_ns=arrivals,
        voluntary_switches=2,
        involuntary_switches=3,
        minor_faults=0,
        major_faults=0,
        lock_calls=None,
        lost_gaps=0,
        events=[Event(time, Kind(kind), index, resource) for time, kind, index, resource in events],
    )


TASK = task_of(
    [10, 20, 60],
    (12, "start", 0, None),
    (13, "request", 0, 0),
    (16, "grant", 0, 0),
    (20, "suspend", 0, None),
    (25, "resume", 0, None),
    (27, "unlock", 0, 0),
    (28, "sleep", 0, None),
    (30, "wake", 0, None),
    (31, "end", 0, None),
    (32, "skip", 1, None),
    (60, "start", 2, None),
)


def bound_of(response_ns: int, noise_ns: int = 0) -> Bound:
    return Bound(
        response_ns, response_ns, lambda away_ns, _: response_ns + away_ns, lambda _: noise_ns
    )


def place_of(trace: TaskTrace) -> Place:
    own = activations(trace)
    return Place(described(), [(described(), own)], Processor([(7, own)]), 7)


def described() -> Task:
    """Return the description of a task. Only its priority and deadline matter here."""
    return Task.made(
        name="T",
        priority=7,
        interval=Interval(10, 10),
        offset_ns=10,
        deadline_ns=20,
        activations=3,
        pending=Pending.SKIP,
    )


def test_events_become_activations() -> None:
    first, last = activations(TASK)
    assert (first.latency_ns, first.blocking_ns, first.response_ns) == (2, 3, 21)
    assert first.sections == [(16, 27, 0)]
    assert first.running() == [(12, 13), (16, 20), (25, 28), (30, 31)]
    assert (last.index, last.end_ns, last.response_ns, last.running()) == (2, None, None, [])
    assert skipped(TASK) == 1


def test_measures_are_of_finished_activations() -> None:
    row = measure(TASK, place_of(TASK), "none", bound_of(22))
    assert (row.activations, row.skipped, row.deadline_misses) == (1, 1, 1)
    assert row.context_switches == 5
    assert row.response is not None
    assert row.response.maximum_ns == 21
    assert row.verdict is Verdict.KEPT


U = LONGEST_OWN_NS  # a gap of 1 U is still the kernel's own


def spun(gap: int) -> TaskTrace:
    """Return a task that runs for 100 U, without the CPU for a gap. It starts when it arrives."""
    away = 30 + gap
    return task_of(
        [0],
        *((0, "start", 0, None), (30 * U, "suspend", 0, None), (away * U, "resume", 0, None)),
        ((100 + gap) * U, "end", 0, None),
    )


@pytest.mark.parametrize(
    ("gap", "bound", "verdict"),
    [
        (20, 120, Verdict.KEPT),
        (20, 100, Verdict.NOT_JUDGED),  # by the gap, and no more
        (20, 99, Verdict.EXCEEDED),  # by more than the gap
        (1, 101, Verdict.KEPT),
        (1, 100, Verdict.EXCEEDED),  # a gap that the bound contains is no excuse
    ],
)
def test_only_what_a_stop_explains_may_be_above_the_bound(
    gap: int, bound: int, verdict: Verdict
) -> None:
    trace = spun(gap)
    row = measure(trace, place_of(trace), "none", bound_of(bound * U, noise_ns=U))
    assert row.verdict is verdict
    assert row.stopped == (gap > 1)
    assert (row.excess is not None) == (verdict is Verdict.EXCEEDED)
    assert row.stopped_ns == ({0: gap * U} if gap > 1 else {})


@pytest.mark.parametrize(
    ("noise", "bound", "verdict"),
    [
        (U - 1, 100 * U, Verdict.NOT_JUDGED),
        (U - 1, 100 * U - 1, Verdict.EXCEEDED),  # by more than was heard
        (U, 100 * U, Verdict.EXCEEDED),
    ],
)
def test_noise_beyond_that_of_the_bound_explains_as_much_as_was_heard(
    noise: int, bound: int, verdict: Verdict
) -> None:
    trace = spun(1)
    row = measure(trace, place_of(trace), "none", bound_of(bound, noise))
    assert (row.verdict, row.stopped) == (verdict, noise < U)
    assert row.stopped_ns == ({0: U} if noise < U else {})


def heard_in(gap: tuple[int, int], *events: tuple[int, str, int, int | None]) -> int:
    """Return the noise heard in a suspension of a task that runs from 0 to 1000 U."""
    middle = sorted(
        [*events, (gap[0], "suspend", 0, None), (gap[1], "resume", 0, None)],
        key=lambda event: event[0],  # stable: events of one time keep their order
    )
    trace = task_of([0], (0, "start", 0, None), *middle, (1000 * U, "end", 0, None))
    own = activations(trace)
    return Processor([(7, own)]).heard_ns(own[0], 7)


def test_only_a_gap_in_the_midst_of_a_run_step_is_heard() -> None:
    gap = (50 * U, 50 * U + 9)
    section = ((10 * U, "request", 0, 0), (10 * U + 1, "grant", 0, 0))
    assert heard_in(gap) == 9
    assert heard_in((50 * U, 51 * U)) == U
    assert heard_in((50 * U, 51 * U + 1)) == 0  # foreign: a stop
    assert heard_in(gap, *section, (80 * U, "unlock", 0, 0)) == 9
    # A long lock and an unlock belong to the protocol, and a late wake-up belongs to the kernel.
    assert heard_in(gap, *section, (50 * U, "unlock", 0, 0)) == 0
    assert heard_in(gap, (40 * U, "request", 0, 0), (50 * U, "grant", 0, 0)) == 0
    assert heard_in(gap, (20 * U, "sleep", 0, None), (50 * U, "wake", 0, None)) == 0
    assert heard_in(gap, (20 * U, "sleep", 0, None), (49 * U, "wake", 0, None)) == 0
    assert heard_in(gap, (20 * U, "sleep", 0, None), (49 * U - 1, "wake", 0, None)) == 9
    assert heard_in((1, 9)) == 0  # right after its own arrival
    begun = ((0, "start", 0, None), (9 * U, "suspend", 0, None), (10 * U, "resume", 0, None))
    late = activations(task_of([0], (9 * U, *begun[0][1:]), *begun[1:], (20 * U, "end", 0, None)))
    assert Processor([(7, late)]).heard_ns(late[0], 7) == 0  # at its start


def served(gap: tuple[int, int], held: list[tuple[int, int]], *due: int) -> tuple[int, int]:
    """Return the foreign and the heard time in a suspension of a task of a server."""
    trace = task_of(
        [0],
        (0, "start", 0, None),
        (gap[0], "suspend", 0, None),
        (gap[1], "resume", 0, None),
        (1000 * U, "end", 0, None),
    )
    own = activations(trace)
    processor = Processor([(7, own)], served=Served(held, due))
    return processor.stopped_ns(own[0], 7), processor.heard_ns(own[0], 7)


def test_a_task_could_run_only_while_its_server_has_the_cpu() -> None:
    gap = (50 * U, 52 * U)
    assert served(gap, [(0, 1000 * U)]) == (2 * U, 0)
    assert served(gap, [(0, 50 * U), (52 * U, 1000 * U)]) == (0, 0)
    assert served(gap, [(0, 50 * U), (51 * U, 1000 * U)]) == (0, 0)  # the switch was late by this
    assert served(gap, [(0, 50 * U), (51 * U - 1, 1000 * U)]) == (U + 1, 0)


def test_what_happens_to_servers_is_not_heard() -> None:
    gap = (50 * U, 50 * U + 9)
    assert served(gap, [(0, 1000 * U)]) == (0, 9)
    assert served(gap, [(0, 1000 * U)], 50 * U) == (0, 0)
    assert served(gap, [(0, 1000 * U)], 49 * U) == (0, 0)
    assert served(gap, [(0, 1000 * U)], 49 * U - 1, 50 * U + 10) == (0, 9)


def test_what_another_task_does_in_a_gap_is_not_heard() -> None:
    low = activations(
        task_of(
            [0],
            *((0, "start", 0, None), (50 * U, "suspend", 0, None)),
            *((50 * U + 9, "resume", 0, None), (99 * U, "end", 0, None)),
        )
    )

    def heard(arrival: int, start: int, end: int) -> int:
        high = activations(task_of([arrival], (start, "start", 0, None), (end, "end", 0, None)))
        return Processor([(9, high), (7, low)]).heard_ns(low[0], 7)

    assert heard(90 * U, 90 * U, 91 * U) == 9
    assert heard(50 * U, 50 * U + 2, 50 * U + 7) == 0  # it ran in the gap
    assert heard(50 * U + 4, 60 * U, 61 * U) == 0  # it was due: kept out, or late
    assert heard(20 * U, 50 * U + 2, 50 * U + 7) == 0  # it began to run long after it was due


def test_a_task_without_budget_is_no_gap_unless_another_could_run() -> None:
    """From 10 to 40 only the reserved task has work. From 40 to 50 the other task has work, too."""
    stop = ((10 * U, "suspend", 0, None), (50 * U, "resume", 0, None))
    reserved = activations(task_of([0], (0, "start", 0, None), *stop, (60 * U, "end", 0, None)))
    low = activations(task_of([40 * U], (60 * U, "start", 0, None), (70 * U, "end", 0, None)))
    alone = Processor([(BEFORE_ALL, reserved)])
    assert alone.stopped_ns(reserved[0], BEFORE_ALL) == 0
    both = Processor([(BEFORE_ALL, reserved), (7, low)])
    assert both.stopped_ns(low[0], 7) == 10 * U
    assert both.stopped_ns(reserved[0], BEFORE_ALL) == 10 * U
    assert Processor([(9, reserved)]).stopped_ns(reserved[0], 9) == 40 * U


def test_noise_explains_no_work_of_other_tasks() -> None:
    """Blocking that the bound leaves out is found, however much noise there was."""
    ticks = [
        event
        for tick in range(10, 60)
        for event in ((2 * tick * U, "suspend", 0, None), ((2 * tick + 1) * U, "resume", 0, None))
    ]
    low = task_of([0], (0, "start", 0, None), *ticks, (120 * U, "end", 0, None))
    high = task_of([6 * U], (120 * U, "start", 0, None), (130 * U, "end", 0, None))
    jobs = [
        (described().changed(name=name, priority=priority), activations(each))
        for name, priority, each in (("H", 9, high), ("L", 7, low))
    ]
    processor = Processor([(task.priority, own) for task, own in jobs])
    place = Place(jobs[0][0], jobs, processor, 9)
    assert processor.heard_ns(jobs[0][1][0], 9) == 50 * U
    blocked_ns = (120 - 50 - 6) * U
    for bound_ns, verdict in (
        (10 * U + blocked_ns, Verdict.NOT_JUDGED),
        (10 * U + blocked_ns - 1, Verdict.EXCEEDED),
        (10 * U, Verdict.EXCEEDED),  # the blocking term is missing
    ):
        assert measure(high, place, "none", bound_of(bound_ns)).verdict is verdict


def test_without_a_host_every_excess_is_an_alarm() -> None:
    own = activations(spun(20))
    exact = Processor([(7, own)], has_host=False)
    place = Place(described(), [(described(), own)], exact, 7)
    row = measure(spun(20), place, "none", bound_of(119 * U))
    assert (row.stopped, row.verdict) == (0, Verdict.EXCEEDED)
    brief = activations(spun(1))
    assert Processor([(7, brief)], has_host=False).heard_ns(brief[0], 7) == 0
    assert row.ratio == 120 / 119


@pytest.mark.parametrize(
    ("theory", "with_overheads", "verdict"),
    [(None, None, None), (101, None, Verdict.KEPT), (100, None, None), (100, 101, Verdict.KEPT)],
)
def test_the_verdict_is_about_the_bound_with_overheads(
    theory: int | None, with_overheads: int | None, verdict: Verdict | None
) -> None:
    trace = spun(1)
    known = (theory and theory * U, with_overheads and with_overheads * U)
    bound = Bound(*known, lambda *_: None, lambda _: 0)
    row = measure(trace, place_of(trace), "none", bound)
    assert row.verdict is verdict
    assert (row.ratio is not None) == (with_overheads is not None and not row.stopped)
    assert row.stopped == (with_overheads is not None)  # otherwise the noise is unknown


def test_work_that_arrives_while_the_cpu_is_away_is_not_held_against_the_tasks() -> None:
    # With a gap of 20 the analysis finds 120, more than the bound and the gap together.
    trace = spun(20)
    bound = Bound(None, 90 * U, lambda away_ns, _: {20 * U: 120 * U}[away_ns], lambda _: 0)
    verdict = measure(trace, place_of(trace), "none", bound).verdict
    assert verdict is Verdict.NOT_JUDGED


def test_an_excess_is_split_into_what_the_trace_shows() -> None:
    low = task_of(
        [0],
        *((0, "start", 0, None), (5, "request", 0, 0), (8, "grant", 0, 0)),
        *((20, "suspend", 0, None), (22, "resume", 0, None)),  # a tick: the task continues
        *((30, "suspend", 0, None), (64, "resume", 0, None)),  # high preempts
        *((70, "unlock", 0, 0), (75, "end", 0, None)),
    )
    high = task_of([29], (33, "start", 0, None), (63, "end", 0, None)).model_copy(
        update={"name": "H"}
    )
    runs = {"H": Run(28), "T": Run(33)}
    jobs = [
        (
            described().changed(name=each.name, priority=p, body=(runs[each.name],)),
            activations(each),
        )
        for each, p in ((high, 9), (low, 7))
    ]
    processor = Processor([(9, jobs[0][1]), (7, jobs[1][1])])
    excess = excess_of(jobs, processor, jobs[1][1][0], 7, bound_ns=60)
    assert (excess.response_ns, excess.bound_ns, excess.window_ns) == (75, 60, 75)
    assert excess.described_ns == 28 + 33
    assert (excess.locks_ns, excess.interrupts_ns, excess.switches_ns) == (3, 2, 3 + 1)
    assert excess.run_steps_ns == 75 - 61 - 3 - 2 - 4
    assert (excess.host_ns, excess.rest_ns) == (0, 0)


def test_a_task_that_did_not_note_its_preemption_does_not_run_meanwhile() -> None:
    low = task_of([0], (0, "start", 0, None), (60, "end", 0, None))
    high = task_of([25], (27, "start", 0, None), (50, "end", 0, None))
    jobs = [
        (described().changed(priority=priority, body=(Run(run),)), activations(each))
        for each, priority, run in ((high, 9, 20), (low, 7, 30))
    ]
    processor = Processor([(9, jobs[0][1]), (7, jobs[1][1])])
    excess = excess_of(jobs, processor, jobs[0][1][0], 9, bound_ns=1)
    assert (excess.window_ns, excess.described_ns, excess.run_steps_ns) == (25, 22, 3)


def test_what_a_range_drew_is_described() -> None:
    trace = task_of([0, 50], (60, "start", 1, None), (90, "end", 1, None))
    task = described().changed(priority=9, body=(Run(30, 10, key=5),))
    jobs = [(task, activations(trace))]
    excess = excess_of(jobs, Processor([(9, jobs[0][1])]), jobs[0][1][0], 9, bound_ns=1)
    assert 10 <= excess.described_ns < 30
    assert excess.described_ns == task.drawn_run_ns(1) != task.drawn_run_ns(0)


def test_a_gap_that_no_kernel_needs_is_a_part_of_its_own() -> None:
    trace = spun(20)
    place = place_of(trace)
    excess = excess_of(place.jobs, place.processor, place.jobs[0][1][0], 7, bound_ns=1)
    assert (excess.host_ns, excess.interrupts_ns) == (20 * U, 0)


def test_outside_time_counts_since_the_level_had_no_work() -> None:
    early = Activation(0, arrival_ns=0, start_ns=50 * U, end_ns=60 * U)  # no task runs until 50
    queued = Activation(1, arrival_ns=55 * U, start_ns=60 * U, end_ns=70 * U)
    later = Activation(2, arrival_ns=80 * U, start_ns=80 * U, end_ns=90 * U)
    processor = Processor([(5, [queued]), (3, [early, later])])
    outside = [processor.stopped_ns(each, 3) for each in (early, queued, later)]
    assert outside == [50 * U, 50 * U, 0]
    assert processor.stopped_ns(queued, 5) == 0  # its level had no work then
    assert processor.stopped_ns(queued, None) == 50 * U


def test_time_in_which_every_task_waits_for_locks_is_the_locks_doing() -> None:
    lost = Activation(0, arrival_ns=0, start_ns=0, end_ns=60 * U, waits=[(5 * U, 55 * U, 0)])
    processor = Processor([(3, [lost])])
    assert processor.stopped_ns(lost, 3) == 0


def test_the_longest_busy_time_joins_what_overlaps() -> None:
    first = task_of([0], (0, "start", 0, None), (40, "end", 0, None))
    second = task_of(
        [30, 90],
        *((40, "start", 0, None), (70, "end", 0, None)),
        *((90, "start", 1, None), (99, "end", 1, None)),
    )
    assert longest_busy_ns([first, second]) == 70
    whole = task_of([0], (0, "start", 0, None), (95, "end", 0, None))
    assert longest_busy_ns([whole, first, second]) == 99


def test_spread() -> None:
    values = spread([1, 2, 3, 6])
    assert values is not None
    assert (values.average_ns, values.maximum_ns) == (3, 6)
    assert values.deviation_ns == pytest.approx(3.5**0.5)
    assert spread([]) is None


@pytest.mark.parametrize("content", [b"", b"{}", b'{"version": 2', b"\xff"])
def test_what_is_no_trace_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "trace.json").write_bytes(content)
    with pytest.raises(PlafondError, match=r"trace.json: not a trace of plafond-run"):
        read_trace(tmp_path / "trace.json")
