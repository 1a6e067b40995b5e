# SPDX-License-Identifier: MIT
"""Examples that know pthreads only: with the drop-in the results are equal, and no lock costs a
call."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HUNG_S

pytestmark = pytest.mark.real_time

EXAMPLES = Path(__file__).parents[2] / "examples"
PRELOAD = (sys.executable, "-m", "plafond", "preload")
ROUNDS = 4
# Times, and results that depend on them.
MEASURED = re.compile(r"missed \d+, worst wait \d+ us| of \d+ ns")
RESULTS = {
    "audio": "callbacks 60, ; moves 600, torn 0\n",
    "executor": "callbacks 40, ; takes 52, torn 0\n",
}


@pytest.fixture(scope="module", params=RESULTS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name: str = request.param
    built: Path = tmp_path_factory.mktemp(name) / name
    strict = ("-std=c17", "-Wall", "-Wextra", "-Wconversion", "-Werror")
    subprocess.run(
        ["cc", "-O2", *strict, "-pthread", EXAMPLES / f"{name}.c", "-o", built], check=True
    )
    return built


def run(*command: str | Path) -> str:
    """Run a command on the last allowed CPU. Return its output without times."""
    cpu = max(os.sched_getaffinity(0))
    result = subprocess.run(
        ["taskset", "-c", str(cpu), *command],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return MEASURED.sub("", result.stdout)


def test_plain_it_has_the_same_results_under_every_protocol(program: Path) -> None:
    for protocol in ("none", "inherit", "protect"):
        assert run(program, protocol, str(ROUNDS)) == RESULTS[program.name]


def test_with_the_drop_in_no_lock_costs_a_call(program: Path) -> None:
    file = program.with_name("statistics.json")
    preloaded = (*PRELOAD, "--stats-file", file, "--", program)
    assert run(*preloaded, "protect", str(ROUNDS)) == RESULTS[program.name]
    counted = json.loads(file.read_text())
    locks = counted["locks"]
    assert (locks["eager"], locks["inherited"]) == (0, 0)
    assert counted["system_calls"]["made"] == 0
    if program.name == "audio":  # 1 preset, 150 moves, 15 callbacks
        assert locks["lazy"] == 166 * ROUNDS
        assert counted["system_calls"]["saved"] == 2 * 151 * ROUNDS
    else:  # 13 callbacks put, taken and executed; 3 queues closed; a waiter locks again
        assert locks["lazy"] >= 39 * ROUNDS + 6
        assert counted["system_calls"]["saved"] >= 2 * 16 * ROUNDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ceiling"], "found the protocol ceiling; expected none, inherit or protect"),
        (["none", "0"], "found the count 0; expected 1 to 999"),
        (["none", "2x"], "found the count 2x; expected 1 to 999"),
    ],
)
def test_a_wrong_argument_is_named(program: Path, arguments: list[str], message: str) -> None:
    result = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=HUNG_S, check=False
    )
    assert (result.returncode, result.stderr) == (2, f"{message}\n")
