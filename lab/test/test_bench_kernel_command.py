# SPDX-License-Identifier: MIT
"""`plafond bench kernel`: the messages of its command line."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from forked import run_forked


def bench(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PATH": path} if path else {})}
    return run_forked("bench", "kernel", *arguments, environment=environment)


def test_an_unknown_board_is_named() -> None:
    result = bench("--board", "sim")

    assert result.returncode == 2
    assert "found 'sim'; expected a53" in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_has_examples() -> None:
    result = bench("--help")

    assert result.returncode == 0
    assert "plafond bench kernel --board a53 --format json" in result.stdout


@pytest.mark.parametrize(
    ("there", "missing"),
    [
        ([], "qemu-system-aarch64 is missing"),
        (["qemu-system-aarch64"], "aarch64-linux-gnu-gcc is missing"),
    ],
    ids=["emulator", "compiler"],
)
def test_a_missing_program_is_named(there: list[str], missing: str, tmp_path: Path) -> None:
    for name in there:
        found = shutil.which(name)
        if found is None:
            pytest.fail(f"{name} is missing here", pytrace=False)
        (tmp_path / name).symlink_to(found)
    result = bench(path=str(tmp_path))

    assert result.returncode == 2
    assert missing in result.stderr
    assert result.stderr.count("\n") == 1
