# SPDX-License-Identifier: MIT
"""Leave no process behind, of however many generations and in whatever session."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plafond.signals import held_signals

SET_CHILD_SUBREAPER = 36  # of prctl()


@contextmanager
def no_orphans() -> Iterator[None]:
    """Become the parent of every process whose parent ends in here, and end them all at the end."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        with held_signals():
            while children := _children():
                for child in children:
                    _end(child)  # its children are ours then
        prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> list[int]:
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            found += map(int, (task / "children").read_text().split())
    return found


def _end(child: int) -> None:
    # Until it is waited for, the process id cannot become another's.
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
