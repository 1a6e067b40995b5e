# SPDX-License-Identifier: MIT
"""Find the thread of another program that kept a CPU busy, if the watchdog had to end a run."""

import glob
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from plafond.units import UNIT_NS, format_duration

POLICIES = {0: "SCHED_OTHER", 1: "SCHED_FIFO", 2: "SCHED_RR", 6: "SCHED_DEADLINE"}
LEAST_SHARE = 0.05  # the least share of the elapsed time that is reported
OWN = "plafond-run"
# Indices into the fields of /proc/PID/task/TID/stat from the third field on: see proc(5).
UTIME, STIME, START, CPU, PRIORITY, POLICY = (number - 3 for number in (14, 15, 22, 39, 40, 41))


class Thread(NamedTuple):
    """The identity of a thread, which stays valid after its number is used again."""

    process: int
    number: int
    start: int


@dataclass(frozen=True)
class Use:
    """The name and scheduling of a thread, and the processor time that it has had."""

    name: str
    cpu: int
    policy: int
    priority: int
    ticks: int


class Witness:
    """Knows the processor time that every thread had used when the run began."""

    def __init__(self) -> None:
        """Read the processor times now."""
        self._begun_s = monotonic()
        self._before = dict(_threads())

    def hogs(self, cpus: Collection[int]) -> list[str]:
        """Return a sentence for each CPU that names the foreign thread with the most time on it."""
        elapsed_s = monotonic() - self._begun_s
        used = self._used()
        return [line for cpu in sorted(cpus) if (line := _line(cpu, used, elapsed_s))]

    def _used(self) -> Mapping[Thread, tuple[Use, int]]:
        """Return the ticks that each thread has used since the witness was made."""
        return {
            thread: (use, use.ticks - (self._before[thread].ticks if thread in self._before else 0))
            for thread, use in _threads()
            if use.name != OWN and thread.process != os.getpid()
        }


def _line(cpu: int, used: Mapping[Thread, tuple[Use, int]], elapsed_s: float) -> str | None:
    here = [(ticks, thread, use) for thread, (use, ticks) in used.items() if use.cpu == cpu]
    ticks, thread, use = max(here, default=(0, None, None))
    used_s = ticks / os.sysconf("SC_CLK_TCK")
    if thread is None or use is None or used_s < LEAST_SHARE * elapsed_s:
        return None
    policy = POLICIES.get(use.policy, f"policy {use.policy}")
    urgency = f"{policy} {use.priority}" if use.priority else policy
    times = [format_duration(time_s * UNIT_NS["s"], digits=3) for time_s in (used_s, elapsed_s)]
    return (
        f"{use.name} (process {thread.process}, thread {thread.number}, {urgency}) had CPU {cpu} "
        f"for {times[0]} of {times[1]}: end it, or keep it off that CPU"
    )


def _threads() -> Iterator[tuple[Thread, Use]]:
    """Yield all threads that this process can see, except threads that end meanwhile."""
    # Path.glob() fails if a folder disappears after it was listed.
    for file in map(Path, glob.iglob("/proc/[0-9]*/task/[0-9]*/stat")):
        try:
            text = file.read_text(errors="replace")
        except OSError:
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = [int(field) for field in rest.split()[1:]]
        # so that the indices fit: the state is a letter and stays out of `fields`
        numbers = [0, *fields]
        thread = Thread(int(file.parts[2]), int(file.parts[4]), numbers[START])
        ticks = numbers[UTIME] + numbers[STIME]
        yield thread, Use(name, numbers[CPU], numbers[POLICY], numbers[PRIORITY], ticks)
