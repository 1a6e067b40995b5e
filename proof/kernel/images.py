# SPDX-License-Identifier: MIT
"""Build images of kernel/test from a tree of sources, and run them.

Usage: python -m proof.kernel.images TREE < TRIES

A line of TRIES is a case, as the folders of the images are named, and a number: of a fault that
core.py lists, or -1. A line of the answer is the number and how the image did not end as it should,
or nothing after it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from bounded import Bounds, run_bounded
from plafond.board.boards import board_of
from plafond.board.image import image_command
from plafond.build.image import build_image
from plafond.describe.kernel import Status
from plafond.describe.load import load
from plafond.errors import PlafondError
from table import Case, read_table

from proof.kernel.core import FAULTS, ORIGINAL

BOUNDS = Bounds(processor_s=10, clock_s=60)
TREE = Path(sys.argv[1]).resolve()
OUT = TREE / "images"


def ending(case: Case) -> str:
    """Build the image and run it; how it did not end as it should have, "" if it did."""
    folder = case.folder(OUT)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.h").write_text(f"#define TEST_CASE {case.number}\n")
    system = load(TREE / "kernel/test" / f"{case.name}.toml")
    system = replace(system, kernel=replace(system.kernel, status=Status(case.status)))
    try:
        build_image(system, case.board, case.protocol, folder)
    except PlafondError as error:
        return f"stillborn {error}"
    command = image_command(folder / "image", board_of(case.board))
    ended = run_bounded(command, BOUNDS, [])
    if hung := BOUNDS.hung(ended):
        return hung
    return "" if ended.code == case.code else f"ends with {ended.code}, not {case.code}"


def tried(case: Case, number: int) -> str:
    """The same with a fault in the tree."""
    if number == ORIGINAL:
        return ending(case)
    mutant = FAULTS[number].fault.mutant(TREE)
    file = TREE / mutant.file
    before = file.read_bytes()
    file.write_bytes(mutant.apply(before))
    try:
        return ending(case)
    finally:
        file.write_bytes(before)


def main() -> None:
    """Answer line by line."""
    cases = {case.folder(OUT).name: case for case in read_table()}
    for line in sys.stdin:
        name, number = line.split()
        print(number, tried(cases[name], int(number)).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
