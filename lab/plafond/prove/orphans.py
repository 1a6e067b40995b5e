# SPDX-License-Identifier: MIT
"""End all descendants of this process, in any generation and session."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plafond.signals import held_signals

SET_CHILD_SUBREAPER = 36  # a number of prctl()


@contextmanager
def no_orphans() -> Iterator[None]:
    """Adopt orphaned descendants within this context, and kill all children at its end."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        with held_signals():
            while children := _children():
                for child in children:
                    _end(child)  # its children become ours
        prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> list[int]:
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread has just ended
            found += map(int, (task / "children").read_text().split())
    return found


def _end(child: int) -> None:
    # The process id stays reserved until waitpid(), so kill() cannot hit another process.
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
