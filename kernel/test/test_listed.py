# SPDX-License-Identifier: MIT
"""CMake and table.py read tests.txt alike: each image is of one test, each test has an image."""

import os
import re
from pathlib import Path

import pytest

from table import TIERS, images_of

TEST = re.compile(
    r"^add_test\(\W*kernel\.(?P<name>\w+)\.(?P<board>sim|a53)(?P<rest>\.rest)?\b", re.MULTILINE
)


def listed() -> dict[str, set[tuple[str, str]]]:
    """Return the behaviours and boards that CTest knows, by tier."""
    text = (Path(os.environ["PLAFOND_BUILD"]) / "kernel/CTestTestfile.cmake").read_text()
    found: dict[str, set[tuple[str, str]]] = {tier: set() for tier in TIERS}
    for test in TEST.finditer(text):
        found["rest" if test["rest"] else "first"].add((test["name"], test["board"]))
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_each_image_has_a_test_and_each_test_an_image(tier: str) -> None:
    """The two readers of tests.txt agree on the tier; without PLF_ALL_TESTS there is no rest."""
    tests = listed()[tier]
    if tests or tier == "first":
        assert tests == {(case.name, case.board) for case in images_of(tier)}
