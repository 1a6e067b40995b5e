# SPDX-License-Identifier: MIT
"""An image that is not built fails only its own tests, with the message of the compiler."""

from dataclasses import replace
from pathlib import Path

from build import build_all
from run import fault
from table import Case

GOOD = Case("good", "sim", "standard", "", "uprio-nprio", 0, 0)
BAD = replace(GOOD, name="bad")
# Only case 0 compiles.
PROGRAM = """
#include "os.h"
#include "case.h"

#if TEST_CASE
#error "no program has this number"
#endif
TASK(ONE)
{
	ShutdownOS(E_OK);
}
"""
DESCRIPTION = """
[kernel]
sources = ["one.c"]
[task]
ONE = { priority = 1, autostart = true }
"""


def described(folder: Path, name: str, source: str) -> None:
    """Write the description of a behaviour, and its program."""
    (folder / f"{name}.toml").write_text(DESCRIPTION.replace("one.c", f"{name}.c"))
    (folder / f"{name}.c").write_text(source)


def test_an_image_that_is_not_built_fails_its_own_tests_alone(tmp_path: Path) -> None:
    """Even if the images share a folder: each number has another case.h."""
    described(tmp_path, "good", PROGRAM)
    described(tmp_path, "bad", "what is no C")
    cases = [replace(GOOD, number=1), GOOD, BAD, replace(GOOD, number=2)]
    failed = build_all(cases, tmp_path / "build", tmp_path)
    faults = [fault(case, tmp_path / "build") for case in cases]
    assert len(failed) == 3
    assert faults[1] is None
    for found in (faults[0], faults[3]):
        assert found is not None
        assert "was not built" in found
        assert "good.c:6:" in found
        assert "no program has this number" in found
    assert faults[2] is not None
    assert "bad.c:1:" in faults[2]


def test_what_was_built_before_is_not_run_when_it_is_not_built_again(tmp_path: Path) -> None:
    """The present failure counts."""
    described(tmp_path, "good", PROGRAM)
    assert build_all([GOOD], tmp_path / "build", tmp_path) == []
    assert fault(GOOD, tmp_path / "build") is None
    described(tmp_path, "good", "what is no C")
    assert len(build_all([GOOD], tmp_path / "build", tmp_path)) == 1
    found = fault(GOOD, tmp_path / "build")
    assert found is not None
    assert "good.c:1:" in found


def test_an_image_that_build_has_not_come_to_is_not_run(tmp_path: Path) -> None:
    """Its test fails."""
    assert fault(GOOD, tmp_path) == "was not built: build.py has not come to it"
