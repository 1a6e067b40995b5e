# SPDX-License-Identifier: MIT
"""Which thread of another program held a CPU: for a run that its watchdog had to end."""

import glob
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from plafond.units import UNIT_NS, format_duration

POLICIES = {0: "SCHED_OTHER", 1: "SCHED_FIFO", 2: "SCHED_RR", 6: "SCHED_DEADLINE"}
LEAST_SHARE = 0.05  # of the time since the run began
OWN = "plafond-run"
# The fields of /proc/PID/task/TID/stat after the name, from the third on: see proc(5).
UTIME, STIME, START, CPU, PRIORITY, POLICY = (number - 3 for number in (14, 15, 22, 39, 40, 41))


class Thread(NamedTuple):
    """A thread, whatever its number is used for later."""

    process: int
    number: int
    start: int


@dataclass(frozen=True)
class Use:
    """How a thread is called and scheduled, and how much time it has had."""

    name: str
    cpu: int
    policy: int
    priority: int
    ticks: int


class Witness:
    """Has seen what every thread had used when the run began."""

    def __init__(self) -> None:
        """Look now."""
        self._begun_s = monotonic()
        self._before = dict(_threads())

    def hogs(self, cpus: Collection[int]) -> list[str]:
        """Name, for each of the CPUs, the thread of others that had it longest; in words."""
        elapsed_s = monotonic() - self._begun_s
        used = self._used()
        return [line for cpu in sorted(cpus) if (line := _line(cpu, used, elapsed_s))]

    def _used(self) -> Mapping[Thread, tuple[Use, int]]:
        """Return what each thread used since, in ticks."""
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
    """Yield all that this process can see; one that ends meanwhile is left out."""
    # That of pathlib fails where a folder that it has listed is gone.
    for file in map(Path, glob.iglob("/proc/[0-9]*/task/[0-9]*/stat")):
        try:
            text = file.read_text(errors="replace")
        except OSError:
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = [int(field) for field in rest.split()[1:]]
        numbers = [0, *fields]  # the state is a letter
        thread = Thread(int(file.parts[2]), int(file.parts[4]), numbers[START])
        ticks = numbers[UTIME] + numbers[STIME]
        yield thread, Use(name, numbers[CPU], numbers[POLICY], numbers[PRIORITY], ticks)
