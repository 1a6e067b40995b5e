# SPDX-License-Identifier: MIT
"""Each image belongs to a test, each test has an image, and a tier covers its pairs."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from table import (
    BOARDS,
    EXTENDED,
    HERE,
    STATUS,
    TIERS,
    Case,
    covering,
    images_of,
    is_as_of_users,
    is_timed,
)

KERNEL = HERE.parent

TEST = re.compile(
    r"^add_test\(\W*kernel\.(?P<name>\w+)\.(?P<board>sim|a53)(?:\.(?P<tier>pairs|rest))?\b",
    re.MULTILINE,
)


def listed() -> dict[str, set[tuple[str, str]]]:
    """Return the behaviours and boards that CTest knows, by tier."""
    text = (Path(os.environ["PLAFOND_BUILD"]) / "kernel/CTestTestfile.cmake").read_text()
    found: dict[str, set[tuple[str, str]]] = {tier: set() for tier in TIERS}
    for test in TEST.finditer(text):
        found[test["tier"] or "first"].add((test["name"], test["board"]))
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_each_image_has_a_test_and_each_test_an_image(tier: str) -> None:
    """CMake has the output of table.py. Without PLF_ALL_TESTS it has only the first tier."""
    tests = listed()[tier]
    if tests or tier == "first":
        assert tests == {(case.name, case.board) for case in images_of(tier)}


def pairs(cases: Iterable[Case]) -> set[tuple[str, str]]:
    """Return all pairs of values of an image, by the words of the table."""
    found = set()
    for case in cases:
        scheduler = case.scheduler or "as described"
        values = [case.name, case.board, case.status, scheduler, case.protocol]
        found |= {(one, other) for one in values for other in values}
    return found


def test_each_pair_that_occurs_has_an_image() -> None:
    """Any two of a behaviour, a board, a status, a scheduler and a protocol."""
    assert pairs([*images_of("first"), *images_of("pairs")]) == pairs(images_of("all"))


def test_pairs_without_the_behaviour_are_covered_too() -> None:
    """If a behaviour has all of two boards and two statuses, no image can be left out."""
    every = [("one", board, status, "", "syscall") for board in BOARDS for status in STATUS]
    assert covering({every[0]}, [every]) == set(every[1:])


def test_no_image_is_of_two_tiers() -> None:
    """The first images and the rest are all images, and the pairs are part of the rest."""
    first, some, rest = (images_of(tier) for tier in TIERS)
    assert sorted(map(repr, [*first, *rest])) == sorted(map(repr, images_of("all")))
    assert set(some) < set(rest)


def test_pairs_are_a_third_of_the_rest() -> None:
    """Otherwise they would be no selection."""
    assert len(images_of("pairs")) < 0.4 * len(images_of("rest"))


def test_each_file_of_services_has_a_first_image_in_extended_status() -> None:
    """EXTENDED lists all files, and the images exist."""
    files = {
        str(file.relative_to(KERNEL))
        for file in KERNEL.rglob("*.c")
        if not {"test", "ports"} & set(file.relative_to(KERNEL).parts)
        and re.search(r"^struct plf_result plf_\w+\(", file.read_text(), re.MULTILINE)
    }
    assert files == set(EXTENDED)
    extended = {case.name for case in images_of("first") if case.status == "extended"}
    assert set(EXTENDED.values()) <= extended


def test_some_images_of_each_board_are_as_those_of_users() -> None:
    """About an eighth in each tier."""
    for tier in TIERS:
        for board in BOARDS:
            cases = [case for case in images_of(tier) if case.board == board]
            assert 0.04 < sum(map(is_as_of_users, cases)) / len(cases) < 0.25


def test_instructions_count_on_boards_and_where_each_is_swept() -> None:
    timed = {(each.board, each.name): is_timed(each) for tier in TIERS for each in images_of(tier)}

    assert timed["a53", "ioc"]
    assert timed["a53", "sweep_timer"]
    assert timed["sim", "sweep_steps"]
    assert not timed["sim", "ioc"]
