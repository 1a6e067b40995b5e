# SPDX-License-Identifier: MIT
"""Bounds of tasks that only an alarm or a schedule table activates."""

from pathlib import Path

import pytest

from plafond.analyse.analysis import analyse
from plafond.describe import load
from plafond.describe.arrival import Interval
from plafond.describe.system import System
from plafond.describe.timed import timed_of, with_timed
from plafond.protocols import Protocol

TWO = """
[task.high]
priority = 30
{high}
body = ["run 1ms"]
[task.low]
priority = 10
arrival = "periodic 50ms"
body = ["run 3ms"{steps}]
[counter.clock]
tick = "2ms"
[counter.calls]
{tables}
"""
ALARM = '[alarm.A]\ncounter = "clock"\naction = "activate high"\nautostart = [3, 5]\n'
TABLE = """
[schedule_table.S]
counter = "clock"
duration = 20
repeating = true
autostart = "relative 1"
points = [
  {{ at = 0, do = ["activate high"] }},
  {{ at = {middle}, do = [{signals}] }},
  {{ at = 11, do = ["activate high"] }},
]
"""


def system_of(folder: Path, tables: str = ALARM, high: str = "", steps: str = "") -> System:
    file = folder / "some.toml"
    file.write_text(TWO.format(tables=tables, high=high, steps=steps))
    return load(file)


def table(middle: int = 4, signals: str = '"activate high"') -> str:
    return TABLE.format(middle=middle, signals=signals)


def responses(system: System) -> dict[str, int | None]:
    rows = analyse(system, [Protocol.CEILING]).rows
    return {row.task: row.response_bound_ns for row in rows}


def test_an_alarm_is_an_arrival(tmp_path: Path) -> None:
    system = system_of(tmp_path)
    assert with_timed(system).tasks[0].interval == Interval(10_000_000, 10_000_000)
    assert responses(system) == {"high": 1_000_000, "low": 4_000_000}
    report = analyse(system, [Protocol.CEILING])
    assert "high: the alarm A activates it, 10ms apart or more" in report.notes
    assert [row.deadline_ns for row in report.rows] == [10_000_000, 50_000_000]


def test_the_bounds_are_those_of_the_same_arrivals(tmp_path: Path) -> None:
    by_alarm = responses(system_of(tmp_path))
    given = 'arrival = "sporadic 10ms"'
    assert by_alarm == responses(system_of(tmp_path, tables="", high=given))


def test_a_table_counts_with_its_shortest_distance(tmp_path: Path) -> None:
    """The points are 4, 7 and 9 ticks before the next, of 2 ms each."""
    system = system_of(tmp_path, tables=table())
    assert with_timed(system).tasks[0].interval == Interval(8_000_000, 18_000_000)
    note = "high: the schedule table S activates it, 8ms apart or more"
    assert note in analyse(system, [Protocol.CEILING]).notes


def test_the_distance_to_the_next_round_counts(tmp_path: Path) -> None:
    tables = table(middle=10, signals='"activate low"').replace("at = 11", "at = 19")
    system = system_of(tmp_path, tables=tables)
    assert with_timed(system).tasks[0].interval == Interval(2_000_000, 38_000_000)


def test_a_signal_to_another_task_stays(tmp_path: Path) -> None:
    """The table still activates the other task besides its arrivals."""
    system = system_of(tmp_path, tables=table(signals='"activate low"'))
    assert responses(system) == {"high": 1_000_000, "low": None}
    (rest,) = with_timed(system).schedule_tables
    assert [str(signal) for signal in rest.signals] == ["activate low"]


@pytest.mark.parametrize(
    ("tables", "high", "steps", "why"),
    [
        (ALARM.replace("[3, 5]", "[3, 0]"), "", "", "the alarm A activates high, and it has no cy"),
        (
            ALARM.replace("autostart = [3, 5]", ""),
            "",
            "",
            "activates high, and it has no autostart",
        ),
        (ALARM.replace('"clock"', '"calls"'), "", "", "and calls counts calls"),
        (ALARM, "autostart = true", "", "high has no arrival of its own"),
        (ALARM, "", ', "activate high"', "high has no arrival of its own"),
        (ALARM, "", ', "chain high"', "high has no arrival of its own"),
        (ALARM + ALARM.replace("alarm.A", "alarm.B"), "", "", "high has no arrival of its own"),
        (ALARM + table(), "", "", "high has no arrival of its own"),
        (table().replace("repeating = true", ""), "", "", "and it does not repeat"),
        (table().replace('autostart = "relative 1"', ""), "", "", "and it has no autostart"),
        (table().replace('"clock"', '"calls"'), "", "", "and calls counts calls"),
        (
            table(signals='"activate high", "activate high"'),
            "",
            "",
            "the schedule table S activates high, and it activates high twice at once",
        ),
        (
            table().replace("duration", 'sync = "explicit"\nduration'),
            "",
            "",
            "and SyncScheduleTable() moves its points",
        ),
    ],
)
def test_unknown_distances_are_no_arrivals(
    tmp_path: Path, tables: str, high: str, steps: str, why: str
) -> None:
    system = system_of(tmp_path, tables=tables, high=high, steps=steps)
    assert responses(system)["high"] is None
    assert any(why in note for note in analyse(system, [Protocol.CEILING]).notes)
    assert with_timed(system) is system


def test_a_task_with_arrivals_and_an_alarm_keeps_both(tmp_path: Path) -> None:
    system = system_of(tmp_path, high='arrival = "periodic 40ms"')
    assert timed_of(system, system.tasks[0]) is None
    assert responses(system)["high"] is None


def test_an_alarm_of_another_core_counts(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(
        "cpus = 2\n" + TWO.format(tables=ALARM, high="cpu = 1", steps="")
    )
    system = load(tmp_path / "two.toml")
    assert responses(system) == {"high": 1_000_000, "low": 3_000_000}


@pytest.mark.parametrize(
    "call", ["SetRelAlarm(A, 1, 5)", "SetAbsAlarm(A, 1, 5)", "StopScheduleTable(S)"]
)
def test_c_files_may_change_alarms_and_tables(tmp_path: Path, call: str) -> None:
    (tmp_path / "some.c").write_text("void quiet(void) { }")
    system = system_of(tmp_path, tables=ALARM + '[kernel]\nsources = ["some.c"]\n')
    assert responses(system) == {"high": 1_000_000, "low": 4_000_000}
    (tmp_path / "some.c").write_text(f"void change(void) {{ {call}; }}")
    assert responses(system) == {"high": None, "low": None}
