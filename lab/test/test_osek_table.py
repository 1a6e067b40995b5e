# SPDX-License-Identifier: MIT
"""The sentences of OSEK in docs/osek: each row names tests, which must exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "kernel/test"
ROW = re.compile(r"\| (?P<section>[\w. -]+) \| (?P<asked>.+) \| (?P<tests>.+) \|")
NAMED = re.compile(r"`([\w.]+):(\w+)`")
WHY_NOT = re.compile(r"no test, because .+\.")  # in place of tests


def rows() -> list[tuple[str, list[tuple[str, str]], str]]:
    """Return, for each row, the requirement, the files and functions that show it, and the whole
    cell."""
    pages = sorted((ROOT / "docs/osek").glob("*.md"))
    lines = [line for page in pages for line in page.read_text().splitlines()]
    tables = [line for line in lines if line.startswith("|") and not line.startswith("|---")]
    found = [ROW.fullmatch(line) for line in tables if not line.startswith("| section |")]
    assert all(found), "a row has a section, what it asks, and what shows it"
    return [(each["asked"], NAMED.findall(each["tests"]), each["tests"]) for each in found if each]


@cache
def described() -> str:
    """Return the descriptions of the programs that tests.txt names."""
    lines = (PROGRAMS / "tests.txt").read_text().splitlines()
    names = {line.split()[0] for line in lines if line and not line.startswith("#")}
    return "".join((PROGRAMS / f"{name}.toml").read_text() for name in sorted(names))


def is_there(file: str, function: str) -> bool:
    """Whether a program runs the file, and the file has that function."""
    if file.endswith(".py"):
        return f"\ndef {function}(" in (ROOT / "lab/test" / file).read_text()
    text = (PROGRAMS / file).read_text()
    is_run = f'"{file}"' in described()
    entry = rf"(TASK|ISR|ALARMCALLBACK|COMCallback)\({function}\)"
    attempt = rf"(LOAD|STORE|JUMP)\({function},"  # in foul_memory.c
    other = rf"(static .*\b|void |int |ProtectionReturnType ){function}\("  # hooks, and main()
    return is_run and bool(re.search(rf"^({entry}|{attempt}|{other})", text, re.M))


def test_each_row_names_tests_or_says_why_not() -> None:
    assert len(rows()) > 200
    for asked, tests, cell in rows():
        shows = bool(tests) and NAMED.sub("", cell).strip(", ") == ""
        assert shows or WHY_NOT.fullmatch(cell), asked


def test_few_rows_have_no_test() -> None:
    assert sum(cell.startswith("no test") for *_, cell in rows()) <= 12


@pytest.mark.parametrize(
    ("file", "function"), sorted({test for _, tests, _ in rows() for test in tests})
)
def test_a_test_that_is_named_is_there(file: str, function: str) -> None:
    assert is_there(file, function)


def test_a_test_that_is_not_there_is_found() -> None:
    assert not is_there("events.c", "no_such_function")
    assert not is_there("check.h", "mark")  # in no description
    assert not is_there("test_oil.py", "no_such_test")
