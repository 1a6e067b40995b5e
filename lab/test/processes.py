# SPDX-License-Identifier: MIT
"""Processes and their threads as /proc shows them."""

import os
from contextlib import suppress
from pathlib import Path

from plafond.real_time import REAL_TIME

PROC = Path("/proc")


def live_processes_of(program: Path) -> set[int]:
    """Return the processes that execute a program."""
    found = set()
    for entry in PROC.glob("[0-9]*/exe"):
        with suppress(OSError):  # the process ended meanwhile
            if entry.resolve() == program.resolve():
                found.add(int(entry.parent.name))
    return found


def has_ended(process: int) -> bool:
    """Whether nothing is left of a process but its status."""
    try:
        return (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def threads_of(process: int) -> list[int]:
    """Return the threads of a process."""
    return [int(task.name) for task in (PROC / str(process) / "task").glob("[0-9]*")]


def is_real_time(thread: int) -> bool:
    """Whether a thread is SCHED_FIFO or SCHED_RR. False if there is no such thread."""
    try:
        return os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK in REAL_TIME
    except ProcessLookupError:
        return False


def executed_ns(thread: int) -> int:
    """Return the processor time of a thread in ns, or 0 if there is no such thread."""
    try:
        return int((PROC / str(thread) / "schedstat").read_text().split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0
