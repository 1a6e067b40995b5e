# SPDX-License-Identifier: MIT
"""The real programs on this machine, which must be built. SCHED_FIFO must be allowed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S, until
from processes import is_real_time, live_processes_of, threads_of

from plafond.bench.samples import Output
from plafond.programs import build_folder, find_program

pytestmark = pytest.mark.real_time

UNPRIVILEGED = 65534
PROGRAMS = ["locks", "pthread"]
both = pytest.mark.parametrize("name", PROGRAMS)


def command(name: str) -> list[str]:
    return [sys.executable, "-m", "plafond", "bench", name, "--quick", "--format", "json"]


def measure(name: str) -> Any:
    result = subprocess.run(
        command(name), capture_output=True, text=True, timeout=HUNG_S, check=False
    )
    if result.returncode != 0:
        pytest.fail(result.stderr.strip(), pytrace=False)
    return json.loads(result.stdout)


def real_time_threads_of(program: Path) -> list[int]:
    threads = [thread for found in live_processes_of(program) for thread in threads_of(found)]
    return [thread for thread in threads if is_real_time(thread)]


def test_quick_run_measures_every_row() -> None:
    report = measure("locks")

    assert [row["lock"] for row in report["uncontended"]] == [
        "bound",
        "plafond-strict",
        "plafond",
        "plafond-cpp",
        "plafond-global",
        "plafond-syscall",
        "none",
        "inherit",
        "protect",
    ]
    calls = {row["lock"]: row["system_calls"] for row in report["uncontended"]}
    assert calls["plafond"] == calls["plafond-strict"] == calls["none"] == 0
    assert calls["plafond-global"] == calls["plafond-cpp"] == 0
    instructions = {row["lock"]: row["instructions"] for row in report["uncontended"]}
    assert instructions["plafond-cpp"] == instructions["plafond"]
    assert calls["plafond-syscall"] == calls["protect"] == 2
    assert len(report["preempted"]) == 12
    assert {row["threads"] for row in report["scaling"]} == {2, 8, 32, 64}
    spinning = [row for row in report["handover"] if row["lock"] == "plafond-global-spin"]
    assert len(spinning) == (7 if len(os.sched_getaffinity(0)) > 1 else 0)
    assert all(row["context_switches"] < 0.5 for row in spinning)
    groups = ("uncontended", "nested", "hook", "preempted", "scaling", "handover")
    marked = [row for group in groups for row in report[group] if row["with_stops"]]
    assert len(marked) <= report["conditions"]["rows_with_stops"]
    assert report["conditions"]["again"] >= 0


@pytest.mark.long
def test_quick_run_measures_every_path() -> None:
    report = measure("pthread")

    rows = {row["path"]: row for row in report["rows"]}
    assert {path: row["system_calls"] for path, row in rows.items()} == {
        "none": 0,
        "inherit": 0,
        "protect": 2,
        "drop-in-protect": 0,
        "drop-in-protect-cross-cpu": 0,
        "drop-in-protect-unpinned": 2,
        "drop-in-none": 0,
        "drop-in-inherit": 0,
    }
    assert rows["none"]["instructions"] > 0
    assert rows["drop-in-none"]["instructions"] > rows["none"]["instructions"]
    assert [row["path"] for row in report["preempted"]] == [
        "no-lock",
        "protect",
        "protect",
        "drop-in-no-lock",
        "drop-in-protect",
        "drop-in-protect",
    ]
    assert [row["pairs"] for row in report["programs"]] == [2, 2, 2]


def test_of_some_rows_it_counts_those_that_it_measures() -> None:
    """The program prints `rows N`, the bar's total, and then N times `run`."""
    options = ["--benchmark_filter=^(hook|nested)/", "--benchmark_repetitions=1"]
    result = subprocess.run(
        [find_program("bench/locks"), *options],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=True,
    )

    lines = result.stderr.splitlines()
    assert 0 < lines.count("run") < 20
    assert f"rows {lines.count('run')}" in lines


def has_seen_a_stop() -> bool:
    """Stop the program for 20 ms in each repetition. Return whether a stop shows: it needs the
    processor at that time."""
    options = ["--benchmark_filter=^pair/protect/", "--benchmark_repetitions=5"]
    command = [str(find_program("bench/locks")), "--benchmark_format=json", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout
        assert program.stderr
        for line in program.stderr:
            if line == "run\n":
                program.send_signal(signal.SIGSTOP)
                time.sleep(0.02)
                program.send_signal(signal.SIGCONT)
        output = Output.model_validate_json(program.stdout.read())
    return any(run.beyond_ns > 10e6 for run in output.benchmarks)


def test_a_stop_is_seen_in_a_repetition() -> None:
    until(has_seen_a_stop, "a stop of 20 ms")


@both
def test_without_privilege_it_is_refused_in_one_line(name: str) -> None:
    result = subprocess.run(
        ["prlimit", "--rtprio=0", find_program(f"bench/{name}")],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
        user=UNPRIVILEGED if os.geteuid() == 0 else None,
    )

    assert result.returncode == 2
    assert "RLIMIT_RTPRIO" in result.stderr
    assert result.stderr.count("\n") == 1


@both
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_real_time_thread_is_left_behind(name: str, number: signal.Signals) -> None:
    program = build_folder() / "bench" / name
    process = subprocess.Popen(command(name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: real_time_threads_of(program), "a real-time thread")
    mine = live_processes_of(program)

    process.send_signal(number)
    process.wait(timeout=HUNG_S)

    until(lambda: not live_processes_of(program) & mine, "its end")
