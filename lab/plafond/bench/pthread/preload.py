# SPDX-License-Identifier: MIT
"""Build the command prefix for programs with the drop-in preloaded, or plain."""

import os
from pathlib import Path

PREFIX = "PLAFOND_"
LD_PRELOAD = "LD_PRELOAD"


def with_preload(drop_in: Path | None) -> list[str]:
    """Return the words to put before a command to run it with the drop-in, or without.

    Settings of this process's environment have no effect. The drop-in works by its defaults, except
    that it does not use plafond.ko. The command uses the C locale.
    """
    ours = [name for name in os.environ if name.startswith(PREFIX)]
    unset = [part for name in [LD_PRELOAD, *ours] for part in ("-u", name)]
    preload = [] if drop_in is None else [f"{PREFIX}BACKEND=user", f"{LD_PRELOAD}={drop_in}"]
    return ["env", *unset, "LC_ALL=C", *preload]
