# SPDX-License-Identifier: MIT
"""The names of the kernel's places from core.h, in gdb and in `plafond run --image`."""

import ast
import re

from plafond.board.boards import KERNEL
from plafond.board.ending import IN_TASK, PLACES

BITS = re.findall(r"\bPLF_IN_\w+ = 1 << (\d+)", (KERNEL / "core.h").read_text())
IN_KERNEL = {1 << int(bit) for bit in BITS}


def of_gdb() -> dict[int, str]:
    """Only gdb can import the script."""
    for node in ast.parse((KERNEL / "debug/commands.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PLACES":
            places: dict[int, str] = ast.literal_eval(node.value)
            return places
    raise AssertionError("no PLACES in kernel/debug/commands.py")


def test_both_know_all_places_of_the_kernel() -> None:
    assert len(IN_KERNEL) == len(BITS) > 10
    assert {IN_TASK, *PLACES} == set(of_gdb()) == IN_KERNEL


def test_both_have_one_name_for_each() -> None:
    names = {place: name for place, name in of_gdb().items() if place != IN_TASK}
    assert {place: name.removesuffix("()") for place, name in PLACES.items()} == names
