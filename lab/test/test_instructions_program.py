# SPDX-License-Identifier: MIT
"""The real program: on this machine, on which it must refuse, and in the virtual machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HUNG_S
from stirred import stirred_emulator

from plafond.programs import find_program

pytestmark = pytest.mark.guest

COMMAND = [sys.executable, "-m", "plafond", "bench", "instructions", "--format", "json"]


def test_where_the_counter_counts_something_else_it_refuses() -> None:
    result = subprocess.run(
        [find_program("bench/instructions"), "stock"],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )

    assert result.returncode == 2
    assert "not under icount" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [[], ["stock", "all"]], ids=["none", "unknown"])
def test_a_part_must_be_named(arguments: list[str]) -> None:
    result = subprocess.run(
        [find_program("bench/instructions"), *arguments],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )

    assert result.returncode == 2
    assert "stock, frames, module" in result.stderr


def test_two_runs_count_the_same_whatever_the_host_does(tmp_path: Path) -> None:
    results = [
        subprocess.run(
            COMMAND,
            env=os.environ | more,
            capture_output=True,
            text=True,
            timeout=HUNG_S,
            check=False,
        )
        for more in ({}, stirred_emulator(tmp_path))
    ]
    for result in results:
        if result.returncode != 0:
            pytest.fail(result.stderr.strip(), pytrace=False)
    first, second = (json.loads(result.stdout) for result in results)

    assert first == second
    assert first["conditions"]["unstable"] == 0
    verdicts = {target["name"]: target["reached"] for target in first["targets"]}
    assert verdicts["immpc, pair"]
    assert verdicts["plafond-module-strict, pair"]
    assert verdicts["added to each __schedule of others"]
    assert verdicts["context switches for an arrival, module"]
