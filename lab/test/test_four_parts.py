# SPDX-License-Identifier: MIT
"""CTest runs the lab's tests in parts by the first letter of a module. Each letter is in one
part."""

import re
import string
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent


def letters_of(part: str) -> str:
    """Return the letters of a part: `a-c` gives abc."""
    first, last = part[0], part[-1]
    return "".join(letter for letter in string.ascii_lowercase if first <= letter <= last)


def test_each_module_is_in_one_part() -> None:
    listed = re.search(r"set\(lab_letters (.*)\)", (ROOT / "CMakeLists.txt").read_text())
    assert listed
    parts = listed[1].split()

    assert len(parts) == 4
    assert "".join(map(letters_of, parts)) == string.ascii_lowercase
    assert [file.name for file in HERE.glob("test_[!a-z]*.py")] == []
