# SPDX-License-Identifier: MIT
"""The sentences of OSEK in docs/osek.md: each row names tests, and these are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "kernel/test"
ROW = re.compile(r"\| (?P<section>[\w. -]+) \| (?P<asked>.+) \| (?P<tests>.+) \|")
NAMED = re.compile(r"`([\w.]+): (\w+)`")


def rows() -> list[tuple[str, list[tuple[str, str]]]]:
    """What each row asks for, and the files and functions that show it."""
    lines = (ROOT / "docs/osek.md").read_text().splitlines()
    tables = [line for line in lines if line.startswith("|") and not line.startswith("|---")]
    found = [ROW.fullmatch(line) for line in tables if not line.startswith("| section |")]
    assert all(found), "a row has a section, what it asks, and what shows it"
    return [(each["asked"], NAMED.findall(each["tests"])) for each in found if each]


def described() -> str:
    """The descriptions of the programs that tests.txt names."""
    lines = (PROGRAMS / "tests.txt").read_text().splitlines()
    names = {line.split()[0] for line in lines if line and not line.startswith("#")}
    return "".join((PROGRAMS / f"{name}.toml").read_text() for name in sorted(names))


def is_there(file: str, function: str) -> bool:
    """Whether the file is run, and has that function."""
    if file.endswith(".py"):
        return f"\ndef {function}(" in (ROOT / "lab/test" / file).read_text()
    text = (PROGRAMS / file).read_text()
    is_run = f'"{file}"' in described()
    return is_run and bool(re.search(rf"^(TASK\({function}\)|static .*\b{function}\()", text, re.M))


def test_each_row_names_tests_and_nothing_else() -> None:
    assert len(rows()) > 30
    for asked, tests in rows():
        assert tests, asked
    text = (ROOT / "docs/osek.md").read_text()
    cells = [match["tests"] for match in map(ROW.fullmatch, text.splitlines()) if match]
    for cell in cells:
        assert NAMED.sub("", cell).strip(", ") in ("", "shown by"), cell


@pytest.mark.parametrize(
    ("file", "function"), sorted({test for _, tests in rows() for test in tests})
)
def test_a_test_that_is_named_is_there(file: str, function: str) -> None:
    assert is_there(file, function)


def test_a_test_that_is_not_there_is_found() -> None:
    assert not is_there("events.c", "no_such_function")
    assert not is_there("check.h", "mark")  # of no description
    assert not is_there("test_oil.py", "no_such_test")
