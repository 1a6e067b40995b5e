# SPDX-License-Identifier: MIT
"""CMake and table.py read tests.txt alike: each image is of one test, each test has an image."""

import json
import os
import re
import subprocess

import pytest

from table import TIERS, images_of

TEST = re.compile(r"kernel\.(?P<name>\w+)\.(?P<board>sim|a53)(?P<rest>\.rest)?")


def listed() -> dict[str, set[tuple[str, str]]]:
    """Return the behaviours and boards that CTest knows, by tier."""
    command = ["ctest", "--show-only=json-v1", "--test-dir", os.environ["PLAFOND_BUILD"]]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, set[tuple[str, str]]] = {tier: set() for tier in TIERS}
    for test in json.loads(output)["tests"]:
        if match := TEST.fullmatch(test["name"]):
            found["rest" if match["rest"] else "first"].add((match["name"], match["board"]))
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_each_image_has_a_test_and_each_test_an_image(tier: str) -> None:
    """The two readers of tests.txt agree on the tier; without PLF_ALL_TESTS there is no rest."""
    tests = listed()[tier]
    if tests or tier == "first":
        assert tests == {(case.name, case.board) for case in images_of(tier)}
