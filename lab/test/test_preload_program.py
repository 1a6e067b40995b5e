# SPDX-License-Identifier: MIT
"""A program with inheritance over the drop-in: learned, converted, and otherwise unchanged."""

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S

from plafond.describe import load
from plafond.describe.loading import load_mutexes
from plafond.preload.launch import LONGEST_RUN_S

pytestmark = pytest.mark.real_time

PRELOAD = [sys.executable, "-m", "plafond", "preload"]
ROUNDS = 50
ROBOT_CODE = 7  # its exit code


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("robot") / "robot"
    source = Path(__file__).with_name("robot.c")
    subprocess.run(["cc", "-O2", "-pthread", "-o", program, source], check=True)
    return program


@pytest.fixture(scope="module")
def learned(robot: Path) -> Path:
    file = robot.with_name("learned.toml")
    run(robot, "--learn", file)
    return file


def run(robot: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program on the last allowed CPU. It must end and print as without the drop-in."""
    cpu = max(os.sched_getaffinity(0))
    result = subprocess.run(
        ["taskset", "-c", str(cpu), *PRELOAD, *options, "--", robot, str(ROUNDS)],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )
    assert (result.returncode, result.stdout) == (ROBOT_CODE, f"{ROUNDS} rounds\n"), result.stderr
    return result


def statistics(robot: Path, ceilings: Path) -> Any:
    file = robot.with_name("stats.json")
    result = run(robot, "--ceilings", ceilings, "--stats-file", file)
    assert result.stderr == ""
    return json.loads(file.read_text())


def real_time_limit(tmp_path: Path, *options: str | Path) -> int:
    """Return the limit of real time that a program finds, in microseconds."""
    program = [sys.executable, "-c", "import resource as r; print(r.getrlimit(r.RLIMIT_RTTIME)[0])"]
    result = subprocess.run(
        [*PRELOAD, *options, "--", *program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )
    return int(result.stdout)


@pytest.mark.parametrize("options", [(), ("--learn", "learned.toml")])
def test_its_real_time_is_limited(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert real_time_limit(tmp_path, *options) == LONGEST_RUN_S * 1_000_000
    before = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (2_000_000, before[1]))
    try:
        assert real_time_limit(tmp_path, *options) == 2_000_000
    finally:
        resource.setrlimit(resource.RLIMIT_RTTIME, before)


def test_what_it_locks_is_learned(learned: Path) -> None:
    state, journal = load_mutexes(learned)
    assert [(m.ceiling, m.use, m.module) for m in (state, journal)] == [
        (30, True, "robot"),
        (20, True, "robot"),
    ]
    system = load(learned)
    assert [(t.name, t.priority) for t in system.tasks] == [
        ("control", 30),
        ("plan", 20),
        ("log", 10),
    ]
    plan = system.tasks[1]
    nested = [held for step, held in plan.held() if len(held) == 2]
    assert nested
    assert set(nested) == {(state.name, journal.name)}


def test_its_mutexes_run_lazily_under_what_was_learned(robot: Path, learned: Path) -> None:
    counted = statistics(robot, learned)
    assert counted["converted"] == 2
    assert counted["locks"] == {"lazy": 4 * ROUNDS, "eager": 0, "inherited": 0}
    assert counted["above_ceiling"] == 0
    # A lock of `control` at its own ceiling would need no system call either.
    assert counted["system_calls"]["saved"] > 2 * ROUNDS


def test_what_was_not_chosen_stays_with_the_c_library(robot: Path, learned: Path) -> None:
    half = robot.with_name("half.toml")
    half.write_text(learned.read_text().replace("use = true", "use = false", 1))
    counted = statistics(robot, half)
    assert counted["converted"] == 1
    assert sum(counted["locks"].values()) == 2 * ROUNDS


def test_a_locker_above_the_ceiling_is_counted_and_not_refused(robot: Path, learned: Path) -> None:
    low = robot.with_name("low.toml")
    low.write_text(re.sub(r"(ceiling|priority) = (30|20)", r"\1 = 10", learned.read_text()))
    assert [m.ceiling for m in load_mutexes(low)] == [10, 10]
    counted = statistics(robot, low)
    assert counted["above_ceiling"] == counted["locks"]["inherited"] > 0


@pytest.fixture(scope="module")
def inversions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a C++ program whose urgent thread waits for ordinary threads."""
    program = tmp_path_factory.mktemp("inversions") / "inversions"
    source = Path(__file__).parents[2] / "linux/pthread/test/evidence/inversions.cc"
    subprocess.run(["c++", "-std=c++17", "-O2", "-pthread", "-o", program, source], check=True)
    return program


def highest_of_holders(program: Path, scene: str, *options: str | Path) -> tuple[int, str]:
    """Return the highest priority of the ordinary holders, and the output of the command."""
    result = subprocess.run(
        [*PRELOAD, *options, "--", program, scene],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=True,
    )
    return int(result.stdout.removeprefix("a holder ran at ")), result.stderr


@pytest.mark.parametrize("scene", ["global", "member", "several", "condition"])
def test_an_inversion_with_an_ordinary_thread_is_named_and_cured(
    inversions: Path, scene: str
) -> None:
    """The program stays unchanged. Its std::mutex inherits if the file has `use = true`."""
    file = inversions.with_name(f"{scene}.toml")
    highest, reported = highest_of_holders(inversions, scene, "--learn", file)
    assert highest == 0
    waited = r"- inversions_0: urgent \(fifo 50, begins at .*\) waited 5 times, of \d+ locks, for "
    assert re.search(f"{waited}inversions \\(other, .* at most: an inversion", reported)
    assert highest_of_holders(inversions, scene, "--ceilings", file)[0] == 0
    file.write_text(file.read_text().replace("use = false", "use = true"))
    assert highest_of_holders(inversions, scene, "--ceilings", file) == (50, "")
