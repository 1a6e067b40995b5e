# SPDX-License-Identifier: MIT
"""Names in a column, and the text beside them."""

import pytest

from plafond.check.columns import WIDTH, entry


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("abcde", ["abcde  some text"]),
        ("abcdef", ["abcdef some text"]),
        ("abcdefg", ["abcdefg", "       some text"]),
        ("abcdefgh", ["abcdefgh", "       some text"]),
    ],
)
def test_a_name_that_does_not_fit_has_a_line_of_its_own(name: str, lines: list[str]) -> None:
    assert entry(name, "some text", 7).splitlines() == lines


def test_what_is_long_goes_on_below_itself() -> None:
    first, second = entry("name", "a " * 49 + "last", 7).splitlines()
    assert first.startswith("name   a a")
    assert len(first) <= WIDTH
    assert second.strip().endswith("last")
    assert second.startswith(" " * 7)
