# SPDX-License-Identifier: MIT
"""What is read from a trace: activations, measures, and time that no task of the set had."""

from pathlib import Path

import pytest

from plafond.describe.system import Interval, Pending, Task
from plafond.errors import PlafondError
from plafond.trace.activations import Activation, activations, skipped
from plafond.trace.busy import longest_busy_ns
from plafond.trace.measures import Bound, Verdict, measure, spread
from plafond.trace.model import Event, Kind, TaskTrace, read_trace
from plafond.trace.outside import Processor


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

CPU = Processor([(7, activations(TASK))])


def bound_of(response_ns: int) -> Bound:
    return Bound(response_ns, 7, lambda away_ns: response_ns + away_ns)


def described() -> Task:
    """Its description: only priority and deadline matter here."""
    return Task(
        name="T",
        priority=7,
        cpu=0,
        interval=Interval(10, 10),
        offset_ns=10,
        deadline_ns=20,
        activations=3,
        pending=Pending.SKIP,
        body=(),
    )


def test_events_become_activations() -> None:
    first, last = activations(TASK)
    assert (first.latency_ns, first.blocking_ns, first.response_ns) == (2, 3, 21)
    assert first.sections == [(16, 27, 0)]
    assert first.running() == [(12, 13), (16, 20), (25, 28), (30, 31)]
    assert (last.index, last.end_ns, last.response_ns, last.running()) == (2, None, None, [])
    assert skipped(TASK) == 1


def test_measures_are_of_finished_activations() -> None:
    row = measure(TASK, described(), CPU, "none", bound_of(22))
    assert (row.activations, row.skipped, row.deadline_misses) == (1, 1, 1)
    assert row.context_switches == 5
    assert row.response is not None
    assert row.response.maximum_ns == 21
    assert row.verdict is Verdict.KEPT


@pytest.mark.parametrize(
    ("bound_ns", "verdict"),
    [(21, Verdict.KEPT), (14, Verdict.EXCEEDED_OUTSIDE), (13, Verdict.EXCEEDED), (None, None)],
)
def test_a_verdict_reports_the_tasks_from_what_is_outside(
    bound_ns: int | None, verdict: Verdict | None
) -> None:
    # No task runs from 10 to 12 and 20 to 25; from 13 to 16 the task waits, 28 to 30 it sleeps.
    assert CPU.outside_ns(activations(TASK)[0], 7) == 7
    bound = None if bound_ns is None else bound_of(bound_ns)
    assert measure(TASK, described(), CPU, "none", bound).verdict is verdict


def test_work_that_arrives_while_the_cpu_is_away_is_not_held_against_the_tasks() -> None:
    # With 7 ns away the analysis finds 21, more than 10 and 7 together.
    bound = Bound(10, 7, lambda away_ns: {7: 21}[away_ns])
    assert measure(TASK, described(), CPU, "none", bound).verdict is Verdict.EXCEEDED_OUTSIDE


def test_outside_time_counts_since_the_level_had_no_work() -> None:
    early = Activation(0, arrival_ns=0, start_ns=50, end_ns=60)  # no task runs until 50
    queued = Activation(1, arrival_ns=55, start_ns=60, end_ns=70)
    later = Activation(2, arrival_ns=80, start_ns=80, end_ns=90)
    processor = Processor([(5, [queued]), (3, [early, later])])
    assert [processor.outside_ns(each, 3) for each in (early, queued, later)] == [50, 50, 0]
    assert processor.outside_ns(queued, 5) == 0
    assert processor.outside_ns(queued, None) == 50
    assert [processor.is_disturbed(each) for each in (early, queued, later)] == [True, True, False]


def test_time_in_which_everybody_waits_for_locks_is_the_locks_doing() -> None:
    lost = Activation(0, arrival_ns=0, start_ns=0, end_ns=60, waits=[(5, 55, 0)])
    processor = Processor([(3, [lost])])
    assert processor.outside_ns(lost, 3) == 0
    assert not processor.is_disturbed(lost)


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


@pytest.mark.parametrize("content", [b"", b"{}", b'{"version": 1', b"\xff"])
def test_what_is_no_trace_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "trace.json").write_bytes(content)
    with pytest.raises(PlafondError, match=r"trace.json: not a trace of plafond-run"):
        read_trace(tmp_path / "trace.json")
