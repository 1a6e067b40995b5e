# SPDX-License-Identifier: MIT
"""Programs with the drop-in preloaded, and plain."""

import os
from pathlib import Path

PREFIX = "PLAFOND_"
LD_PRELOAD = "LD_PRELOAD"


def with_preload(drop_in: Path | None) -> list[str]:
    """Return what stands before a command so that it runs with the drop-in, or with nothing.

    Whatever the environment of this process says, the drop-in works by its defaults, but
    without plafond.ko, and the command in the language of the C locale.
    """
    ours = [name for name in os.environ if name.startswith(PREFIX)]
    unset = [part for name in [LD_PRELOAD, *ours] for part in ("-u", name)]
    preload = [] if drop_in is None else [f"{PREFIX}BACKEND=user", f"{LD_PRELOAD}={drop_in}"]
    return ["env", *unset, "LC_ALL=C", *preload]
