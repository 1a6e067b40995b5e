# SPDX-License-Identifier: MIT
"""The analysis against bounds worked out by hand (proof/analysis compares thousands)."""

from functools import partial
from pathlib import Path

import pytest
from descriptions import described

from plafond.analyse import analysis
from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport
from plafond.analyse.notes import NAMED
from plafond.analyse.overload import OverloadedError, refuse_overload
from plafond.analyse.window import Effort
from plafond.protocols import Protocol

CEILING, INHERIT, NONE = Protocol.CEILING, Protocol.INHERIT, Protocol.NONE
MS = 1_000_000

CARMINATI = (Path(__file__).parents[2] / "examples/carminati-2012-table-1.toml").read_text()


def bounds(report: AnalysisReport, task: str, protocol: Protocol) -> tuple[int | None, int | None]:
    """Return blocking and response in whole milliseconds, rounded down."""
    for row in report.rows:
        if (row.task, row.protocol) == (task, protocol):
            pair = (row.blocking_bound_ns, row.response_bound_ns)
            blocking, response = (None if ns is None else ns // MS for ns in pair)
            return blocking, response
    raise AssertionError(f"no row for {task}, {protocol}")


def test_carminati(tmp_path: Path) -> None:
    report = analyse(described(tmp_path, CARMINATI))

    assert bounds(report, "T0", CEILING) == (34, 51)
    assert bounds(report, "T0", INHERIT) == (51, 68)
    assert bounds(report, "T0", NONE) == (None, 68)
    assert all(row.schedulable for row in report.rows)


def test_ceiling_blocks_by_the_longest_section_once(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 3, arrival = "periodic 50ms", body = ["run 1ms"]}
    task.user = {priority = 4, arrival = "periodic 50ms", body = ["lock R", "run 1ms", "unlock R"]}
    task.mid = {priority = 2, arrival = "periodic 50ms", body = ["lock R", "run 5ms", "unlock R"]}
    task.low = {priority = 1, arrival = "periodic 50ms", body = ["lock R", "run 7ms", "unlock R"]}
    resource.R = {}
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "user", CEILING) == (7, 8)
    assert bounds(report, "high", CEILING) == (7, 9)
    assert bounds(report, "mid", CEILING) == (7, 14)
    assert bounds(report, "low", CEILING) == (0, 14)


def test_inheritance_blocks_once_for_a_request_also_pushed_through(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 3, arrival = "periodic 50ms", body = ["run 1ms"]}
    task.user = {priority = 4, arrival = "periodic 50ms", body = ["lock R", "run 1ms", "unlock R"]}
    task.mid = {priority = 2, arrival = "periodic 50ms", body = ["lock R", "run 5ms", "unlock R"]}
    task.low = {priority = 1, arrival = "periodic 50ms", body = ["lock R", "run 7ms", "unlock R"]}
    resource.R = {}
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "user", INHERIT) == (7, 8)
    assert bounds(report, "high", INHERIT) == (7, 9)
    assert bounds(report, "mid", INHERIT) == (7, 14)


def test_inheritance_is_transitive(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 3, arrival = "periodic 50ms", body = ["lock A", "run 1ms", "unlock A"]}
    resource.A = {}
    resource.B = {}
    [task.mid]
    priority = 2
    arrival = "periodic 50ms"
    body = ["lock A", "lock B", "run 2ms", "unlock B", "unlock A"]
    [task.low]
    priority = 1
    arrival = "periodic 50ms"
    body = ["lock B", "run 7ms", "unlock B"]
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "high", INHERIT) == (9, 10)
    assert bounds(report, "high", CEILING) == (2, 3)


def test_a_ceiling_given_higher_blocks_more(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 3, arrival = "periodic 50ms", body = ["run 1ms"]}
    task.low = {priority = 1, arrival = "periodic 50ms", body = ["lock R", "run 7ms", "unlock R"]}
    resource.R = {ceiling = 3}
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "high", CEILING) == (7, 8)
    assert bounds(report, "high", INHERIT) == (0, 1)


def test_a_section_may_block_after_every_sleep(tmp_path: Path) -> None:
    text = """
    resource.R = {ceiling = 9}
    task.mid = {priority = 2, arrival = "periodic 50ms", body = ["run 2ms"]}
    task.low = {priority = 1, arrival = "periodic 50ms", body = ["lock R", "run 4ms", "unlock R"]}
    [task.high]
    priority = 3
    arrival = "periodic 50ms"
    body = ["run 1ms", "sleep 3ms", "run 1ms"]
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "high", CEILING) == (8, 13)
    assert bounds(report, "mid", CEILING) == (8, 15)


def test_a_section_may_block_after_the_sleeps_of_two_others(tmp_path: Path) -> None:
    text = """
    resource.R = {ceiling = 9}
    task.low = {priority = 1, arrival = "periodic 50ms", body = ["lock R", "run 4ms", "unlock R"]}
    task.mid = {priority = 2, arrival = "periodic 90ms", body = ["run 2ms"]}
    [task.high]
    priority = 4
    arrival = "periodic 90ms"
    body = ["run 1ms", "sleep 3ms", "run 1ms"]
    [task.other]
    priority = 3
    arrival = "periodic 90ms"
    body = ["run 1ms", "sleep 1ms", "run 1ms", "sleep 2ms"]
    """
    report = analyse(described(tmp_path, text))

    # The section blocks once at the start, and once after each of the three sleeps of both.
    assert bounds(report, "mid", CEILING) == (4 * (1 + 1 + 2), 16 + 2 + 5 + 5)
    assert bounds(report, "other", CEILING) == (4 * (1 + 1 + 2), 16 + 5 + 5)


def test_equal_priorities_delay_each_other(tmp_path: Path) -> None:
    text = """
    task.one = {priority = 3, arrival = "periodic 50ms", body = ["run 1ms"]}
    task.other = {priority = 3, arrival = "periodic 50ms", body = ["run 7ms"]}
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "one", CEILING) == bounds(report, "other", CEILING) == (0, 8)
    assert any("equal priority" in note for note in report.notes)


def test_all_jobs_of_the_busy_period_count(tmp_path: Path) -> None:
    # Lehoczky 1990: the first job takes 114, the third 118.
    text = """
    task.high = {priority = 2, arrival = "periodic 70ms", body = ["run 26ms"]}
    [task.low]
    priority = 1
    arrival = "periodic 100ms"
    deadline = "120ms"
    body = ["run 62ms"]
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "low", CEILING) == (0, 118)
    assert all(row.schedulable for row in report.rows if row.protocol is CEILING)


def test_cpus_do_not_delay_each_other(tmp_path: Path) -> None:
    text = """
    cpus = 2
    task.one = {priority = 3, arrival = "periodic 50ms", body = ["run 40ms"]}
    task.other = {priority = 2, cpu = 1, arrival = "periodic 50ms", body = ["run 40ms"]}
    """
    report = analyse(described(tmp_path, text))

    assert all(row.response_bound_ns == 40 * MS for row in report.rows)


OVERLOADED = """
cpus = 2
task.high = {priority = 3, cpu = 1, arrival = "periodic 10ms", body = ["run 6ms"]}
task.low = {priority = 2, cpu = 1, arrival = "periodic 20ms", body = ["run 9ms"]}
task.alone = {priority = 1, arrival = "periodic 20ms", body = ["run 8ms"]}
"""


def test_overload_names_the_cpu_and_the_share_of_each_task(tmp_path: Path) -> None:
    once = 'task.once = {priority = 1, cpu = 1, autostart = true, body = ["run 1ms"]}\n'
    with pytest.raises(OverloadedError) as caught:
        refuse_overload(described(tmp_path, OVERLOADED + once))

    reported = str(caught.value)
    assert "CPU 1" in reported
    assert "100%" in reported
    assert "high 0.6 (6ms every 10ms), low 0.45 (9ms every 20ms)" in reported
    assert "alone" not in reported
    assert "once" not in reported


def test_overload_names_the_task_that_asks_for_most_first(tmp_path: Path) -> None:
    text = OVERLOADED.replace("run 6ms", "run 2ms").replace("run 9ms", "run 18ms", 1)
    with pytest.raises(OverloadedError, match=r"low 0.9 \(18ms every 20ms\), high 0.2 \(2ms every"):
        refuse_overload(described(tmp_path, text))


@pytest.mark.parametrize(("count", "more"), [(10, ""), (11, ", 1 more"), (12, ", 2 more")])
def test_overload_names_ten_tasks_and_counts_the_others(
    tmp_path: Path, count: int, more: str
) -> None:
    text = "".join(
        f'task.t{number} = {{priority = 1, arrival = "periodic 50ms", body = ["run 10ms"]}}\n'
        for number in range(10, 10 + count)
    )
    with pytest.raises(OverloadedError) as caught:
        refuse_overload(described(tmp_path, text))

    named = ", ".join(f"t{number} 0.2 (10ms every 50ms)" for number in range(10, 20))
    assert str(caught.value).endswith(f"at most 100%: {named}{more}")


def test_overload_leaves_what_still_has_a_bound(tmp_path: Path) -> None:
    report = analyse(described(tmp_path, OVERLOADED))

    assert bounds(report, "high", CEILING) == (0, 6)
    assert bounds(report, "low", CEILING) == (None, None)
    assert bounds(report, "high", NONE) == (None, None)
    assert bounds(report, "alone", NONE) == (None, 8)
    assert "CPU 1 is overloaded" in report.notes


def test_tasks_that_never_sleep_are_not_said_to(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 2, arrival = "periodic 10ms", body = ["run 5ms"]}
    task.low = {priority = 1, arrival = "periodic 10ms", body = ["run 6ms"]}
    """
    report = analyse(described(tmp_path, text), [CEILING])

    assert [note for note in report.notes if "no bound" in note] == [
        "ceiling: no bound for low: demand leaves no time over"
    ]


FULL = """
task.a = {priority = 3, arrival = "sporadic 4ms", body = ["run 2ms"]}
task.b = {priority = 2, arrival = "sporadic 8ms", body = ["run 2ms"]}
task.c = {priority = 1, arrival = "sporadic 16ms", body = ["run 4ms"]}
"""


def test_tasks_may_ask_for_all_of_the_time(tmp_path: Path) -> None:
    report = analyse(described(tmp_path, FULL))

    found = {task: bounds(report, task, CEILING)[1] for task in "abc"}
    assert found == {"a": 2, "b": 4, "c": 16}
    assert [bounds(report, task, NONE)[1] for task in "abc"] == [16, 16, 16]
    refuse_overload(described(tmp_path, FULL))


def test_sleeps_may_fill_the_time_of_a_level(tmp_path: Path) -> None:
    text = """
    task.t1 = {priority = 3, arrival = "sporadic 2ms", body = ["run 1ms"]}
    task.t2 = {priority = 2, arrival = "sporadic 20ms", body = ["run 5ms", "sleep 5ms"]}
    task.t3 = {priority = 1, arrival = "sporadic 20ms", body = ["run 1ms"]}
    """
    report = analyse(described(tmp_path, text), [CEILING])

    assert bounds(report, "t2", CEILING)[1] == 20
    assert bounds(report, "t3", CEILING)[1] is None


def test_a_section_delays_a_full_processor_for_ever(tmp_path: Path) -> None:
    """The window of `low` never ends, because it begins 1 ms late and the jobs take all of the
    time."""
    text = """
    task.high = {priority = 3, arrival = "periodic 4ms", body = ["run 2ms"]}
    task.low = {priority = 2, arrival = "periodic 6ms", deadline = "20ms", body = ["run 3ms"]}
    task.once = {priority = 1, arrival = "periodic 1s", body = ["lock R", "run 1ms", "unlock R"]}
    resource.R = {ceiling = 2}
    """
    report = analyse(described(tmp_path, text), [CEILING, NONE])

    assert bounds(report, "high", CEILING) == (0, 2)
    assert bounds(report, "low", CEILING) == (1, 9)  # the second of two jobs
    assert bounds(report, "once", CEILING) == (None, None)
    assert bounds(report, "low", NONE) == (None, None)


def test_the_only_job_of_a_hyperperiod_has_a_bound(tmp_path: Path) -> None:
    """Both tasks have the same interval, so all responses of `low` are equal."""
    text = """
    task.high = {priority = 3, arrival = "periodic 6ms", body = ["run 1ms"]}
    task.low = {priority = 2, arrival = "periodic 6ms", deadline = "20ms", body = ["run 5ms"]}
    task.once = {priority = 1, arrival = "periodic 1s", body = ["lock R", "run 1ms", "unlock R"]}
    resource.R = {ceiling = 2}
    """
    report = analyse(described(tmp_path, text), [CEILING])

    assert bounds(report, "low", CEILING) == (1, 8)


def test_sleeps_that_leave_no_time(tmp_path: Path) -> None:
    text = """
    task.high = {priority = 2, arrival = "periodic 10ms", body = ["run 2ms", "sleep 9ms"]}
    task.low = {priority = 1, arrival = "periodic 10ms", body = ["run 1ms"]}
    """
    report = analyse(described(tmp_path, text))

    assert {row.schedulable for row in report.rows} == {None}
    assert any("no bound for high, low" in note and "sleeps" in note for note in report.notes)


def test_a_deadlock_takes_the_bounds_where_it_is_possible(tmp_path: Path) -> None:
    text = """
    cpus = 2
    resource.A = {}
    resource.B = {}
    [task.one]
    priority = 2
    arrival = "periodic 50ms"
    body = ["lock A", "run 1ms", "lock B", "run 1ms", "unlock B", "unlock A"]
    [task.other]
    priority = 1
    arrival = "periodic 50ms"
    body = ["lock B", "run 1ms", "lock A", "run 1ms", "unlock A", "unlock B"]
    [task.elsewhere]
    priority = 1
    cpu = 1
    arrival = "periodic 50ms"
    body = ["run 1ms"]
    """
    report = analyse(described(tmp_path, text))

    assert bounds(report, "one", CEILING) == (2, 4)
    assert bounds(report, "one", INHERIT) == bounds(report, "other", NONE) == (None, None)
    assert bounds(report, "elsewhere", INHERIT) == (0, 1)
    assert any("one holds A and wants B; other holds B and wants A" in n for n in report.notes)


def test_a_busy_period_too_long_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "Effort", partial(Effort, row=20_000))
    text = """
    task.high = {priority = 2, arrival = "periodic 1h", body = ["run 1800s"]}
    task.low = {priority = 1, arrival = "periodic 3ns", body = ["run 1ns"]}
    """
    report = analyse(described(tmp_path, text.replace("1h", "3600s")))

    assert bounds(report, "high", CEILING) == (0, 1_800_000)
    assert bounds(report, "low", CEILING) == (None, None)
    assert any("no bound for low: busy period too long" in note for note in report.notes)


@pytest.mark.parametrize("rank", ["priority = 1", 'deadline = "1ns"'])
def test_a_job_of_a_nanosecond_takes_no_longer(tmp_path: Path, rank: str) -> None:
    scheduler = "edf" if "deadline" in rank else "priority"
    text = f"""
    scheduler = "{scheduler}"
    task.short = {{{rank}, arrival = "periodic 3ns", body = ["run 1ns"]}}
    """
    report = analyse(described(tmp_path, text))

    assert {row.response_bound_ns for row in report.rows} == {1}
    assert all(row.schedulable for row in report.rows)


@pytest.mark.parametrize(("more", "end"), [(0, "t{last}"), (1, "t{last}, 1 more")])
def test_a_note_names_so_many_tasks(tmp_path: Path, more: int, end: str) -> None:
    """All tasks are below a task that has no arrival."""
    tasks = "".join(
        f'task.t{index} = {{priority = 1, arrival = "periodic 90ms", body = ["run 1us"]}}\n'
        for index in range(NAMED + more - 1)
    )
    first = 'task.first = {priority = 2, autostart = true, body = ["run 1us"]}\n'
    notes = analyse(described(tmp_path, first + tasks), [CEILING]).notes
    names = end.format(last=NAMED - 2)
    assert any(f", {names}: first has no arrival of its own" in note for note in notes)


def test_rows_stand_by_task_then_as_asked(tmp_path: Path) -> None:
    report = analyse(described(tmp_path, CARMINATI), (NONE, CEILING, NONE))

    assert [(row.task, row.protocol) for row in report.rows] == [
        (task, protocol) for task in ("T0", "T1", "T2") for protocol in (NONE, CEILING)
    ]
