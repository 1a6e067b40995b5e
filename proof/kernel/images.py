# SPDX-License-Identifier: MIT
"""Build images of kernel/test from a tree of sources, and run them.

Usage: python -m proof.kernel.images TREE < TRIES

A line of TRIES is the name of a case, as the folders of the images have it, and a number. The
number is the index of a fault in core.py, or -1. A line of the answer is the number, and how the
image ended wrongly, or nothing.

The build with a fault begins with the files of the build without it, and their dates. So only files
that read the file with the fault are compiled again.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from bounded import Bounds, run_bounded
from described import system_of
from plafond.board.boards import board_of
from plafond.board.image import image_command
from plafond.build.generate import LEVEL
from plafond.build.image import build_image
from plafond.errors import PlafondError
from table import Case, read_table

from proof.kernel.core import FAULTS, ORIGINAL, SAME
from proof.mutation import Mutant

LONGER = 5  # an image hangs if it takes this many times as long as without a fault
ORIGINAL_S, ASLEEP_S = 10, 60
SILENTLY = f"{LEVEL} -w"  # no warnings, because a missing statement may leave a variable unused
TREE = Path(sys.argv[1]).resolve()
OUT, KEPT = TREE / "images", TREE / "kept"


@dataclass(frozen=True)
class Ending:
    """How an image ended wrongly ("" if it did not), its processor time, and the image itself."""

    wrong: str
    taken_s: float = 0
    image: bytes = b""


def ending(case: Case, most_s: int, original: bytes = b"") -> Ending:
    """Build the image; run it unless it equals `original`."""
    folder = case.folder(OUT)
    folder.mkdir(parents=True, exist_ok=True)
    header, text = folder / "case.h", f"#define TEST_CASE {case.number}\n"
    if not header.exists() or header.read_text() != text:  # otherwise the file keeps its date
        header.write_text(text)
    system = system_of(case, TREE / "kernel/test")
    try:
        image = build_image(
            system, case.board, case.protocol, folder, level=SILENTLY, for_tools=False
        )
    except PlafondError as error:
        return Ending(f"stillborn {error}")
    built = image.path.read_bytes()
    if built == original:
        return Ending(SAME)
    bounds = Bounds(most_s, ASLEEP_S)
    before_s = _taken_s()
    ended = run_bounded(image_command(image.path, board_of(case.board)), bounds, [])
    taken_s = _taken_s() - before_s
    if hung := bounds.hung(ended):
        return Ending(hung, taken_s)
    expected = f"ends with {ended.code}, not {case.code}"
    return Ending("" if ended.code == case.code else f"{case.label} {expected}", taken_s, built)


def _taken_s() -> float:
    """Processor time of all programs that were run here, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def without_fault(case: Case) -> Ending:
    """Build and run the image without a fault, and keep the files of the build."""
    found = ending(case, ORIGINAL_S)
    shutil.copytree(case.folder(OUT), KEPT / case.label)
    return found


def with_fault(case: Case, number: int, original: Ending) -> Ending:
    """Build and run the image with this fault. `original` gives the bound on its time."""
    fault = FAULTS[number]
    folder = case.folder(OUT)
    shutil.rmtree(folder)
    shutil.copytree(KEPT / case.label, folder)
    with _put_in(fault.mutant(TREE)):
        compared = original.image if fault.is_generated else b""
        return ending(case, ceil(LONGER * original.taken_s), compared)


@contextmanager
def _put_in(mutant: Mutant) -> Iterator[None]:
    """Put the fault into the file; then restore the file and its dates, so it seems unchanged."""
    file = TREE / mutant.file
    before, dates = file.read_bytes(), file.stat()
    file.write_bytes(mutant.apply(before))
    try:
        yield
    finally:
        file.write_bytes(before)
        os.utime(file, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def main() -> None:
    """Answer line by line. The first line of each image must be the one without a fault."""
    cases = {case.label: case for case in read_table()}
    originals: dict[str, Ending] = {}
    for line in sys.stdin:
        name, number = line.split()
        case, fault = cases[name], int(number)
        if fault == ORIGINAL:
            found = originals[name] = without_fault(case)
        else:
            found = with_fault(case, fault, originals[name])
        print(number, found.wrong.replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
