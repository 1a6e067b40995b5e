# SPDX-License-Identifier: MIT
"""`plafond run --on vm`: the same figures each time, and no process left behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S, until
from processes import has_ended
from stirred import stirred_emulator

pytestmark = pytest.mark.guest

TEXT = """
cpus = 1
[task.high]
priority = 20
arrival = "periodic 5ms"
offset = "1ms"
activations = 3
body = ["lock R", "run 1ms", "unlock R"]
[task.low]
priority = 10
arrival = "periodic 5ms"
body = ["lock R", "run 2ms", "unlock R"]
[resource.R]
"""
ON_TWO = (
    TEXT.replace("cpus = 1", "cpus = 2")
    + """
[task.other]
cpu = 1
priority = 5
arrival = "periodic 10ms"
body = ["run 1ms"]
"""
)
UNCONTENDED = Path(__file__).with_name("uncontended.toml")
# Cost of a pair of immpc-eager less that of rt-mutex, in instructions, in an otherwise empty loop:
# `plafond bench instructions`.
PRICE_OF_A_PAIR = 3680 - 43
PROTOCOLS = ("inherit", "plafond", "plafond-module", "immpc")  # with and without our modules
# Stands in for QEMU: writes its process id, and then does not end.
STUCK = '#!/bin/sh\necho $$ >"$PID_FILE"\nexec sleep 300\n'


def start(folder: Path, text: str, *arguments: str, **more: str) -> subprocess.Popen[str]:
    (folder / "some.toml").write_text(text)
    command = [sys.executable, "-m", "plafond", "run", "some.toml", "--on", "vm", *arguments]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=dict(os.environ) | more,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(folder: Path, text: str, *arguments: str, **more: str) -> tuple[int, str, str]:
    process = start(folder, text, *arguments, **more)
    out, err = process.communicate(timeout=HUNG_S)
    return process.returncode, out, err


def report_of(folder: Path) -> Any:
    return json.loads((folder / "report.json").read_text())


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs of a system. The emulator of the second run never sleeps."""
    folder = tmp_path_factory.mktemp("twice")
    # With this many repetitions, the last releases come while a thread of the guest is in its
    # section.
    some = ("--arrivals", "worst", "--activations", "7", "--protocol", ",".join(PROTOCOLS))
    for name, more in ("first", {}), ("second", stirred_emulator(folder)):
        code, out, err = run(folder, TEXT, *some, "--out", name, **more)
        assert code == 0, err
        (folder / name / "terminal").write_text(out)
    return folder


def test_repeated_runs_are_equal_to_the_nanosecond(twice: Path) -> None:
    for protocol in PROTOCOLS:
        first, second = (
            (twice / name / f"{protocol}.trace.json").read_bytes() for name in ("first", "second")
        )
        assert first == second


def test_every_page_says_that_times_are_emulated(twice: Path) -> None:
    report = report_of(twice / "first")
    assert report["target"] == "vm"
    assert report["conditions"]["emulation"].startswith("emulated, 1 instruction = 1 ns")
    assert "-rt-" in report["conditions"]["kernel"]
    out = (twice / "first" / "terminal").read_text()
    assert "in a virtual machine, emulated times" in out
    assert "1 instruction = 1 ns" in out
    assert "emulated times" in (twice / "first" / "report.html").read_text()
    assert "emulated" in (twice / "first" / "gantt.svg").read_text()


def test_the_worst_arrivals_come_near_to_the_bounds_and_not_above(twice: Path) -> None:
    report = report_of(twice / "first")
    assert report["arrivals_are_worst"]
    for row in report["rows"]:
        assert row["response_bound_ns"] == 3_000_000
        assert row["verdict"] == "kept"
        assert 0.9 < row["ratio"] <= 1


def test_without_contention_the_overhead_differs_by_the_price_of_the_pairs(tmp_path: Path) -> None:
    some = ("--protocol", "rt-mutex,immpc-eager", "--spare-cpu", "2", "--activations", "25")
    code, _, err = run(tmp_path, UNCONTENDED.read_text(), *some, "--out", "out")
    assert code == 0, err
    report = json.loads((tmp_path / "out" / "spare.json").read_text())
    locks, same = (row["locks"] for row in report["occurrences"])
    assert locks == same > 40
    first_ns, second_ns = (row["overhead"]["average_ns"] for row in report["rows"])
    assert (second_ns - first_ns) / locks == pytest.approx(PRICE_OF_A_PAIR, rel=0.15)


def test_all_threads_are_reported_with_their_parts(tmp_path: Path) -> None:
    some = ("--irqs", "--protocol", "none,protect", "--overheads", "none", "--out", "out")
    code, out, err = run(tmp_path, TEXT.replace("= 3", "= 15"), *some)
    assert code == 0, err
    report = report_of(tmp_path / "out")
    assert report["lost_events"] == {"none": 0, "protect": 0}
    assert "protect: the recording lost 0 events" in out
    for protocol in ("none", "protect"):
        rows = {row["thread"]: row for row in report["threads"] if row["protocol"] == protocol}
        high = rows["high"]
        assert (high["kind"], high["policy"], high["priority"]) == ("task", "FIFO", 20)
        # Without a ceiling `high` waits for R, too, and each wait begins another activation.
        if protocol == "protect":
            assert high["period_ns"] == pytest.approx(5_000_000, rel=1e-3)
            assert 1_000_000 < high["execution"]["least_ns"] <= high["response"]["least_ns"]
        assert rows["ktimers/0"]["kind"] == "softirq"
        assert (tmp_path / "out" / f"{protocol}.recording").read_bytes()[:8] == b"PLFKREC1"
    worst = {(row["task"], row["protocol"]): row for row in report["rows"]}
    for each in report["worst_parts"]:
        own = worst[each["task"], each["protocol"]]
        response_ns = own["response_without_stops"]["maximum_ns"]
        assert sum(part["time_ns"] for part in each["parts"]) == response_ns
        # Each delays the other: `high` waits for the section, and `low` is preempted.
        shares = {part["thread"]: part["time_ns"] / response_ns for part in each["parts"]}
        assert min(shares["high"], shares["low"]) > 0.3


def test_another_processor_runs_the_same(tmp_path: Path) -> None:
    some = ("--protocol", "plafond,plafond-module", "--overheads", "none", "--out", "out")
    code, out, err = run(tmp_path, TEXT, "--processor", "aarch64", *some)
    assert code == 0, err
    assert "emulated times" in out
    report = report_of(tmp_path / "out")
    assert "-rt-arm64" in report["conditions"]["kernel"]
    verdicts = [row["verdict"] for row in report["rows"] if row["task"] == "high"]
    assert verdicts == ["kept", "kept"]


def test_two_processors_are_as_described(tmp_path: Path) -> None:
    some = ("--protocol", "plafond", "--overheads", "none", "--out", "out")
    code, out, err = run(tmp_path, ON_TWO, *some)
    assert code == 0, err
    report = report_of(tmp_path / "out")
    assert [cpu["cpu"] for cpu in report["conditions"]["cpus"]["plafond"]] == [0, 1]
    assert "by the clock of the host" in out
    assert "times with two CPUs are rough" in out


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (ON_TWO, ["--cpus", "1"], "--cpus: found 1; expected 2, as the description has"),
        *(
            (
                ON_TWO.replace("cpus = 2", "cpus = 3"),
                arguments,
                "the description has 3 CPUs; the virtual machine has at most 2",
            )
            for arguments in ([], ["--cpus", "2"])
        ),
    ],
)
def test_too_few_processors_are_refused(
    tmp_path: Path, text: str, arguments: list[str], message: str
) -> None:
    code, _, err = run(tmp_path, text, *arguments)
    assert (code, err) == (2, f"plafond: {message}\n")
    assert not (tmp_path / "plafond-report").exists()


def test_a_missing_emulator_is_refused_in_one_line(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, TEXT, PATH="/nowhere")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "apt install qemu-system-x86" in err
    assert not (tmp_path / "plafond-report").exists()


def stuck_emulator(folder: Path) -> dict[str, str]:
    program = folder / "qemu-system-x86_64"
    program.write_text(STUCK)
    program.chmod(0o755)
    return {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PID_FILE": str(folder / "pid"),
        "TMPDIR": str(folder),  # SIGKILL leaves files there
    }


def wait_for_emulator(folder: Path) -> int:
    file = folder / "pid"
    return int(until(lambda: file.exists() and file.read_text().strip(), "the emulator"))


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_no_emulator_is_left_behind(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process = start(tmp_path, TEXT, **stuck_emulator(tmp_path))
    emulator = wait_for_emulator(tmp_path)
    process.send_signal(number)
    process.communicate(timeout=HUNG_S)
    assert process.returncode == code
    until(lambda: has_ended(emulator), "the emulator's end")
