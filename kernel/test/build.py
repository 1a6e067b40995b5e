# SPDX-License-Identifier: MIT
"""Build the images of the test programs: build.py FOLDER first|rest|all [NAME]..."""

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from plafond.build.image import build_image
from plafond.errors import PlafondError

from described import system_of
from table import HERE, Case, images_of


def build(case: Case, build_folder: Path) -> None:
    """Build one image, with its case.h."""
    folder = case.folder(build_folder)
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "case.h"
    text = f"#define TEST_CASE {case.number}\n"
    if not header.exists() or header.read_text() != text:
        header.write_text(text)
    image = build_image(system_of(case, HERE), case.board, case.protocol, folder, for_tools=False)
    shutil.copy2(image.path, case.image(build_folder))


def main() -> None:
    """Build all, or those with these names."""
    folder, tier, names = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    cases = [case for case in images_of(tier) if not names or case.name in names]

    folders: dict[Path, list[Case]] = {}
    for case in cases:
        folders.setdefault(case.folder(folder), []).append(case)

    def in_one_folder(some: list[Case]) -> str | None:
        for case in some:
            try:
                build(case, folder)
            except PlafondError as error:
                return f"{case.label}: {error}"
        return None

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        failed = [error for error in pool.map(in_one_folder, folders.values()) if error]
    sys.exit("\n".join(failed) if failed else 0)


if __name__ == "__main__":
    main()
