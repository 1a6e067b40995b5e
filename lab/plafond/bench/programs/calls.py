# SPDX-License-Identifier: MIT
"""An Ada program whose protected objects have ceilings: how many scheduling calls it makes.

GNAT's run-time system locks by mutexes of PTHREAD_PRIO_PROTECT, for which the C library makes two
calls a section. strace counts them, in all threads; its own program runs slower for that.
"""

import os
import re
from pathlib import Path

from plafond.bench.programs.model import Pair
from plafond.bench.programs.trial import refuse_missing, run
from plafond.errors import PlafondError
from plafond.preload.environment import LOADER
from plafond.preload.library import find_library

NAME = "controller"
SOURCE = Path(__file__).resolve().parents[4] / "bench" / "ada" / f"{NAME}.adb"
CALLS = ("sched_setscheduler", "sched_setparam", "sched_setattr")
MADE = re.compile(rf"^\d+ +(?:{'|'.join(CALLS)})\(", re.MULTILINE)
OUTPUT = "events: 300\n"


class Calls:
    """The program, which is built here."""

    program = NAME
    counted = "scheduling calls"

    def __init__(self, folder: Path) -> None:
        """Build it; RefusedError if a tool is missing."""
        refuse_missing("gnatmake", "gnat")
        refuse_missing("strace", "strace")
        self._command = ("taskset", "--cpu-list", str(max(os.sched_getaffinity(0))), folder / NAME)
        self._calls = folder / "calls"
        run(("gnatmake", "-q", "-O2", "-D", folder, SOURCE, "-o", folder / NAME))

    def pair(self) -> Pair:
        """Count the calls as the C library makes them, and those that are left."""
        return Pair(plain=self._count(), drop_in=self._count(f"--env={LOADER}={find_library()}"))

    def _count(self, *options: str) -> int:
        strace = ("strace", "--follow-forks", "--seccomp-bpf", f"--trace={','.join(CALLS)}")
        output = run((*strace, f"--output={self._calls}", *options, *self._command))
        if output != OUTPUT:
            raise PlafondError(f"{NAME}: found the output {output!r}; expected {OUTPUT!r}")
        made = calls_in(self._calls.read_text())
        if not made:
            raise PlafondError(f"{NAME}: found no calls; expected some from its start")
        return made


def calls_in(trace: str) -> int:
    """Return how many calls strace wrote down; one that others interrupt has two lines."""
    return len(MADE.findall(trace))
