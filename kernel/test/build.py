# SPDX-License-Identifier: MIT
"""Build the images of the test programs: build.py FOLDER first|rest|all [NAME]...

The exit code is 0 even if some images were not built. Their tests then fail, and print the reason
(made.py).
"""

import os
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from plafond.board.boards import board_of
from plafond.board.image import image_command
from plafond.board.qemu import cpus_of, serial_at_stdio
from plafond.build.generate import LEVEL
from plafond.build.image import build_image
from plafond.build.objects import Part
from plafond.errors import PlafondError

from described import system_of
from made import Made
from table import HERE, Case, images_of, is_as_of_users, is_timed

# The fastest level of compilation with which images are right.
QUICKLY_BUILT = "-Og"


def build(case: Case, build_folder: Path, descriptions: Path = HERE) -> Made:
    """Build an image, with its case.h.

    On each board a sample of the images is built as images of users are. All others have a
    compilation unit for each part, and are optimized only if their instructions count.
    """
    folder = case.folder(build_folder)
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "case.h"
    text = f"#define TEST_CASE {case.number}\n"
    if not header.exists() or header.read_text() != text:
        header.write_text(text)
    as_of_users = is_as_of_users(case)
    image = build_image(
        *(system_of(case, descriptions), case.board, case.protocol, folder),
        level=LEVEL if as_of_users or is_timed(case) else QUICKLY_BUILT,
        for_tools=False,
        join=() if as_of_users else tuple(Part),
    )
    kept = case.image(build_folder)
    shutil.copy2(image.path, kept)
    serial = serial_at_stdio() if case.board == "a53" else ()
    several = case.board == "a53" and cpus_of(kept) > 1
    command, at_once = (
        image_command(kept, board_of(case.board), serial, at_once) for at_once in (False, True)
    )
    return Made(command, at_once if several else [])


def build_all(cases: Iterable[Case], build_folder: Path, descriptions: Path = HERE) -> list[str]:
    """Build the images, and return the reasons why some were not built."""
    folders: dict[Path, list[Case]] = {}
    for case in cases:
        folders.setdefault(case.folder(build_folder), []).append(case)

    def in_one_folder(some: list[Case]) -> list[str]:
        failed = []
        for case in some:
            try:
                made = build(case, build_folder, descriptions)
            except PlafondError as error:
                made = Made([], [], str(error))
                failed.append(f"{case.label}: {error}")
            made.write(case, build_folder)
        return failed

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [error for failed in pool.map(in_one_folder, folders.values()) for error in failed]


def main() -> None:
    """Build all images, or the images with these names."""
    folder, tier, names = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
    cases = [case for case in images_of(tier) if not names or case.name in names]
    print("\n".join(build_all(cases, folder)))


if __name__ == "__main__":
    main()
