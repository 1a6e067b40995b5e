# SPDX-License-Identifier: MIT
"""A run whose CPU a thread of another program holds: it ends, and names that thread."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import HUNG_S

from plafond.programs import build_folder
from plafond.real_time import run_bounded
from plafond.run.hogs import Witness

LONGEST_S = 240  # of real time without a sleep; a run beside other tests can take a minute
# The hog holds CPU 0 from its message until it is killed, or until its limit ends it.
HOG = f"""
import os, resource, sys, time
resource.setrlimit(resource.RLIMIT_RTTIME, ({LONGEST_S * 1_000_000},) * 2)
os.sched_setaffinity(0, {{0}})
print("ready", flush=True)
policy, priority = int(sys.argv[1]), int(sys.argv[2])
os.sched_setscheduler(0, policy, os.sched_param(priority))
while True:
    pass
"""
SYSTEM = """
name = "Starved"
[task.T]
priority = 20
arrival = "periodic 100ms"
activations = 5
body = ["run 1ms"]
"""


@contextmanager
def hog(policy: int, priority: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOG, str(policy), str(priority)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def test_the_thread_that_had_a_cpu_longest_is_named() -> None:
    witness = Witness()
    with hog(os.SCHED_OTHER, 0) as process:
        lines: list[str] = []
        while not any(f"process {process.pid}, thread {process.pid}," in line for line in lines):
            lines = witness.hogs([0])
    (line,) = lines

    assert line.startswith("python")
    assert "SCHED_OTHER) had CPU 0 for " in line
    assert "keep it off that CPU" in line


@pytest.mark.long
@pytest.mark.real_time
def test_a_starved_run_ends_keeps_its_report_and_names_the_thread(tmp_path: Path) -> None:
    (tmp_path / "starved.toml").write_text(SYSTEM)
    command: list[str | Path] = [
        *(build_folder() / "venv/bin/plafond", "run", tmp_path / "starved.toml"),
        *("--protocol", "none", "--overheads", "none", "--format", "json"),
        *("--out", tmp_path / "out"),
    ]
    with hog(os.SCHED_FIFO, 99) as process:
        ended = run_bounded(command, HUNG_S)
        assert process.poll() is None  # the run did not wait for its end
    report = json.loads(ended.stdout)
    cut = report["cuts"]["none"]

    assert ended.returncode == 1
    assert cut.startswith("watchdog: not finished in time; another program keeps a CPU")
    assert f"(process {process.pid}, thread {process.pid}, SCHED_FIFO 99) had CPU 0 for " in cut
    assert "CUT SHORT" in (tmp_path / "out/report.html").read_text()
