# SPDX-License-Identifier: MIT
"""Find out that a process hangs, by signs that a busy machine cannot give.

A clock is not enough, because a starved test takes long, too. There are three signs. First, the
test has used far more processor time than it needs. Second, all its threads sleep, and none has run
for a while. Third, all its threads sleep at most of the looks, for far longer than it should sleep,
because it polls. A thread that waits for a processor is runnable. A sleeper that ran has one more
context switch. A wide bound by the clock catches all other cases.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
SLEEPS, DEAD = ("S",), ("Z", "X")
LONGEST_LOOK_S = 0.1  # between longer gaps the state is unknown


@dataclass(frozen=True)
class Bounds:
    """The bounds on a test, in seconds."""

    processor_s: float
    asleep_s: float  # all threads, without a switch
    idle_s: float  # all threads, in total
    clock_s: float


@dataclass(frozen=True)
class Thread:
    """A thread, as /proc/PID/task/TID/status shows it."""

    state: str
    switches: int


def of_threads(process: int, name: str, proc: Path) -> list[Path]:
    """This file of each thread of the process; none if the process has ended."""
    try:
        return list((proc / str(process) / "task").glob(f"*/{name}"))
    except OSError:  # it ended after glob() had found it
        return []


def children_of(process: int, proc: Path) -> list[int]:
    """The processes that its threads have started and not yet released."""
    found: list[int] = []
    for file in of_threads(process, "children", proc):
        with suppress(OSError):
            found += map(int, file.read_text().split())
    return found


def descendants_of(process: int, proc: Path) -> Iterator[int]:
    """All processes below it."""
    for child in children_of(process, proc):
        yield child
        yield from descendants_of(child, proc)


def thread_of(status: str) -> Thread:
    """The thread's state, and its number of context switches."""
    rows = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    kinds = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
    return Thread(rows["State"].split()[0], sum(int(rows.get(kind, 0)) for kind in kinds))


def threads_of(process: int, proc: Path) -> dict[int, Thread]:
    """All threads of a process, by TID."""
    found: dict[int, Thread] = {}
    for file in of_threads(process, "status", proc):
        with suppress(OSError):
            found[int(file.parent.name)] = thread_of(file.read_text())
    return found


def processor_s_of(process: int, proc: Path) -> float:
    """The processor time of all its threads, also of ended threads."""
    try:
        fields = (proc / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


@dataclass
class Patience:
    """Follows a process that was started now. Look at it several times a second."""

    leader: int
    bounds: Bounds
    proc: Path = PROC
    _asleep: dict[int, Thread] = field(default_factory=dict)  # at the first look of this sleep
    _asleep_since_s: float = 0.0
    _idle_s: float = 0.0
    _looked_s: float = 0.0

    def is_over(self, now_s: float | None = None) -> bool:
        """Whether the test hangs. A supervisor of the test does not count, because it polls."""
        now_s = time.monotonic() if now_s is None else now_s
        processes = list(descendants_of(self.leader, self.proc)) or [self.leader]
        if sum(processor_s_of(p, self.proc) for p in processes) > self.bounds.processor_s:
            return True
        threads: dict[int, Thread] = {}
        for process in processes:
            threads |= threads_of(process, self.proc)
        states = [t.state for t in threads.values() if t.state not in DEAD]
        since_s, self._looked_s = now_s - self._looked_s, now_s
        if not states or any(state not in SLEEPS for state in states):
            self._asleep = {}
            return False
        if self._asleep:
            self._idle_s += min(since_s, LONGEST_LOOK_S)
        if threads != self._asleep:
            self._asleep, self._asleep_since_s = threads, now_s
        return (
            now_s - self._asleep_since_s > self.bounds.asleep_s or self._idle_s > self.bounds.idle_s
        )
