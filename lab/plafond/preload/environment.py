# SPDX-License-Identifier: MIT
"""What the drop-in gets to know: the environment of a program that runs over it."""

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


class Mode(StrEnum):
    """How the drop-in gives priority."""

    LAZY = "lazy"
    EAGER = "eager"
    OFF = "off"


def environment_of(library: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Return ours with the settings and the drop-in, before what is preloaded already."""
    preloaded = [str(library), *os.environ.get(LOADER, "").replace(":", " ").split()]
    return {**os.environ, **settings, LOADER: ":".join(preloaded)}
