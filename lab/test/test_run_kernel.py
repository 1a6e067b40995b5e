# SPDX-License-Identifier: MIT
"""`plafond run --on sim|a53`: the report as for threads, and errors."""

import json
import os
import signal
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from forked import Forked
from kernel_runs import PROTOCOLS, PROTOCOLS_EDF
from patience import until

from plafond.cli import main

pytestmark = pytest.mark.board

TEXT = """
[task.high]
priority = 20
arrival = "periodic 5ms"
offset = "1ms"
activations = 10
body = ["lock R", "run 1ms", "unlock R"]
[task.low]
priority = 10
arrival = "random 6ms 9ms"
pending = "skip"
body = ["run 100us", "lock R", "run 1ms", "unlock R"]
[resource.R]
"""
EVENTS = """
[task.sensor]
priority = 30
arrival = "periodic 10ms"
activations = 5
body = ["run 500us", "set filter SAMPLE"]
[task.filter]
priority = 20
autostart = true
events = ["SAMPLE"]
body = ["wait SAMPLE", "clear SAMPLE", "run 1ms", "activate output", "chain filter"]
[task.output]
priority = 25
body = ["run 2ms"]
"""
ALARM = """
[counter.tick]
highest = 1000
ticks_per_base = 1
min_cycle = 1
tick = "1ms"
[alarm.every]
counter = "tick"
action = "activate cyclic"
autostart = [5, 10]
[task.cyclic]
priority = 2
body = ["run 2ms"]
"""
TIMED = """
[task.high]
priority = 30
body = ["lock R", "run 1ms", "unlock R"]
[task.low]
priority = 10
body = ["run 1ms", "lock R", "run 3ms", "unlock R"]
[resource.R]
[counter.tick]
tick = "1ms"
[schedule_table.S]
counter = "tick"
duration = 10
repeating = true
autostart = "relative 2"
points = [{ at = 0, do = ["activate high"] }, { at = 4, do = ["activate high"] }]
[alarm.A]
counter = "tick"
action = "activate low"
autostart = [2, 20]
"""
UNDER_EDF = """
scheduler = "edf"
[task.slow]
deadline = "9ms"
arrival = "random 10ms 14ms"
activations = 30
body = ["run 500us", "lock R", "run 1ms", "unlock R"]
[task.quick]
arrival = "random 4ms 6ms"
body = ["run 1ms", "lock R", "run 100us", "unlock R"]
[task.middle]
arrival = "sporadic 8ms"
body = ["run 2ms"]
[resource.R]
"""
EQUALS = """
[task.one]
priority = 9
arrival = "periodic 20ms"
body = ["run 2ms"]
[task.other]
priority = 9
arrival = "periodic 20ms"
body = ["run 3ms"]
[task.low]
priority = 5
arrival = "periodic 40ms"
body = ["run 1ms", "lock R", "run 4ms", "unlock R"]
[resource.R]
ceiling = 9
"""
FOREVER = TEXT.replace('"lock R", "run 1ms", "unlock R"]\n[task', '"run 6ms"]\n[task')
BOARDS = ["sim", pytest.param("a53", marks=pytest.mark.long)]
ON_EACH = pytest.mark.parametrize("board", BOARDS)


def run(folder: Path, text: str, *arguments: str) -> tuple[int, str, str]:
    """Run a description in this process, which has loaded all modules."""
    return command_on(folder, text, "run", "--out", "out", *arguments)


def command_on(folder: Path, text: str, name: str, *arguments: str) -> tuple[int, str, str]:
    """Run a command that takes a description in this process."""
    (folder / "some.toml").write_text(text)
    command = ["plafond", name, "some.toml", *arguments]
    out, err, at_end = StringIO(), StringIO(), signal.getsignal(signal.SIGTERM)
    try:
        with (
            chdir(folder),
            redirect_stdout(out),
            redirect_stderr(err),
            patch("sys.argv", command),
            pytest.raises(SystemExit) as ended,
        ):
            main()
    finally:
        signal.signal(signal.SIGTERM, at_end)
    return int(ended.value.code or 0), out.getvalue(), err.getvalue()


def report_of(folder: Path) -> Any:
    return json.loads((folder / "out" / "report.json").read_text())


@dataclass(frozen=True)
class Ran:
    """A run that ended well: its output, and the folder of its report."""

    board: str
    folder: Path
    out: str


@pytest.fixture(scope="module", params=BOARDS)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return ran_well(
        tmp_path_factory, TEXT, "--on", request.param, "--protocol", "syscall,uprio-nprio"
    )


@pytest.fixture(scope="module", params=BOARDS)
def ran_edf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return ran_well(tmp_path_factory, UNDER_EDF, "--on", request.param)


def ran_well(folders: pytest.TempPathFactory, text: str, on: str, board: str, *more: str) -> Ran:
    folder = folders.mktemp(board)
    code, out, err = run(folder, text, on, board, *more)
    assert (code, err) == (0, "")
    return Ran(board, folder, out)


def test_the_report_is_that_of_threads(ran: Ran) -> None:
    clock = {"sim": "virtual", "a53": "emulated"}[ran.board]
    assert f"{clock} times" in ran.out
    assert "SCHED_FIFO" not in ran.out
    assert "the report: out/report.html" in ran.out
    assert f"{clock} times" in (ran.folder / "out/report.html").read_text()
    assert clock in (ran.folder / "out/gantt.svg").read_text()
    assert {path.name for path in (ran.folder / "out").iterdir()} == {
        "report.html",
        "report.json",
        "gantt.svg",
        *(f"{name}.trace.json" for name in ("syscall", "uprio-nprio")),
        *(f"{name}.perfetto-trace" for name in ("syscall", "uprio-nprio")),
    }
    report = report_of(ran.folder)
    assert (report["target"], report["cuts"]) == (ran.board, {})
    calls = {row["protocol"]: row["lock_calls"] for row in report["rows"] if row["task"] == "high"}
    assert calls == {"syscall": 20, "uprio-nprio": 0}


def test_all_protocols_run_by_default_and_none_exceeds_its_bound(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, TEXT, "--on", "sim", "--format", "json", "--seed", "7")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert list(dict.fromkeys(row["protocol"] for row in report["rows"])) == list(PROTOCOLS)
    assert {row["verdict"] for row in report["rows"]} == {"kept"}
    for row in report["rows"]:
        assert 0 < row["response"]["maximum_ns"] <= row["response_bound_ns"]


@pytest.mark.parametrize("text", [TEXT, EQUALS, UNDER_EDF])
def test_the_worst_arrivals_reach_the_bounds_in_virtual_time(tmp_path: Path, text: str) -> None:
    protocol = "lazy-floor" if text is UNDER_EDF else "syscall"
    arguments = ["--on", "sim", "--arrivals", "worst", "--activations", "1", "--format", "json"]
    code, out, err = run(tmp_path, text, *arguments, "--protocol", protocol)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["conditions"]["arrivals"].startswith("worst")
    for row in report["rows"]:
        assert row["response_bound_with_overheads_ns"] == row["response_bound_ns"]
        assert row["verdict"] == "kept"
        assert 0.999 < row["ratio"] <= 1, row["task"]


@pytest.mark.parametrize(
    ("scheduler", "protocols"),
    [
        ("priority", "syscall,uprio-nprio"),
        pytest.param("hardware", "mask,lazy-ceiling", marks=pytest.mark.long),
    ],
)
def test_the_worst_arrivals_come_near_the_bounds_with_overheads_on_the_board(
    tmp_path: Path, scheduler: str, protocols: str
) -> None:
    text = f'scheduler = "{scheduler}"\n{TEXT}'
    arguments = ["--on", "a53", "--arrivals", "worst", "--format", "json"]
    code, out, err = run(tmp_path, text, *arguments, "--protocol", protocols)
    assert (code, err) == (0, "")
    for row in json.loads(out)["rows"]:
        assert row["response_bound_with_overheads_ns"] > row["response_bound_ns"]
        assert (row["verdict"], row["stopped"]) == ("kept", 0)
        assert 0.99 < row["ratio"] <= 1, row["task"]


@pytest.mark.parametrize("ran_edf", ["sim"], indirect=True)
def test_under_edf_its_own_protocols_run_and_none_exceeds_its_bound(ran_edf: Ran) -> None:
    report = report_of(ran_edf.folder)
    assert list(dict.fromkeys(row["protocol"] for row in report["rows"])) == list(PROTOCOLS_EDF)
    assert {(row["verdict"], row["deadline_misses"]) for row in report["rows"]} == {("kept", 0)}
    for row in report["rows"]:
        assert 0 < row["response"]["maximum_ns"] <= row["response_bound_ns"] <= row["deadline_ns"]


def test_a_report_under_edf_reports_of_no_priority(ran_edf: Ran) -> None:
    assert "quick: EDF, CPU 0, deadline 4ms, " in ran_edf.out
    assert "priority" not in ran_edf.out
    page = (ran_edf.folder / "out/report.html").read_text()
    assert "EDF, CPU 0, deadline 9ms" in page
    assert (ran_edf.folder / "out/lazy-floor.perfetto-trace").stat().st_size > 0


def test_a_repeated_run_is_the_same(ran: Ran, tmp_path: Path) -> None:
    """It is the same if no other protocol runs beside it, too."""
    code, _, err = run(tmp_path, TEXT, "--on", ran.board, "--protocol", "uprio-nprio")
    assert (code, err) == (0, "")
    again, before = (
        (folder / "out/uprio-nprio.trace.json").read_bytes() for folder in (tmp_path, ran.folder)
    )
    assert again == before


@ON_EACH
def test_tasks_that_activate_and_wait_for_each_other_run(tmp_path: Path, board: str) -> None:
    code, _, err = run(tmp_path, EVENTS, "--on", board, "--protocol", "uprio-nprio")
    assert (code, err) == (0, "")
    rows = {row["task"]: row for row in report_of(tmp_path)["rows"]}
    assert {name: row["activations"] for name, row in rows.items()} == {
        "sensor": 5,
        "output": 5,
        "filter": 5,  # another activation waits at the end of the run
    }
    assert rows["output"]["response"]["average_ns"] == pytest.approx(2_000_000, abs=2_000)
    assert rows["output"]["response_bound_ns"] is None
    assert rows["output"]["deadline_ns"] is None


@ON_EACH
def test_alarms_alone_make_a_run(tmp_path: Path, board: str) -> None:
    options = ["--protocol", "uprio-nprio", "--activations", "7"]
    code, _, err = run(tmp_path, ALARM, "--on", board, *options)
    assert (code, err) == (0, "")
    (row,) = report_of(tmp_path)["rows"]
    assert row["activations"] == 7
    trace = json.loads((tmp_path / "out/uprio-nprio.trace.json").read_text())
    arrivals = trace["tasks"][0]["arrivals_ns"]
    assert [round(time_ns / 1_000_000) for time_ns in arrivals] == list(range(5, 75, 10))
    assert row["response_bound_ns"] == 2_000_000


def test_no_response_to_a_table_or_an_alarm_exceeds_its_bound(tmp_path: Path) -> None:
    options = ["--protocol", "uprio-nprio", "--activations", "20"]
    code, _, err = run(tmp_path, TIMED, "--on", "sim", *options)
    assert (code, err) == (0, "")
    rows = {row["task"]: row for row in report_of(tmp_path)["rows"]}
    found = {
        name: (row["response"]["maximum_ns"], row["response_bound_ns"])
        for name, row in rows.items()
    }
    assert found == {"high": (2_000_000, 4_000_000), "low": (6_000_000, 6_000_000)}


def test_an_overload_runs_to_its_end(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, FOREVER, "--on", "sim", "--protocol", "uprio-nprio")
    assert (code, err) == (0, "")
    high = report_of(tmp_path)["rows"][0]
    assert (high["activations"], high["response"]["maximum_ns"]) == (10, 15_000_000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--protocol", "plafond"], "(plafond needs --on linux or --on vm)"),
        (["--protocol", "uprio-nprios"], "did you mean uprio-nprio"),
        (["--protocol", "lazy-floor"], '(lazy-floor needs scheduler = "edf")'),
        (["--protocol", "irq-off"], "found 'irq-off'; expected some of syscall, uprio-kprio, "),
        (["--kernel", "7.x"], "--kernel is of the virtual machine: it needs --on vm"),
        (["--cpus", "1"], "--cpus is of the virtual machine: it needs --on vm"),
        (["--spare-cpu", "3"], "it needs --on linux or --on vm"),
        (["--task", "hihg"], "did you mean high"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], message: str) -> None:
    code, _, err = run(tmp_path, TEXT, "--on", "sim", *arguments)
    assert code == 2
    assert message in err


def test_under_edf_ceilings_are_refused(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, UNDER_EDF, "--on", "sim", "--protocol", "uprio-nprio")
    assert (code, out) == (2, "")
    assert err == (
        "plafond: --protocol: found 'uprio-nprio'; expected some of deadline-floor, lazy-floor "
        '(uprio-nprio needs scheduler = "priority")\n'
    )


@pytest.mark.parametrize("target", ["linux", "vm"])
def test_edf_is_refused_elsewhere(tmp_path: Path, target: str) -> None:
    for arguments in ([], ["--protocol", "lazy-floor"], ["--protocol", "plafond"]):
        code, out, err = run(tmp_path, UNDER_EDF, "--on", target, *arguments)
        assert (code, out) == (2, "")
        assert err == (
            f'plafond: --on {target}: found scheduler = "edf", which only Plafond\'s own kernel '
            "has; expected --on sim or --on a53\n"
        )
    code, _, err = run(tmp_path, TEXT, "--on", target, "--protocol", "lazy-floor")
    assert code == 2
    assert '(lazy-floor needs scheduler = "edf" and --on sim or --on a53)' in err


@pytest.mark.parametrize("target", ["linux", "vm"])
def test_what_only_the_kernel_can_is_refused_elsewhere(tmp_path: Path, target: str) -> None:
    code, out, err = run(tmp_path, EVENTS, "--on", target)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'task.sensor.body[1] "set filter SAMPLE"' in err
    assert "expected --on sim or --on a53" in err
    code, _, err = run(tmp_path, TEXT, "--on", target, "--protocol", "uprio-nprio")
    assert code == 2
    assert "(uprio-nprio needs --on sim or --on a53)" in err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[task.high]", "cpus = 5\n[task.high]", "cpus: found 5; expected at most 4"),
        ('"run 100us"', '"sleep 100us"', "task.low.body[0]: found sleep"),
    ],
)
def test_what_a_board_cannot_hold_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    code, out, err = run(tmp_path, TEXT.replace(old, new), "--on", "sim")
    assert (code, out) == (1, "")
    assert message in err
    assert not (tmp_path / "out").exists()


def test_too_many_pending_arrivals_end_the_run(tmp_path: Path) -> None:
    text = FOREVER.replace("activations = 10", "activations = 2000")
    code, _, err = run(tmp_path, text, "--on", "sim", "--protocol", "uprio-nprio")
    assert code == 1
    assert "task high: more arrivals than the kernel can keep were pending at" in err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    long = ["--scale", "500", "--activations", "2000"]
    (tmp_path / "some.toml").write_text(TEXT)
    options = ["--out", "out", "--on", "a53", "--protocol", "uprio-nprio"]
    process = Forked("run", "some.toml", *options, *long, folder=tmp_path)
    emulator = emulator_of(process.pid)
    process.send_signal(number)
    assert process.wait().returncode == code
    with pytest.raises(ProcessLookupError):
        os.kill(emulator, 0)
    assert not (tmp_path / "out").exists()


def emulator_of(parent: int) -> int:
    """Wait for the emulator below `parent`, and return it."""
    command = ["pgrep", "--parent", str(parent), "qemu"]

    def look() -> str:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout

    return int(until(look, "the emulator"))
