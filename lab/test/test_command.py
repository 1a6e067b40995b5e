# SPDX-License-Identifier: MIT
"""`plafond bench locks` as a process: output, errors, exit codes, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forked import run_forked
from patience import HUNG_S, until

COMMAND = [sys.executable, "-m", "plafond", "bench", "locks"]


def environment(build: Path) -> dict[str, str]:
    return {**os.environ, "PLAFOND_BUILD": str(build)}


def run(build: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_forked("bench", "locks", *arguments, environment=environment(build))


def test_json_is_alone_on_standard_output(
    raw: dict[str, Any], tmp_path: Path, fake_program: Callable[[str], Path]
) -> None:
    (tmp_path / "raw.json").write_text(json.dumps(raw))
    build = fake_program(f"echo rows 2 >&2; echo run >&2; cat {tmp_path}/raw.json")

    result = run(build, "--format", "json", "--quick")

    assert result.returncode == 0
    assert json.loads(result.stdout)["conditions"]["quick"] is True


def test_missing_program_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path)

    assert result.returncode == 1
    assert "bench/locks is not built: run ./plafond bench in the repo" in result.stderr
    assert result.stderr.count("\n") == 1


def test_missing_privilege_is_the_programs_line(fake_program: Callable[[str], Path]) -> None:
    result = run(fake_program("echo 'no privilege for SCHED_FIFO' >&2; exit 2"))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "plafond: no privilege for SCHED_FIFO\n"


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("echo 'plf_attach: no memory' >&2; exit 1", "locks failed: plf_attach: no memory"),
        ("kill -ALRM $$", "locks was ended by SIGALRM because it took too long"),
    ],
)
def test_failure_of_the_program_is_one_line(
    script: str, line: str, fake_program: Callable[[str], Path]
) -> None:
    result = run(fake_program(script))

    assert result.returncode == 1
    assert result.stderr == f"plafond: {line}\n"


def test_wrong_argument_is_exit_code_2(tmp_path: Path) -> None:
    assert run(tmp_path, "--format", "xml").returncode == 2


def test_help_has_examples(tmp_path: Path) -> None:
    assert "plafond bench locks --format json" in run(tmp_path, "--help").stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_leaves_no_process(
    number: signal.Signals, tmp_path: Path, fake_program: Callable[[str], Path]
) -> None:
    build = fake_program(f"echo $$ > {tmp_path}/started; exec sleep {HUNG_S}")
    process = subprocess.Popen(COMMAND, env=environment(build), stderr=subprocess.DEVNULL)
    file = tmp_path / "started"
    child = int(until(lambda: file.exists() and file.read_text(), "the program"))

    process.send_signal(number)

    assert process.wait(timeout=HUNG_S) == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
