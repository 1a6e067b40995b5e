# SPDX-License-Identifier: MIT
"""The place of the drop-in."""

import sys
from collections.abc import Iterator
from pathlib import Path

from plafond.errors import PlafondError
from plafond.programs import build_folder

NAME = "libplafond-pthread.so"
IN_BUILD = Path("linux/pthread") / NAME
PREFIXES = (sys.prefix, "/usr/local", "/usr")  # where `make install` puts it
FOLDERS = ("lib", "lib64", "lib/*-linux-gnu*")


def find_library() -> Path:
    """Return the drop-in of the build tree, or an installed drop-in.

    PlafondError if there is none, or if its path has a blank or a colon. The loader splits
    LD_PRELOAD at these, and cannot quote them.
    """
    library = next(_found(), None)
    if library is None:
        raise PlafondError(
            f"{build_folder() / IN_BUILD} is not built, and {NAME} is not installed: run "
            "`ninja -C build plafond-pthread` in the repository"
        )
    if any(letter.isspace() or letter == ":" for letter in str(library)):
        raise PlafondError(
            f"{library}: found a blank or a colon in the path; expected none, for the loader "
            "separates the names in LD_PRELOAD by them"
        )
    return library


def _found() -> Iterator[Path]:
    built = build_folder() / IN_BUILD
    if built.is_file():
        yield built.resolve()
    for prefix in PREFIXES:
        for folder in FOLDERS:
            yield from sorted(Path(prefix).glob(f"{folder}/{NAME}"))
