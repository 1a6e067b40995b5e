# SPDX-License-Identifier: MIT
"""Schedule tables in a description: their rules, and the generated C."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plafond.board.boards import board_of
from plafond.build.configuration import configuration_of
from plafond.build.generate import write_files
from plafond.build.locks import locks_of
from plafond.build.objects import units_of
from plafond.build.refuse import refuse_unfit
from plafond.cli import main
from plafond.describe import load
from plafond.describe.body import Activate, SetEvent
from plafond.describe.linux import needs_kernel
from plafond.describe.problems import DescriptionError
from plafond.describe.schedule_table import (
    ExpiryPoint,
    ScheduleTable,
    StartKind,
    TableStart,
    TableSync,
)
from plafond.describe.system import System

WHOLE = """
[kernel]
modes = ["RUN", "FIX"]
sources = ["tasks.c"]

[task.high]
priority = 9
events = ["GO", "STOP"]
[task.low]
priority = 3

[counter.C]
highest = 100
min_cycle = 2
tick = "1ms"
[counter.soft]

[schedule_table.A]
counter = "C"
duration = 50
repeating = true
autostart = "relative 10"
modes = ["FIX"]
points = [
    { at = 5, do = ["set high GO", "activate low"] },
    { at = 7, do = ["activate high"] },
]

[schedule_table.B]
counter = "soft"
duration = 0
autostart = "absolute 0"
points = [ { at = 0, do = ["set high STOP"] } ]
"""
# Has no C source, for a run.
RUNS = """
cpus = 2
[task.T]
priority = 2
body = ["run 100us"]
[task.V]
priority = 1
cpu = 1
body = ["run 100us"]
[counter.C]
tick = "1ms"
[schedule_table.S]
counter = "C"
duration = 10
repeating = true
autostart = "relative 2"
points = [
    { at = 1, do = ["activate T"] },
    { at = 4, do = ["activate T", "activate V"] },
]
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "some.toml"
    file.write_text(text)
    (folder / "tasks.c").touch()
    return file


def system_of(folder: Path, text: str) -> System:
    return load(write(folder, text))


def generated(folder: Path, text: str) -> dict[str, str]:
    """Return the generated files, with one space between words."""
    system, board = system_of(folder, text), board_of("sim")
    configuration = configuration_of(system, board, locks_of(system, board, None), None)
    write_files(system, configuration, units_of(system, configuration), folder)
    names = ("system.h", "system.c")
    return {name: " ".join((folder / name).read_text().split()) for name in names}


def test_a_whole_table(tmp_path: Path) -> None:
    system = system_of(tmp_path, WHOLE)
    first = ScheduleTable.made(
        "A",
        counter="C",
        duration=50,
        repeats=True,
        points=(
            ExpiryPoint.model_construct(at=5, signals=(SetEvent("high", "GO"), Activate("low"))),
            ExpiryPoint.model_construct(at=7, signals=(Activate("high"),)),
        ),
        autostart=TableStart(StartKind.RELATIVE, 10),
        modes=("FIX",),
    )
    second = ScheduleTable.made(
        "B",
        counter="soft",
        duration=0,
        points=(ExpiryPoint.model_construct(at=0, signals=(SetEvent("high", "STOP"),)),),
        autostart=TableStart(StartKind.ABSOLUTE, 0),
    )
    assert system.schedule_tables == (first, second)


def test_linux_has_none(tmp_path: Path) -> None:
    system = system_of(tmp_path, RUNS)
    alone = replace(system, tasks=(), counters=())
    assert needs_kernel(alone) == "the schedule table S"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("duration = 50", "duration = 9"),
        ("duration = 50", "duration = 107"),
        ("at = 5", "at = 2"),
        ("at = 7", "at = 48"),
        ('"relative 10"', '"relative 95"'),
        ('"absolute 0"', '"absolute 65535"'),
        ("repeating = true\n", ""),
    ],
)
def test_what_just_fits_is_taken(tmp_path: Path, old: str, new: str) -> None:
    assert old in WHOLE
    assert len(system_of(tmp_path, WHOLE.replace(old, new, 1)).schedule_tables) == 2


FOLLOWING = WHOLE.replace('"relative 10"', '"synchron"').replace(
    "repeating = true", 'repeating = true\nsync = "explicit"\nprecision = 3'
)
FOLLOWING = FOLLOWING.replace("at = 5", "at = 5, shorten = 30, lengthen = 52")
FOLLOWING = FOLLOWING.replace("at = 7", "at = 20, shorten = 13, lengthen = 85")


def test_a_table_that_follows_another_time(tmp_path: Path) -> None:
    table = system_of(tmp_path, FOLLOWING).schedule_tables[0]
    assert (table.sync, table.precision) == (TableSync.EXPLICIT, 3)
    assert table.autostart == TableStart(StartKind.SYNCHRON)
    assert [(point.shorten, point.lengthen) for point in table.points] == [(30, 52), (13, 85)]


def test_a_table_may_follow_its_counter(tmp_path: Path) -> None:
    text = WHOLE.replace("highest = 100", "highest = 49").replace("relative 10", "absolute 10")
    table = system_of(tmp_path, text.replace("repeating", 'sync = "implicit"\nrepeating'))
    assert table.schedule_tables[0].sync is TableSync.IMPLICIT


def test_what_the_kernel_gets_of_synchronisation(tmp_path: Path) -> None:
    assert "#define PLF_EXPLICIT_TABLES 0 " in generated(tmp_path, WHOLE)["system.h"]
    files = generated(tmp_path, FOLLOWING)
    assert "#define PLF_EXPLICIT_TABLES 1 " in files["system.h"]
    for expected in (
        "{ .offset = 5U, .signals = signals_A_0, .count = 2, .shorten = 30U, .lengthen = 52U },",
        ".repeats = true, .sync = PLF_SYNC_EXPLICIT, .precision = 3U, .modes = 2, "
        ".start_kind = PLF_STARTS_SYNCHRON, .start = 0U, }",
    ):
        assert expected in files["system.c"], expected


def test_a_table_activates_its_tasks(tmp_path: Path) -> None:
    system = system_of(tmp_path, RUNS)
    assert system.activators == {"T": "the schedule table S", "V": "the schedule table S"}


def test_a_name_may_stand_once_in_c(tmp_path: Path) -> None:
    system = system_of(tmp_path, WHOLE.replace("schedule_table.B", "schedule_table.low"))
    with pytest.raises(DescriptionError) as caught:
        refuse_unfit(system, board_of("sim"), locks_of(system, board_of("sim"), None))
    assert "schedule_table.low: found low; expected another name: there is a task low" in str(
        caught.value
    )


@pytest.mark.parametrize(("alarms", "is_too_much"), [(253, False), (254, True)])
def test_alarms_and_tables_are_numbered_together(
    tmp_path: Path, alarms: int, is_too_much: bool
) -> None:
    rows = "".join(
        f'x{index} = {{ counter = "C", action = "activate low" }}\n' for index in range(alarms)
    )
    system = system_of(tmp_path, WHOLE + "[alarm]\n" + rows)
    if not is_too_much:
        refuse_unfit(system, board_of("sim"), locks_of(system, board_of("sim"), None))
        return
    with pytest.raises(DescriptionError) as caught:
        refuse_unfit(system, board_of("sim"), locks_of(system, board_of("sim"), None))
    assert "schedule_table: found 256 alarms and schedule tables; expected at most 255" in str(
        caught.value
    )


def test_what_the_kernel_gets(tmp_path: Path) -> None:
    files = generated(tmp_path, WHOLE)
    assert "#define PLF_ALARMS 0 " in files["system.h"]
    assert "#define PLF_SCHEDULE_TABLES 2 " in files["system.h"]
    assert "enum { A, B };" in files["system.h"]
    for expected in (
        "[PLF_ALARMS + A] = { .counter = C, .action = PLF_ALARM_DRIVES, .object = A, },",
        "[PLF_ALARMS + B] = { .counter = soft, .action = PLF_ALARM_DRIVES, .object = B, },",
        "signals_A_0[] = { { .task = low }, { .task = high, .events = GO }, };",  # in this order
        "points_A[] = { { .offset = 5U, .signals = signals_A_0, .count = 2 }, { .offset = 7U, "
        ".signals = signals_A_1, .count = 1 }, };",
        "[A] = { .points = points_A, .count = 2, .duration = 50U, .repeats = true, .modes = 2, "
        ".start_kind = PLF_STARTS_RELATIVE, .start = 10U, }",
        "[B] = { .points = points_B, .count = 1, .duration = 0U, .modes = 3, "
        ".start_kind = PLF_STARTS_ABSOLUTE, .start = 0U, }",
    ):
        assert expected in files["system.c"], expected


def test_by_hardware_the_timer_is_as_urgent_as_the_tasks_of_tables(tmp_path: Path) -> None:
    text = 'scheduler = "hardware"\n' + WHOLE
    assert (
        "plf_timer_levels[PLF_CPUS][PLF_TIMERS] = { { 2, 3 },"
        in generated(tmp_path, text)["system.c"]
    )
    text = text.replace('"activate high"', '"activate low"').replace('"set high GO", ', "")
    text = text.replace('"set high STOP"', '"activate low"')
    assert (
        "plf_timer_levels[PLF_CPUS][PLF_TIMERS] = { { 1, 3 },"
        in generated(tmp_path, text)["system.c"]
    )


def ended(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr("sys.argv", ["plafond", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


def test_the_description_prints_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not ended(monkeypatch, "check", str(write(tmp_path, WHOLE)), "--toml")
    again = tmp_path / "again.toml"
    again.write_text(capsys.readouterr().out)
    assert load(again).schedule_tables == system_of(tmp_path, WHOLE).schedule_tables


def test_a_table_alone_makes_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    file = write(tmp_path, RUNS)
    options = ["--on", "sim", "--protocol", "uprio-nprio", "--activations", "3", "--out", str(out)]
    assert not ended(monkeypatch, "run", str(file), *options)
    trace = json.loads((out / "uprio-nprio.trace.json").read_text())
    at_ms = {
        task["name"]: [round(time_ns / 1_000_000) for time_ns in task["arrivals_ns"]]
        for task in trace["tasks"]
    }
    assert at_ms == {"T": [3, 6, 13, 16, 23, 26], "V": [6, 16, 26]}
