# SPDX-License-Identifier: MIT
"""The environment of a program over the drop-in, from which the drop-in takes its settings."""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

LOADER = "LD_PRELOAD"
MODE = "PLAFOND_MODE"
STATS = "PLAFOND_STATS"
LEARN = "PLAFOND_LEARN"
CEILINGS = "PLAFOND_CEILINGS"
ROBUST = "PLAFOND_ROBUST"


# glibc replaces $LIB by one of these. A `..` of the root is the root.
OF_LIB = ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu")
UP_TO_ROOT = 8 * "/.."


class Mode(StrEnum):
    """How the drop-in gives priority."""

    LAZY = "lazy"
    EAGER = "eager"
    OFF = "off"


def named_for_glibc(library: Path) -> str:
    """Return a name under which only the loader of glibc finds the library.

    The program may start another program, which has another C library. That loader takes `$LIB`
    literally, and passes over a file that does not exist. With the library that program would not
    start.
    """
    folders = [Path("/", name).is_dir() for name in OF_LIB]
    return f"/$LIB{UP_TO_ROOT}{library}" if folders.count(True) > 1 else str(library)


def environment_of(library: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Return our environment with the settings, and the drop-in before all preloaded libraries."""
    preloaded = [named_for_glibc(library), *os.environ.get(LOADER, "").replace(":", " ").split()]
    return {**os.environ, **settings, LOADER: ":".join(preloaded)}
