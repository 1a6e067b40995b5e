# SPDX-License-Identifier: MIT
"""The processor seconds of tests are noted, and printed beside the budget and by change."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plafond.programs import build_folder

ROOT = Path(__file__).resolve().parents[2]
NOTED = ROOT / ".ci/noted"
# A program that takes 0.1 s of processor time, as a child of the noted process.
BUSY = "import time\nwhile time.process_time() < 0.1: pass"


def costs(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run .ci/costs for the tree below a folder."""
    (root / ".ci").mkdir(exist_ok=True)
    shutil.copy(ROOT / ".ci/costs", root / ".ci/costs")
    return subprocess.run(
        [sys.executable, root / ".ci/costs", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def note(root: Path, **seconds: float) -> None:
    folder = root / "build/costs"
    folder.mkdir(parents=True)
    for name, spent in seconds.items():
        text = f"0m0.000000s 0m0.000000s\n{spent // 60:.0f}m{spent % 60 - 0.25:f}s 0m0.250000s\n"
        (folder / name.replace("_", ".")).write_text(text)


@pytest.mark.parametrize("code", [0, 3])
def test_processes_below_are_noted_and_the_exit_code_is_kept(code: int, tmp_path: Path) -> None:
    file = tmp_path / "costs/name"
    script = f"{sys.executable} -c '{BUSY}'; exit {code}"

    done = subprocess.run([NOTED, file, "sh", "-c", script], check=False)

    assert done.returncode == code
    children = file.read_text().splitlines()[1]
    assert sum(map(float, re.findall(r"0m([\d.]+)s", children))) >= 0.09


def test_without_write_access_the_command_is_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = subprocess.run(
        [NOTED, tmp_path / "file/costs/name", "echo", "ran"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", "")


@pytest.mark.parametrize(
    ("budget", "opening"),
    [
        ("100", "make test took 90 of 100 processor seconds. Its dearest parts:"),
        ("80", "make test took 90 of 80 processor seconds, which is above its budget. Its"),
    ],
)
def test_a_run_is_printed_beside_its_budget(budget: str, opening: str, tmp_path: Path) -> None:
    note(tmp_path, lab_boards=61, lib_deadlock=20.5, **{"total_make-test": 90})

    first, *parts = costs(tmp_path, "--of", "make test", budget).stdout.splitlines()

    assert first.startswith(opening)
    assert [line.split() for line in parts] == [["61", "lab.boards"], ["20", "lib.deadlock"]]


def test_a_change_takes_what_its_tests_take(tmp_path: Path) -> None:
    note(tmp_path, lib_a=61, lib_b=20, cpp_c=2, pthread_d=7)

    lines = costs(tmp_path).stdout.splitlines()

    found = {re.split("  +", line)[0]: line.split()[-1] for line in lines[1:]}
    assert found == {"linux/core or linux/lib": "83", "linux/pthread": "7"}


def test_without_a_run_it_says_so(tmp_path: Path) -> None:
    done = costs(tmp_path)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "nothing is noted yet: run make test\n"


def test_each_test_has_a_change_and_each_change_a_test(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["ctest", "--test-dir", build_folder(), "-N", "-LE", "all"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = re.findall(r"Test +#\d+: (\S+)", listed)
    note(tmp_path, **dict.fromkeys((name.replace(".", "_") for name in names), 1.0))

    patterns = re.findall(r"-R '(.*)'", costs(tmp_path).stdout)

    source = (ROOT / ".ci/costs").read_text()
    assert len(patterns) == source.partition("CHANGES = {")[2].partition("}")[0].count(": r")
    assert [name for name in names if not any(re.search(p, name) for p in patterns)] == []
