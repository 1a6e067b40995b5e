# SPDX-License-Identifier: MIT
"""Programs under sanitizers, plain and with the drop-in: the same output, end and reports.

CHECKERS_FOLDER has the programs, CHECKERS_DROP_IN names the drop-in. A program named `-static`
contains and exports its runtime, as clang builds all programs, so the runtime stands before the
drop-in. For other programs the runtime is a library, which stands behind the drop-in.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(os.environ["CHECKERS_FOLDER"])
DROP_IN = os.environ["CHECKERS_DROP_IN"]
LIKE_VALGRIND = os.environ["CHECKERS_LIKE_VALGRIND"]
BUILDS = ["thread", "thread-static", "address", "address-static", "leak", "undefined"]
REPORT = re.compile(r"^SUMMARY: (\w+: [\w -]+)", re.MULTILINE)

Result = subprocess.CompletedProcess[str]


def run(program: Path, *arguments: str, preload: str = "", **settings: str) -> Result:
    """Run the program with these libraries before it."""
    return subprocess.run(
        [program, *arguments],
        env=os.environ | {"LD_PRELOAD": preload} | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def runtime(name: str) -> str:
    """Return the path of a sanitizer's runtime as a library."""
    libraries = subprocess.run(
        ["ldd", FOLDER / f"correct-{name}"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(rf"(/\S*/lib{name[0]}san\.so\S*)", libraries)
    assert found is not None, libraries
    return found[1]


def reports(result: Result) -> set[str]:
    """Return the kinds of faults that a sanitizer reports."""
    return set(REPORT.findall(result.stderr))


def mode(program: Path, preload: str) -> str:
    """Return the drop-in's mode in its statistics."""
    result = run(program, preload=preload, PLAFOND_STATS="1")
    found = re.search(r": mode (\w+),", result.stderr)
    assert found is not None, result.stderr
    return found[1]


# An urgent thread that waits in LeakSanitizer's pthread_create() keeps the new thread from running.
CORRECT = [(build, how) for build in BUILDS for how in ("ordinary", "urgent") if build != "leak"]


@pytest.mark.parametrize(("build", "how"), [*CORRECT, ("leak", "ordinary")])
def test_a_correct_program_is_reported_as_correct(build: str, how: str) -> None:
    program = FOLDER / f"correct-{build}"
    plain = run(program, how)
    assert (plain.returncode, plain.stderr) == (0, "")
    found = run(program, how, preload=DROP_IN)
    assert (found.returncode, found.stdout, found.stderr) == (0, plain.stdout, "")


@pytest.mark.parametrize("build", ["thread", "address"])
def test_a_runtime_that_stands_first_sees_all(build: str) -> None:
    """AddressSanitizer's manual asks for this order. The drop-in works behind the runtime."""
    preload = f"{runtime(build)}:{DROP_IN}"
    program = FOLDER / f"correct-{build}"
    found = run(program, "urgent", preload=preload)
    assert (found.returncode, found.stderr) == (0, "")
    assert mode(program, preload) == "lazy"


@pytest.mark.parametrize(
    ("build", "fault"),
    [
        ("thread", "race"),
        ("thread-static", "race"),
        ("address", "freed"),
        ("address-static", "freed"),
        ("address", "leak"),
        ("leak", "leak"),
    ],
)
def test_a_fault_is_reported_as_without_the_drop_in(build: str, fault: str) -> None:
    program = FOLDER / f"faulty-{build}"
    plain = run(program, fault)
    found = run(program, fault, preload=DROP_IN)
    assert plain.returncode != 0
    assert (found.returncode, found.stdout) == (plain.returncode, plain.stdout)
    assert reports(found) == reports(plain) != set()


def test_the_order_of_asan_is_checked_for_all_other_libraries() -> None:
    """ASan's runtime refuses any other library before it, because that library could allocate."""
    program = FOLDER / "correct-address"
    plain = run(program, preload=LIKE_VALGRIND)
    found = run(program, preload=f"{DROP_IN}:{LIKE_VALGRIND}")
    assert "does not come first" in plain.stderr
    assert (found.returncode, "does not come first" in found.stderr) == (plain.returncode, True)


@pytest.mark.parametrize(
    ("build", "preload"), [("thread", DROP_IN), ("none", f"{LIKE_VALGRIND}:{DROP_IN}")]
)
def test_mutexes_are_left_to_libc_if_a_race_checker_would_not_see_ours(
    build: str, preload: str
) -> None:
    """A line reports that if the caller asks for statistics."""
    program = FOLDER / f"correct-{build}"
    assert mode(program, preload) == "off"
    said = run(program, preload=preload, PLAFOND_STATS="1").stderr.splitlines()[0]
    assert re.fullmatch(r"plafond: found .* left to the C library", said)
    assert run(program, preload=preload).stderr == ""


@pytest.mark.parametrize("build", ["thread-static", "address", "undefined", "none"])
def test_the_drop_in_is_lazy_wherever_its_mutexes_are_seen(build: str) -> None:
    assert mode(FOLDER / f"correct-{build}", DROP_IN) == "lazy"
