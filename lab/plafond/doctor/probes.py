# SPDX-License-Identifier: MIT
"""Properties that can only be found by trying."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from plafond.witness import CpuBefore, stops_before

CHILD = Path(__file__).with_name("child.py")
LONGEST_SECONDS = 10.0
MOST_WATCHED = 4  # CPUs, each for a second, in sequence


class Tried(BaseModel):
    """The results of trying: "OK" or the name of an error; None if not tried."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    problem: str | None = None  # why not everything was tried
    highest_priority: int | None = None  # of SCHED_FIFO; 0: refused
    pin: str | None = None
    lock_memory: str | None = None
    lock_more: str | None = None  # 64 MiB more than a small process has
    glibc: str | None = None
    prio_inherit: str | None = None
    prio_protect: str | None = None
    robust_protect: str | None = None
    futex_lock_pi: str | None = None
    futex_lock_pi2: str | None = None
    clock_resolution_ns: int | None = None
    container: str | None = None  # a name, or "none"
    virtual_machine: str | None = None
    watched: list[CpuBefore] = []  # the first CPUs allowed here; empty: refused

    def untried(self, what: str) -> str:
        """Return that something was not tried, and why."""
        return f"{what} could not be tried here" + (f"; {self.problem}" if self.problem else "")


def try_here() -> Tried:
    """Try everything on this machine; a child process of bounded time tries all changes."""
    output, problem = _run([sys.executable, "-I", "-S", str(CHILD)])
    results: dict[str, object] = {
        "problem": problem,
        "clock_resolution_ns": round(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9),
        "container": _detect("--container"),
        "virtual_machine": _detect("--vm"),
        "watched": stops_before(sorted(os.sched_getaffinity(0))[:MOST_WATCHED]),
    }
    for line in output.splitlines():
        try:
            results |= json.loads(line)
        except ValueError:  # the child was ended while it printed
            break
    return Tried.model_validate(results)


def _detect(what: str) -> str | None:
    program = shutil.which("systemd-detect-virt")
    return (_run([program, what])[0].strip() or None) if program else None


def _run(command: list[str]) -> tuple[str, str | None]:
    """Return the output of the command, and the problem if it did not end by itself."""
    try:
        result = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        # The documentation says that this is bytes even with text=True.
        return error.stdout.decode() if isinstance(error.stdout, bytes) else "", "took too long"
    except OSError as error:
        return "", f"{command[0]}: {error.strerror}"
    if result.returncode < 0:
        return result.stdout, f"ended by {signal.Signals(-result.returncode).name}"
    return result.stdout, None
