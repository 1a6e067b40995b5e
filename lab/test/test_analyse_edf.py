# SPDX-License-Identifier: MIT
"""The analysis under EDF against bounds worked out by hand (proof/analysis compares thousands)."""

import json
from functools import partial
from pathlib import Path

import pytest
import typer
from descriptions import described
from typer.testing import CliRunner, Result

from plafond.analyse import analysis
from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport
from plafond.analyse.overload import OverloadedError, refuse_overload
from plafond.analyse.window import Effort
from plafond.analyse.workload import Sporadic
from plafond.commands.analyse import analyse as command
from plafond.describe import load
from plafond.errors import ArgumentError
from plafond.protocols import Protocol

MS = 1_000_000

THREE = """
scheduler = "edf"
resource.R = {}
resource.S = {}
[task.short]
arrival = "periodic 10ms"
body = ["run 1ms", "lock R", "run 1ms", "unlock R"]
[task.middle]
arrival = "periodic 20ms"
body = ["run 1ms", "lock R", "run 3ms", "unlock R"]
[task.long]
arrival = "periodic 50ms"
body = ["lock S", "run 6ms", "unlock S"]
"""


def analysed(folder: Path, text: str) -> AnalysisReport:
    file = folder / "system.toml"
    file.write_text(text)
    return analyse(load(file))


def bounds(report: AnalysisReport) -> dict[str, tuple[int | None, int | None]]:
    """Return blocking and response of each task in milliseconds."""
    return {
        row.task: (
            row.blocking_bound_ns and row.blocking_bound_ns // MS,
            row.response_bound_ns and row.response_bound_ns // MS,
        )
        for row in report.rows
    }


def test_a_section_blocks_tasks_that_are_due_from_its_floor_on(tmp_path: Path) -> None:
    report = analysed(tmp_path, THREE)

    assert bounds(report) == {"short": (3, 5), "middle": (0, 6), "long": (0, 14)}
    assert all(row.schedulable and row.protocol is Protocol.FLOOR for row in report.rows)
    (cpu,) = report.demand
    assert (cpu.schedulable, cpu.busy_period_ns) == (True, 14 * MS)


def test_a_given_floor_blocks_more(tmp_path: Path) -> None:
    report = analysed(tmp_path, THREE.replace("resource.S = {}", 'resource.S = {floor = "9ms"}'))

    assert bounds(report) == {"short": (6, 8), "middle": (6, 14), "long": (0, 14)}


def test_of_nested_sections_the_part_with_the_floor_blocks(tmp_path: Path) -> None:
    nested = '"lock S", "run 6ms", "lock R", "run 4ms", "unlock R", "run 1ms", "unlock S"'
    report = analysed(tmp_path, THREE.replace('"lock S", "run 6ms", "unlock S"', nested))

    assert bounds(report)["short"] == (4, 6)
    assert bounds(report)["middle"] == (4, 10)


def test_no_more_of_a_response_is_blocking_than_it_leaves(tmp_path: Path) -> None:
    text = """
    scheduler = "edf"
    resource.R = {}
    task.above = {arrival = "periodic 90ms", deadline = "10ms", body = ["run 3ms"]}
    [task.user]
    arrival = "periodic 90ms"
    deadline = "25ms"
    body = ["lock R", "run 4ms", "unlock R"]
    [task.holder]
    arrival = "periodic 90ms"
    body = ["lock R", "run 15ms", "unlock R"]
    """
    report = analysed(tmp_path, text)

    # The worst arrival of `above` is 15 ms after `user`, because both are due together then. The
    # section of 15 ms just ends.
    assert bounds(report) == {"above": (4, 7), "user": (15, 22), "holder": (0, 22)}


def test_the_shortest_window_that_fails_is_reported(tmp_path: Path) -> None:
    report = analysed(tmp_path, THREE.replace("run 3ms", "run 9ms"))

    assert bounds(report)["short"] == (9, 11)
    assert [row.schedulable for row in report.rows] == [False, True, True]
    (cpu,) = report.demand
    assert not cpu.schedulable
    assert (cpu.window_ns, cpu.demand_ns, cpu.blocking_ns) == (10 * MS, 2 * MS, 9 * MS)


def test_all_of_the_time_can_be_asked_for(tmp_path: Path) -> None:
    text = """
    scheduler = "edf"
    task.short = {arrival = "periodic 10ms", body = ["run 5ms"]}
    task.long = {arrival = "periodic 20ms", body = ["run 10ms"]}
    """
    report = analysed(tmp_path, text)

    assert bounds(report) == {"short": (0, 10), "long": (0, 20)}
    assert all(row.schedulable for row in report.rows)
    assert report.demand[0].busy_period_ns == 20 * MS
    assert any("all of its time" in note for note in report.notes)


def test_each_of_three_equal_tasks_waits_for_both_others(tmp_path: Path) -> None:
    """A response equal to the deadline keeps it, and a longer response does not."""
    tasks = "".join(
        f'task.{name} = {{arrival = "periodic 10ms", deadline = "9ms", body = ["run 3ms"]}}\n'
        for name in "abc"
    )
    text = f'scheduler = "edf"\n{tasks}'
    for run, response_ms, is_kept in (("run 3ms", 9, True), ("run 4ms", 10, False)):
        report = analysed(tmp_path, text.replace("run 3ms", run, 1))
        assert {*bounds(report).values()} == {(0, response_ms)}
        assert {row.schedulable for row in report.rows} == {is_kept}
        assert report.demand[0].schedulable == is_kept


def test_each_cpu_has_its_own_demand(tmp_path: Path) -> None:
    text = """
    scheduler = "edf"
    cpus = 2
    task.a = {arrival = "periodic 10ms", body = ["run 5ms"]}
    task.b = {cpu = 1, arrival = "periodic 20ms", body = ["run 5ms"]}"""
    report = analysed(tmp_path, text)
    assert [(row.cpu, row.utilisation) for row in report.demand] == [(0, 0.5), (1, 0.25)]


def test_deadlines_behind_periods(tmp_path: Path) -> None:
    text = """
    scheduler = "edf"
    task.short = {arrival = "periodic 10ms", deadline = "15ms", body = ["run 6ms"]}
    task.long = {arrival = "periodic 24ms", deadline = "12ms", body = ["run 8ms"]}
    """
    report = analysed(tmp_path, text)

    # The worst arrival of `long` is 3 ms after `short`, because both are due together then: 6 + 8 -
    # 3. `short` waits for `long`: 8 + 6.
    assert bounds(report) == {"long": (0, 11), "short": (0, 14)}


OVERLOADED = """
scheduler = "edf"
cpus = 2
task.short = {arrival = "periodic 10ms", body = ["run 5ms"]}
task.long = {arrival = "periodic 20ms", body = ["run 11ms"]}
task.alone = {cpu = 1, arrival = "periodic 20ms", body = ["run 8ms"]}
"""


def test_more_than_all_of_the_time_is_overload(tmp_path: Path) -> None:
    report = analysed(tmp_path, OVERLOADED)

    assert bounds(report) == {"short": (None, None), "long": (None, None), "alone": (0, 8)}
    assert "CPU 0 is overloaded" in report.notes
    assert [cpu.cpu for cpu in report.demand] == [1]
    with pytest.raises(OverloadedError, match=r"105\.0000% of its time, expected at most 100%"):
        refuse_overload(load(tmp_path / "system.toml"))
    text = 'scheduler = "edf"\ntask.t = {arrival = "periodic 999999us", body = ["run 1s"]}'
    with pytest.raises(OverloadedError, match=r"for 100\.0001% of its time, expected at most 100%"):
        refuse_overload(described(tmp_path, text))
    text = text.replace("999999us", "999999999ns")
    with pytest.raises(OverloadedError, match=r"for 100\.0000001% of its time, expected at most"):
        refuse_overload(described(tmp_path, text))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('arrival = "periodic 90ms"\nbody = ["run 1ms", "sleep 1ms"]', "extra sleeps"),
        ('autostart = true\ndeadline = "90ms"\nbody = ["run 1ms"]', "no arrival of its own"),
        (
            'arrival = "periodic 90ms"\nevents = ["E"]\nbody = ["wait E", "clear E"]',
            "extra waits for events",
        ),
        (
            'arrival = "periodic 90ms"\nbody = ["lock A", "lock B", "lock C", "lock D", "run 1ms", '
            '"unlock D", "unlock C", "unlock B", "unlock A"]\n'
            '[resource.A]\nfloor = "40ms"\n[resource.B]\nfloor = "30ms"\n'
            '[resource.C]\nfloor = "20ms"\n[resource.D]\nfloor = "9ms"',
            "extra nests 4 falling floors",
        ),
    ],
)
def test_what_is_not_covered_leaves_no_task_a_bound(tmp_path: Path, more: str, why: str) -> None:
    report = analysed(tmp_path, f"{THREE}\n[task.extra]\n{more}")

    assert {row.response_bound_ns for row in report.rows} == {None}
    assert {row.schedulable for row in report.rows} == {None}
    assert report.demand == ()
    assert any(why in note for note in report.notes)


@pytest.mark.parametrize(("last", "has_bounds"), [("20ms", True), ("19ms", False)])
def test_three_falling_floors_are_kept_apart_and_equal_ones_count_once(
    tmp_path: Path, last: str, has_bounds: bool
) -> None:
    locks = [f'"lock {name}"' for name in "ABCD"]
    unlocks = [f'"unlock {name}"' for name in "DCBA"]
    body = ", ".join([*locks, '"run 1ms"', *unlocks])
    floors = zip("ABCD", ("40ms", "30ms", "20ms", last), strict=True)
    tables = "".join(f'[resource.{name}]\nfloor = "{floor}"\n' for name, floor in floors)
    text = f'scheduler = "edf"\n[task.t]\narrival = "periodic 90ms"\nbody = [{body}]\n{tables}'

    (row,) = analysed(tmp_path, text).rows
    assert (row.response_bound_ns is not None) == has_bounds


def test_the_first_job_is_due_at_its_deadline_however_late_it_may_be_released() -> None:
    """With a jitter of 3 the second job is due 7 later."""
    jobs = Sporadic(interval_ns=10, deadline_ns=6, cost_ns=2, jitter_ns=3)

    assert [jobs.last_due_ns(before) for before in (6, 7, 13, 14, 23, 24)] == [
        None, 6, 6, 13, 13, 23,
    ]  # fmt: skip


def test_the_verdict_does_not_need_the_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "Effort", partial(Effort, row=20_000))
    text = """
    scheduler = "edf"
    task.short = {arrival = "periodic 3ns", body = ["run 1ns"]}
    task.long = {arrival = "periodic 3600s", body = ["run 1800s"]}
    """
    report = analysed(tmp_path, text)

    assert {row.response_bound_ns for row in report.rows} == {None}
    assert all(row.schedulable for row in report.rows)
    assert any("busy period too long" in note for note in report.notes)


def test_a_processor_that_is_away_delays_all_tasks(tmp_path: Path) -> None:
    analysed(tmp_path, THREE)
    rows = analyse(load(tmp_path / "system.toml"), away_ns=2 * MS).rows

    assert [(row.response_bound_ns or 0) // MS for row in rows] == [7, 8, 16]


def test_each_scheduler_has_its_protocols(tmp_path: Path) -> None:
    analysed(tmp_path, THREE)

    with pytest.raises(ArgumentError, match="found ceiling; expected floor"):
        analyse(load(tmp_path / "system.toml"), [Protocol.CEILING])


def run(folder: Path, *arguments: str) -> Result:
    file = folder / "system.toml"
    file.write_text(THREE.replace("run 3ms", "run 9ms"))
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(file), *arguments])


def test_json_has_the_demand(tmp_path: Path) -> None:
    report = json.loads(run(tmp_path, "--format", "json").stdout)

    assert report["rows"][0] == {
        "task": "short",
        "protocol": "floor",
        "blocking_bound_ns": 9_000_000,
        "response_bound_ns": 11_000_000,
        "deadline_ns": 10_000_000,
        "schedulable": False,
        "no_bound_yet": None,
    }
    assert report["demand"] == [
        {
            "cpu": 0,
            "utilisation": 0.82,
            "busy_period_ns": 20_000_000,
            "schedulable": False,
            "window_ns": 10_000_000,
            "demand_ns": 2_000_000,
            "blocking_ns": 9_000_000,
        }
    ]


def test_the_table_shows_both_verdicts(tmp_path: Path) -> None:
    result = run(tmp_path, "--protocol", "floor")

    lines = [line.split() for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert ["short", "floor", "9ms", "11ms", "10ms", "late"] in lines
    assert ["0", "82.0%", "20ms", "late", "10ms", "2ms", "9ms"] in lines


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (("--protocol", "ceiling"), "found 'ceiling'; expected some of floor"),
        (("--overheads", "linux"), "which only Plafond's own kernel has"),
    ],
)
def test_what_belongs_to_fixed_priorities_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], reported: str
) -> None:
    result = run(tmp_path, *arguments)

    assert isinstance(result.exception, ArgumentError)
    assert reported in str(result.exception)
