# SPDX-License-Identifier: MIT
"""Run a program that was not written for Plafond, without the settings of our environment."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from plafond.errors import PlafondError, RefusedError
from plafond.preload.environment import CEILINGS, LEARN, LOADER, MODE, ROBUST, STATS
from plafond.preload.library import find_library
from plafond.programs import run_to_end

ROOT = Path(__file__).resolve().parents[4]
LONGEST_SECONDS = 60.0
OURS = (CEILINGS, LEARN, LOADER, MODE, ROBUST, STATS)
PRELOAD = (sys.executable, "-m", "plafond", "preload")

Command = Sequence[str | Path]


def refuse_missing(program: str, package: str) -> None:
    """Raise RefusedError if the program is not installed."""
    if not shutil.which(program):
        raise RefusedError(f"{program} is not installed: install the package {package}")


def on_one_cpu(command: Command) -> Command:
    """Return the command pinned to the last allowed CPU, so that its locks can be lazy."""
    return ("taskset", "--cpu-list", str(max(os.sched_getaffinity(0))), *command)


def with_drop_in(command: Command, ceilings: Path | None = None) -> Command:
    """Return the command with the drop-in preloaded, and optionally with a table of ceilings."""
    settings = (f"{CEILINGS}={ceilings}",) if ceilings else ()
    return ("env", f"{LOADER}={find_library()}", *settings, *command)


def run(command: Command) -> str:
    """Run the command to its end, with the drop-in's backend `user`; return its output."""
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    ended = run_to_end(
        command,
        lambda _: None,
        LONGEST_SECONDS,
        {**environment, "PLAFOND_BACKEND": "user"},
    )
    if ended.code != 0:
        why = ended.last_line or f"it ended with {ended.code}"
        raise PlafondError(f"{' '.join(map(str, command))}: {why}")
    return ended.output
