# SPDX-License-Identifier: MIT
"""`plafond run` with real threads on this machine, and its errors."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forked import Forked
from patience import until
from processes import executed_ns, live_processes_of, threads_of

from plafond.programs import find_program
from plafond.trace.verdicts import is_judged

pytestmark = pytest.mark.real_time

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
RUNS = 20
SOME_NS = 20_000_000  # of a thread: far more than its set-up and ten activations take
ALL = ["none", "inherit", "protect", "plafond", "plafond-strict", "plafond-syscall"]
LONG = TEXT.replace("activations = 10", "activations = 5000")


def start(folder: Path, text: str, *arguments: str) -> Forked:
    """Start a run without overheads, so it does not measure them, and no noise can fail it."""
    (folder / "some.toml").write_text(text)
    command = ["run", "some.toml", "--out", "out", "--overheads", "none", *arguments]
    return Forked(*command, folder=folder)


def run(folder: Path, text: str, *arguments: str) -> tuple[int, str, str]:
    done = start(folder, text, *arguments).wait()
    return done.returncode, done.stdout, done.stderr


def processes_of_runs() -> set[int]:
    """Return the processes of plafond-run. Each run has a supervisor and a child."""
    return live_processes_of(find_program("linux/run/plafond-run"))


def wait_for_activations() -> int:
    """Wait until each thread of a run has executed some activations. Return the child with the
    threads."""

    def look() -> int:
        for process in processes_of_runs():
            threads = [thread for thread in threads_of(process) if thread != process]
            if threads and all(executed_ns(thread) > SOME_NS for thread in threads):
                return process
        return 0

    return until(look, "activations")


def wait_for_runs(count: int) -> None:
    """Wait until `count` runs have begun, one after the other."""
    seen: set[int] = set()

    def look() -> bool:
        seen.update(processes_of_runs())
        return len(seen) >= 2 * count

    until(look, f"{count} runs")


def report_of(folder: Path) -> Any:
    return json.loads((folder / "out" / "report.json").read_text())


def test_every_protocol_runs_beside_its_bound(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, TEXT, "--protocol", ",".join(ALL), "--format", "json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    high = {row["protocol"]: row for row in report["rows"] if row["task"] == "high"}
    assert list(high) == ALL
    for row in high.values():
        assert (row["activations"], row["skipped"]) == (10, 0)
        assert row["response"]["average_ns"] >= 1_000_000
        assert row["response"]["maximum_ns"] >= row["latency"]["maximum_ns"]
    assert high["protect"]["response_bound_ns"] == 2_000_000
    assert high["none"]["response_bound_ns"] > 2_000_000
    assert not report["cuts"]


@pytest.mark.long
def test_overheads_are_measured_on_this_machine(tmp_path: Path) -> None:
    arguments = ["--overheads", "measured", "--protocol", "plafond", "--activations", "3"]
    run(tmp_path, TEXT, *arguments)  # a busy machine may exceed its bounds
    report = report_of(tmp_path)
    assert report["conditions"]["overheads"] == "measured on this machine before the run"
    assert [(cpu["cpu"], cpu["seconds"]) for cpu in report["before"]] == [(0, 1)]
    assert [(cpu["protocol"], cpu["cpu"]) for cpu in report["stops"]] == [("plafond", 0)]
    for row in report["rows"]:
        assert row["response_bound_with_overheads_ns"] > row["response_bound_ns"]
        assert row["stopped"] == row["activations"] or row["ratio"] > 0


@pytest.mark.long
def test_overheads_contain_the_recording_where_the_scheduler_is_recorded(tmp_path: Path) -> None:
    arguments = ["--overheads", "measured", "--protocol", "plafond", "--activations", "3"]
    run(tmp_path, TEXT, *arguments, "--irqs")  # a busy machine may exceed its bounds
    report = report_of(tmp_path)
    assert report["conditions"]["overheads"] == (
        "measured on this machine before the run; with those of recording the scheduler"
    )
    for row in report["rows"]:
        assert row["response_bound_with_overheads_ns"] > row["response_bound_ns"]
    assert {"high", "low"} <= {row["thread"] for row in report["threads"]}
    assert (tmp_path / "out/plafond.recording").stat().st_size > 0


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short run under one protocol."""
    folder = tmp_path_factory.mktemp("short")
    code, out, _ = run(folder, TEXT, "--protocol", "plafond", "--activations", "3")
    assert code == 0
    (folder / "terminal").write_text(out)
    return folder


def test_without_overheads_only_what_is_surely_kept_has_a_verdict(short: Path) -> None:
    report = report_of(short)
    assert report["conditions"]["overheads"] == "left out, as asked for"
    assert "before" not in report
    stopped, finished = (
        sum(row[name] for row in report["rows"]) for name in ("stopped", "activations")
    )
    kept = "kept" if is_judged(stopped, finished) else "not judged"
    for row in report["rows"]:
        is_kept = row["response"]["maximum_ns"] <= row["response_bound_ns"]
        assert row["verdict"] == (kept if is_kept else None)
        assert (row["response_bound_with_overheads_ns"], row["ratio"]) == (None, None)


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, TEXT, "--protocol", "immpc")
    if Path("/dev/immpc").exists():
        assert code == 0
        return
    assert (code, out) == (2, "")
    assert "/dev/immpc" in err
    assert "--on vm" in err


def test_the_report_lies_in_its_folder(short: Path) -> None:
    assert "the report: out/report.html" in (short / "terminal").read_text()
    assert {path.name for path in (short / "out").iterdir()} == {
        "report.html",
        "report.json",
        "gantt.svg",
        "plafond.perfetto-trace",
        "plafond.trace.json",
    }


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_was_measured_before_an_interruption_is_kept(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    process = start(tmp_path, LONG, "--protocol", "protect,plafond")
    wait_for_activations()
    process.send_signal(number)
    done = process.wait()
    assert done.returncode == code
    report = report_of(tmp_path)
    assert report["cuts"] == {"protect": number.name}
    assert 0 < report["rows"][0]["activations"] < 5000
    assert "CUT SHORT" in done.stdout
    until(lambda: not processes_of_runs(), "the end of all processes")


def test_a_run_whose_child_is_killed_is_cut(tmp_path: Path) -> None:
    process = start(tmp_path, LONG, "--protocol", "none")
    os.kill(wait_for_activations(), signal.SIGKILL)
    assert process.wait().returncode == 1
    report = report_of(tmp_path)
    assert "SIGKILL" in report["cuts"]["none"]
    assert 0 < report["rows"][0]["activations"] < 5000


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[task.high]", "cpus = 900\n[task.high]\ncpu = 899", "CPU 899 does not exist"),
        ("priority = 20", "priority = 200", "task.high.priority: found 200"),
    ],
)
def test_what_cannot_run_is_refused_in_one_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = TEXT.replace(old, new, 1).replace('"lock R", "run 1ms", "unlock R"', '"run 1ms"', 1)
    code, out, err = run(tmp_path, text)
    assert code != 0
    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_a_possible_deadlock_is_refused_without_ceilings(tmp_path: Path) -> None:
    text = (
        TEXT.replace('"lock R", "run', '"lock R", "lock S", "unlock S", "run', 1) + "[resource.S]"
    )
    text = text.replace('"run 100us", "lock R"', '"lock S", "lock R"')
    text = text.replace('"unlock R"]\n[resource', '"unlock R", "unlock S"]\n[resource')
    code, _, err = run(tmp_path, text, "--protocol", "inherit")
    assert code == 1
    assert "under inherit tasks can deadlock: high holds R and wants S" in err
    assert run(tmp_path, text, "--protocol", "plafond", "--activations", "2")[0] == 0


def test_without_privilege_one_line_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(TEXT)
    (tmp_path / "out").mkdir(mode=0o777)
    tmp_path.chmod(0o777)
    command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "prlimit", "--rtprio=0"]
    done = subprocess.run(
        [*command, sys.executable, "-m", "plafond", "run", "some.toml", "--out", "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "SCHED_FIFO" in done.stderr
    assert "plafond doctor" in done.stderr
    assert "--on vm" in done.stderr


def test_spare_time_is_compared_in_pairs(tmp_path: Path) -> None:
    options = ["--protocol", "inherit,plafond", "--spare-cpu", "3", "--format", "json"]
    code, out, err = run(tmp_path, TEXT, *options)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["duration_ns"] == 50_000_000
    for row in report["rows"]:
        left = row["left"]
        assert len(left["samples_ns"]) == 3
        assert 0 < left["minimum_ns"] <= left["average_ns"] <= left["maximum_ns"] <= 50_000_000
        assert all(time_ns > 0 for time_ns in row["worked"]["samples_ns"])
    assert [test["degrees_of_freedom"] for test in report["tests"]] == [4, 2, 2]


def test_an_interrupted_comparison_keeps_its_pairs(tmp_path: Path) -> None:
    process = start(tmp_path, TEXT, "--protocol", "inherit,plafond", "--spare-cpu", "1000")
    wait_for_runs(5)  # two pairs are over then
    process.send_signal(signal.SIGINT)
    done = process.wait()
    assert done.returncode == 130
    assert "CUT SHORT" in done.stdout
    report = json.loads((tmp_path / "out" / "spare.json").read_text())
    assert report["cut"]
    assert 2 <= report["pairs"] < 1000
    until(lambda: not processes_of_runs(), "the end of all processes")


def test_the_worst_arrivals_come_near_to_the_bounds(tmp_path: Path) -> None:
    """A thread that wakes up late delays others less, so the longest response of some runs
    counts."""
    longest: dict[tuple[str, str], float] = {}
    for _ in range(RUNS):
        options = ["--arrivals", "worst", "--protocol", "protect,plafond"]
        code, out, err = run(tmp_path, TEXT, *options)
        assert (code, err) == (0, "")
        assert "arrivals: worst: as described, then all at once" in out
        report = report_of(tmp_path)
        assert report["arrivals_are_worst"]
        for row in report["rows"]:
            key = row["task"], row["protocol"]
            ratio = row["response"]["maximum_ns"] / row["response_bound_ns"]
            longest[key] = max(longest.get(key, 0), ratio)
        if min(longest.values()) > 0.9:
            return
    raise AssertionError(longest)
