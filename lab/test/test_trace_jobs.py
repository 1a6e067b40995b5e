# SPDX-License-Identifier: MIT
"""Several jobs of one task in a window: all of them count, even a job that the trace cut off."""

import pytest
from report_fakes import system_of
from server_traces import trace
from test_trace_pairs import Row, U, described, ran, server_of, task_of

from plafond.describe.system import Run, Task
from plafond.run.stops import not_judged_notes
from plafond.trace.activations import Activation, activations
from plafond.trace.busy import longest_busy_ns
from plafond.trace.excess import excess_of
from plafond.trace.measures import measure
from plafond.trace.model import TaskTrace
from plafond.trace.outside import Processor, union, without
from plafond.trace.shares import share_out
from plafond.trace.sharing import measure_sharing
from plafond.trace.verdicts import Bound, Place, Verdict, slowness


def two_jobs(*speeds: float | None) -> TaskTrace:
    """Return two jobs. The second arrives before the first ends."""
    found = task_of("T", ran(0, 50), ran(50, 80), late=(0, 20))
    return found.model_copy(update={"slowest_turns_per_us": list(speeds)})


def place_of(*tasks: TaskTrace, usual: float | None = 10.0) -> tuple[Place, list[Activation]]:
    jobs = [(described(each.name, 9), activations(each)) for each in tasks]
    processor = Processor([(9, own) for _, own in jobs])
    return Place(jobs[0][0], jobs, processor, 9, usual), jobs[0][1]


@pytest.mark.parametrize("speeds", [(2.0, 5.0), (5.0, 2.0)])
def test_the_slowest_of_two_jobs_counts(speeds: tuple[float, float]) -> None:
    place, jobs = place_of(two_jobs(*speeds))
    assert slowness(jobs[1], place) == 5.0


def test_a_job_that_was_cut_off_can_be_the_slowest() -> None:
    cut = task_of("cut", [(60, "start")]).model_copy(update={"slowest_turns_per_us": [1.0]})
    place, jobs = place_of(two_jobs(5.0, 5.0), cut)
    assert slowness(jobs[1], place) == 10.0


def test_where_no_speed_is_usual_none_is_slow() -> None:
    place, jobs = place_of(two_jobs(5.0, 5.0), usual=None)
    assert slowness(jobs[1], place) == 1
    place, jobs = place_of(two_jobs(None, None))
    assert slowness(jobs[1], place) == 1


def test_a_stop_without_which_there_is_a_bound_and_with_it_none_excuses_nothing() -> None:
    found = task_of("T", ran(0, 100, (30, 60)), unit=U)
    task, own = described("T", 9), activations(found)
    bound = Bound(80 * U, 80 * U, lambda *_: None, lambda _: 0)
    place = Place(task, [(task, own)], Processor([(9, own)]), 9)
    assert measure(found, place, "protect", bound).verdict is Verdict.EXCEEDED


def test_waits_of_two_jobs_for_another_cpu_are_no_stops() -> None:
    jobs: list[list[Row]] = [
        [(begin, "start"), (begin, "request", 3), (begin + 20, "grant", 3), (begin + 30, "end")]
        for begin in (10, 50)
    ]
    high = activations(task_of("H", *jobs, unit=U))
    low = activations(task_of("L", ran(0, 100, (10, 40), (50, 80)), unit=U))
    assert Processor([(9, high), (7, low)], across_cpus=[3]).stops == []
    assert len(Processor([(9, high), (7, low)]).stops) == 2


def test_gaps_of_two_jobs_are_heard() -> None:
    found = task_of("T", ran(0, 100, (40, 41)), ran(100, 200, (140, 141)), late=(0, 50), unit=U)
    own = activations(found.model_copy(update={"late_ns": []}))
    assert Processor([(9, own)]).heard_ns(own[1], 9) == 2 * U


@pytest.mark.parametrize("others", [(40, 90), (10, 40)])
def test_no_gap_is_heard_near_the_release_of_either_job(others: tuple[int, int]) -> None:
    low = activations(task_of("L", ran(0, 100, (40, 41)), unit=U))
    comes = task_of("H", *(ran(begin + 2, begin + 3) for begin in others), late=(2, 2), unit=U)
    high = activations(comes.model_copy(update={"late_ns": []}))
    assert Processor([(9, high), (7, low)]).heard_ns(low[0], 7) == 0
    assert Processor([(7, low)]).heard_ns(low[0], 7) == U


def test_spans_behind_the_first() -> None:
    assert union([(0, 1), (3, 5), (2, 4), (5, 6), (8, 9)]) == [(0, 1), (2, 6), (8, 9)]
    assert without([(0, 4), (6, 20)], [(2, 3), (8, 9), (12, 20), (20, 22)]) == [
        *((0, 2), (3, 4), (6, 8), (9, 12))
    ]


def test_of_two_tasks_each_notes_something_twice() -> None:
    claims = [[(0, 50)], [(10, 50)]]
    assert share_out(claims, [[0, 20, 40], [10, 30]]) == [
        [(0, 10), (20, 30), (40, 50)],
        [(10, 20), (30, 40)],
    ]


def test_a_job_that_was_cut_off_is_no_busy_time() -> None:
    assert longest_busy_ns([task_of("T", ran(0, 10), [(10, "start")])]) == 10


def test_waits_of_all_jobs_are_measured() -> None:
    jobs: list[list[Row]] = [
        [(begin, "start"), (begin, "request", 0), (begin + wait, "grant", 0), (begin + 50, "end")]
        for begin, wait in ((0, 30), (100, 10), (200, 20))
    ]
    found = task_of("T", *jobs)
    task, own = described("T", 9), activations(found)
    bound = Bound(None, None, lambda *_: None, lambda _: 0)
    place = Place(task, [(task, own)], Processor([(9, own)]), 9)
    row = measure(found, place, "protect", bound)
    assert row.blocking
    assert (row.blocking.average_ns, row.blocking.maximum_ns) == (20, 30)
    for switches in ((None, 3), (3, None), (None, None)):
        voluntary, involuntary = switches
        cut = found.model_copy(
            update={"voluntary_switches": voluntary, "involuntary_switches": involuntary}
        )
        assert measure(cut, place, "protect", bound).context_switches is None


def with_runs(found: TaskTrace, priority: int, length: int) -> tuple[Task, list[Activation]]:
    task = described(found.name, priority).changed(body=(Run(length * U),))
    return task, activations(found.model_copy(update={"late_ns": []}))


def test_of_a_job_that_the_window_cuts_all_that_it_ran_there_counts() -> None:
    """L runs up to 42, and again while H waits: 2 and 5 of the window from 40 to 70."""
    high: list[Row] = [
        (42, "start"), (50, "request", 0), (55, "grant", 0), (60, "unlock", 0), (70, "end"),
    ]  # fmt: skip
    h, own = with_runs(task_of("H", high, late=(2,), unit=U), 9, 20)
    low = with_runs(task_of("L", ran(0, 100, (42, 50), (55, 70)), unit=U), 7, 50)
    processor = Processor([(9, own), (7, low[1])])
    excess = excess_of([(h, own), low], processor, own[0], 9, bound_ns=20 * U)
    assert (excess.window_ns, excess.described_ns) == (30 * U, (20 + 2 + 5) * U)
    assert excess.run_steps_ns == 3 * U


def test_a_gap_in_which_tasks_wait_twice_is_that_of_locks() -> None:
    """No task runs for 20. In 12 of these T waits. It could run for 8, at most 6 in a row."""
    job: list[Row] = [
        (0, "start"), (100, "request", 0), (106, "grant", 0), (106, "suspend"), (108, "resume"),
        (108, "request", 0), (114, "grant", 0), (114, "suspend"), (120, "resume"), (130, "end"),
    ]  # fmt: skip
    t, own = with_runs(task_of("T", job, unit=U), 9, 110)
    excess = excess_of([(t, own)], Processor([(9, own)], has_host=False), own[0], 9, bound_ns=U)
    assert (excess.locks_ns, excess.switches_ns, excess.interrupts_ns) == (20 * U, 0, 0)


def test_what_two_jobs_note_at_their_locks_says_which_task_runs() -> None:
    """H runs from 30 to 40, and from 43 to 44, when it uses a lock."""
    high: list[Row] = [
        (30, "start"), (43, "request", 1), (43, "grant", 1), (43, "unlock", 1), (50, "end"),
    ]  # fmt: skip
    first: list[Row] = [
        (0, "start"), (40, "request", 0), (40, "grant", 0), (42, "unlock", 0), (44, "request", 0),
        (44, "grant", 0), (45, "unlock", 0), (46, "end"),
    ]  # fmt: skip
    h, own = with_runs(task_of("H", high, unit=U), 9, 8)
    low = with_runs(task_of("L", first, ran(46, 60), late=(0, 36), unit=U), 7, 50)
    processor = Processor([(9, own), (7, low[1])])
    excess = excess_of([(h, own), low], processor, own[0], 9, bound_ns=8 * U)
    assert (excess.window_ns, excess.described_ns) == (20 * U, (8 + 3 + 2 + 4) * U)
    assert excess.run_steps_ns == 3 * U


def judged(*stops: tuple[int, int]) -> list[str]:
    """Return the notes of tasks with these numbers of jobs and of stopped jobs."""
    rows = []
    for number, (jobs, stopped) in enumerate(stops):
        gaps = [[(200 * n + 30, 200 * n + 60)] * (n < stopped) for n in range(jobs)]
        spans = [ran(200 * n, 200 * n + 130, *gap) for n, gap in enumerate(gaps)]
        found = task_of(f"T{number}", *spans, unit=U)
        task, own = described(found.name, 9), activations(found)
        bound = Bound(100 * U, 100 * U, lambda away_ns, _: 100 * U + away_ns, lambda _: U)
        place = Place(task, [(task, own)], Processor([(9, own)]), 9)
        row = measure(found, place, "protect", bound)
        rows.append(row.model_copy(update={"verdict": Verdict.NOT_JUDGED}))
    return list(not_judged_notes(rows))


def test_the_note_counts_the_stops_of_all_tasks() -> None:
    assert judged((4, 1), (6, 3))[0].startswith(
        "not judged: the run under protect: the machine stopped 4 of 10 activations"
    )


def test_servers_that_share_nothing_have_no_rows() -> None:
    text = (
        '[server.s]\nkind = "idling"\npriority = 1\nperiod = "100us"\nbudget = "20us"\n'
        '[task.t]\nserver = "s"\npriority = 1\narrival = "sporadic 1ms"\nbody = ["run 9us"]\n'
    )
    found = trace(task_of("t", ran(0, 9)), servers=(server_of("s", (0, "get"), (9, "lose")),))
    assert measure_sharing(system_of(text), found) == []
