# SPDX-License-Identifier: MIT
"""Release jitter: the limits of a description, its part in the bounds, and the releases of runs."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from descriptions import described
from run_options import OPTIONS
from test_run_kernel import command_on, run

from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe import System
from plafond.errors import ArgumentError
from plafond.protocols import Protocol
from plafond.run.arrivals import draw_arrivals
from plafond.run.plan import plan_text
from plafond.run.releases import draw_releases, with_arrivals
from plafond.run.spare.experiment import compare_spare
from plafond.trace.activations import activations
from plafond.trace.model import Event, Kind, TaskTrace, Trace

MS = 1_000_000
TEXT = """
[task.high]
priority = 20
arrival = "periodic 5ms"
jitter = "3ms"
activations = 50
body = ["run 2ms"]
[task.low]
priority = 10
arrival = "periodic 20ms"
body = ["run 3ms"]
"""
EDF = 'scheduler = "edf"' + TEXT
ACROSS = """
cpus = 2
[task.high]
priority = 20
arrival = "periodic 9ms"
jitter = "4ms"
body = ["run 1ms", "lock G", "run 1ms", "unlock G"]
[task.mid]
priority = 15
arrival = "periodic 10ms"
jitter = "5ms"
body = ["run 2ms"]
[task.low]
priority = 10
arrival = "periodic 40ms"
body = ["run 2ms", "lock G", "run 1ms", "unlock G"]
[task.other]
cpu = 1
priority = 12
arrival = "periodic 12ms"
body = ["run 1ms", "lock G", "run 2ms", "unlock G"]
[resource.G]
"""
SERVER = '[server.S]\nkind = "idling"\npriority = 5\nperiod = "4ms"\nbudget = "3ms"\n'


def responses(system: System) -> dict[tuple[str, str], float | None]:
    return {
        (row.task, row.protocol): row.response_bound_ns and row.response_bound_ns / MS
        for row in analyse(system).rows
    }


def test_more_urgent_releases_come_closer_together(tmp_path: Path) -> None:
    found = responses(described(tmp_path, TEXT))
    # `low`: 3 + ceil((7 + 3)/5)*2. `high`: 2 + 3, from its arrival.
    assert (found["low", "ceiling"], found["high", "ceiling"]) == (7, 5)
    # The busy period of both is 2*2 + 3. The jitter of `high` adds 3.
    assert (found["low", "none"], found["high", "none"]) == (7, 10)
    assert responses(described(tmp_path, TEXT.replace('"3ms"', '"0"')))["low", "ceiling"] == 5


def test_a_job_behind_its_own_earlier_one_counts_from_its_own_arrival(tmp_path: Path) -> None:
    text = TEXT.replace("2ms", "4ms").replace('"3ms"', '"4ms"').replace('"run 3ms"', '"run 1ms"')
    found = responses(described(tmp_path, text))
    assert found["high", "ceiling"] == 4 + 4
    # The least solution of w = 1 + ceil((w + 4)/5)*4: five jobs of `high`.
    assert found["low", "ceiling"] == 21


def with_jitter(system: System, **jitters_ms: int) -> System:
    tasks = (
        task.changed(jitter_ns=jitters_ms.get(task.name, 0) * MS, deadline_ns=1000 * MS)
        for task in system.tasks
    )
    return replace(system, tasks=tuple(tasks))


def test_the_jitter_may_be_above_the_interval(tmp_path: Path) -> None:
    """pyCPA's simple.py and test_spp.py have 15 and 19 ms from releases, so 75 and 37 ms from
    arrivals."""
    simple = 'task.t11 = {priority = 2, arrival = "sporadic 30ms", body = ["run 5ms"]}'
    found = responses(with_jitter(described(tmp_path, simple), t11=60))
    assert found["t11", "ceiling"] == 65
    assert found["t11", "none"] == 15 + 60
    spp = (
        'task.t21 = {priority = 2, arrival = "sporadic 30ms", body = ["run 2ms"]}\n'
        'task.t22 = {priority = 1, arrival = "sporadic 15ms", body = ["run 9ms"]}\n'
    )
    late = with_jitter(described(tmp_path, spp), t21=10, t22=18)
    found = responses(late)
    assert found["t21", "ceiling"] == 2 + 10
    assert found["t22", "ceiling"] == 11 + 18
    t21, t22 = (Arrivals(task.least_interval_ns, 0, task.jitter_ns) for task in late.tasks)
    window = Window([replace(t21, cost_ns=2 * MS)], allowed(), Background())
    assert [window.least_ns(jobs * 9 * MS) // MS for jobs in (1, 2, 3, 4)] == [11, 20, 31, 40]
    assert t22.in_window(40 * MS) == 4  # the last window ends before a fifth job is released


def test_a_description_may_have_a_jitter_above_the_interval(tmp_path: Path) -> None:
    text = (
        'task.t11 = {priority = 2, arrival = "sporadic 30ms", deadline = "200ms", '
        'body = ["run 5ms"], jitter = "60ms"}'
    )
    assert responses(described(tmp_path, text))["t11", "ceiling"] == 65


def allowed() -> Effort:
    effort = Effort()
    effort.begin_row()
    return effort


def test_under_edf_no_jitter_is_above_the_interval(tmp_path: Path) -> None:
    """With a jitter above the interval, no row has a bound."""
    system = described(tmp_path, EDF)
    assert None not in responses(with_jitter(system, high=4)).values()
    late = with_jitter(system, high=5)
    assert set(responses(late).values()) == {None}
    said = "high can be released later than by its interval, which is not analysed under EDF"
    assert any(said in note for note in analyse(late).notes)


def test_under_edf_a_task_is_due_by_its_deadline_less_its_jitter(tmp_path: Path) -> None:
    system = described(tmp_path, EDF.replace("periodic 20ms", "periodic 8ms"))
    due = {task.name: task.deadline_from_release_ns // MS for task in system.tasks}
    assert due == {"high": 2, "low": 8}
    # `low` is due at 8. Before that, `high` is due at 2, at 2 + 5 - 3, and not again: 3 + 2*2.
    assert responses(system) == {("high", "floor"): 5, ("low", "floor"): 7}
    [row] = analyse(system).demand
    assert row.schedulable
    late = EDF.replace('periodic 20ms"', 'periodic 8ms"\ndeadline = "7ms"')
    [row] = analyse(described(tmp_path, late.replace("run 3ms", "run 4ms"))).demand
    assert (row.schedulable, row.window_ns, row.demand_ns) == (False, 7 * MS, 8 * MS)


def test_under_edf_own_jobs_are_not_released_closer_to_a_late_one(tmp_path: Path) -> None:
    # No job is before the job that is released 9 late, and the next job comes from 10 on.
    text = EDF.replace("5ms", "10ms").replace('"3ms"', '"9ms"').replace("run 2ms", "run 3ms")
    alone = text[: text.index("[task.low]")]
    assert responses(described(tmp_path, alone)) == {("high", "floor"): 12}
    # Before `low` ends, jobs of `high` are released at 0, which is late, and at 1.
    low = alone + '[task.low]\narrival = "periodic 20ms"\nbody = ["run 5ms"]\n'
    assert responses(described(tmp_path, low)) == {("high", "floor"): 12, ("low", "floor"): 11}


@pytest.mark.parametrize(("late", "is_said"), [("high", True), ("low", True), (None, False)])
def test_under_edf_a_note_says_from_when_deadlines_count(
    tmp_path: Path, late: str | None, is_said: bool
) -> None:
    text = EDF.replace('jitter = "3ms"\n', "")
    text = text.replace(f"[task.{late}]", f'[task.{late}]\njitter = "3ms"')
    notes = analyse(described(tmp_path, text)).notes
    said = "demand: a task is due after its release by its deadline less its jitter"
    assert (said in notes) == is_said


def test_under_edf_jitter_needs_some_time_left_over(tmp_path: Path) -> None:
    full = EDF.replace("run 3ms", "run 12ms")
    report = analyse(described(tmp_path, full))
    assert all(row.response_bound_ns is None for row in report.rows)
    assert any("the tasks ask for more time than there is" in note for note in report.notes)
    without = analyse(described(tmp_path, full.replace('"3ms"', '"0"')))
    assert all(row.response_bound_ns for row in without.rows)


def test_across_cpus_each_bound_contains_the_jitter(tmp_path: Path) -> None:
    late = responses(described(tmp_path, ACROSS))
    exact = responses(
        described(tmp_path, ACROSS.replace('jitter = "4ms"', "").replace('jitter = "5ms"', ""))
    )
    for protocol in ("mpcp", "msrp", "spin-priority"):
        for task, jitter_ms in (("high", 4), ("mid", 5)):
            assert (late[task, protocol] or 0) >= (exact[task, protocol] or 0) + jitter_ms
        assert (late["low", protocol] or 0) > (exact["low", protocol] or 0)


def test_the_verdict_without_bounds_asks_the_analysis(tmp_path: Path) -> None:
    text = TEXT.replace('"periodic 20ms"', '"periodic 20ms"\ndeadline = "6ms"')
    assert not keeps_deadlines(described(tmp_path, text), Protocol.CEILING)
    assert keeps_deadlines(described(tmp_path, text.replace('"3ms"', '"0"')), Protocol.CEILING)


@pytest.mark.parametrize("task", ["high", "low"])
@pytest.mark.parametrize("late", ["high", "low"])
def test_jitter_in_a_server_has_no_bound(tmp_path: Path, task: str, late: str) -> None:
    text = TEXT.replace('jitter = "3ms"\n', 'server = "S"\n')
    text = text.replace("[task.low]", '[task.low]\nserver = "S"') + SERVER
    text = text.replace(f"[task.{late}]", f'[task.{late}]\njitter = "3ms"')
    report = analyse(described(tmp_path, text))
    assert all(row.response_bound_ns is None for row in report.rows if row.task == task)
    assert any(
        f"{late}, in S, has release jitter, which is not analysed in servers" in n
        for n in report.notes
    )


def test_check_shows_jitter_where_there_is_some(tmp_path: Path) -> None:
    code, out, _ = command_on(tmp_path, TEXT, "check")
    assert code == 0
    assert "interval  jitter  deadline" in out
    assert "jitter" not in command_on(tmp_path, TEXT.replace('"3ms"', '"0"'), "check")[1]


def test_releases_are_late_by_up_to_the_jitter_and_in_order(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    arrivals = draw_arrivals(system, 1)
    releases = draw_releases(system, arrivals, 1)
    late = [r - a for a, r in zip(arrivals["high"], releases["high"], strict=True)]
    assert all(0 <= each <= 3 * MS for each in late)
    assert max(late) - min(late) > 2 * MS
    assert all(one < other for one, other in pairwise(releases["high"]))
    assert releases["low"] == arrivals["low"]
    assert draw_releases(system, arrivals, 2) != releases
    assert f"\narrivals {releases['high'][0]} " in plan_text(system, "none", releases)


def test_releases_keep_their_order_if_the_jitter_is_above_the_interval(tmp_path: Path) -> None:
    system = with_jitter(described(tmp_path, TEXT), high=14)
    arrivals = draw_arrivals(system, 1)
    releases = draw_releases(system, arrivals, 1)["high"]
    assert all(one < other for one, other in pairwise(releases))
    assert any(other - one == 1 for one, other in pairwise(releases))
    late = [r - a for a, r in zip(arrivals["high"], releases, strict=True)]
    assert all(0 <= each <= 14 * MS for each in late)


def test_responses_count_from_arrivals_and_latencies_from_releases() -> None:
    recorded = TaskTrace(
        name="T",
        arrivals_ns=[3, 10],
        voluntary_switches=None,
        involuntary_switches=None,
        minor_faults=None,
        major_faults=None,
        lock_calls=None,
        lost_gaps=0,
        events=[
            Event(time, kind, number, None)
            for time, kind, number in (
                (4, Kind.START, 0),
                (7, Kind.END, 0),
                (10, Kind.START, 1),
                (12, Kind.END, 1),
            )
        ],
    )
    trace = Trace(
        version=1,
        protocol="none",
        cut=None,
        kernel="",
        priority_limit_us=(None, None),
        backend=None,
        cpus=[],
        resources=[],
        tasks=[recorded],
        lock_calls_not_counted=None,
        spare_cpu_time_ns=None,
    )
    found = with_arrivals(trace, {"T": [1, 10]}, {"T": [3, 10]}).tasks[0]
    first, second = activations(found)
    assert (first.arrival_ns, first.release_ns, first.latency_ns, first.response_ns) == (1, 3, 1, 6)
    assert (second.arrival_ns, second.latency_ns, second.response_ns) == (10, 0, 2)
    assert with_arrivals(trace, {"T": [3, 10]}, {"T": [3, 10]}) == trace


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("run 2ms", "run 2ms", "release jitter of high"),
        ("run 3ms", "run 2ms..3ms", "a range in the body of low"),
    ],
)
def test_the_comparison_of_what_is_left_takes_neither(
    tmp_path: Path, old: str, new: str, what: str
) -> None:
    text = TEXT.replace(old, new)
    if "range" in what:
        text = text.replace('jitter = "3ms"', "")
    options = replace(OPTIONS, protocols=["none", "inherit"])
    with pytest.raises(ArgumentError, match=f"--spare-cpu: found {what}; expected run steps"):
        compare_spare(described(tmp_path, text), options, 40)


def random_text(number: int) -> str:
    """Return a description with jitter, ranges and a resource. It uses most of the processor."""
    draw = random.Random(number)
    lines = ['scheduler = "edf"'] if number % 2 else []
    for place, period in enumerate((4, 6, 10, 15)):
        longest = draw.randint(3, 8) * period // 4
        steps = [f"run {longest}00us..{longest}50us"]
        if place != 1:
            steps += ["lock R", f"run {draw.randint(1, 3)}00us..400us", "unlock R"]
        lines += [
            f"[task.T{place}]",
            f"priority = {10 - place}",
            f'arrival = "{draw.choice(("periodic", "sporadic"))} {period}ms"',
            f'jitter = "{draw.randint(1, 10 * period - 10) // (2 if number % 2 else 1)}00us"',
            f"body = {json.dumps(steps)}",
        ]
    return "\n".join([*lines, "[resource.R]", ""])


@pytest.mark.board
@pytest.mark.parametrize("number", range(4))
def test_no_response_from_its_arrival_exceeds_its_bound(tmp_path: Path, number: int) -> None:
    arguments = ["--on", "sim", "--activations", "300", "--format", "json", "--protocol"]
    protocol = "lazy-floor" if number % 2 else "lazy-ceiling"
    code, out, err = run(tmp_path, random_text(number), *arguments, protocol)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert {row["verdict"] for row in report["rows"]} == {"kept"}
    assert max(row["ratio"] for row in report["rows"]) > 0.7
    assert any("latencies from releases" in note for note in report["notes"])
