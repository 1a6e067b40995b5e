# SPDX-License-Identifier: MIT
"""Measure how much CPU time others use while this process waits for a measuring program."""

import os
import resource
from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic

from plafond.doctor.machine import Machine

BUSY = (0, 1, 2, 5, 6, 7)  # columns of a line of /proc/stat: user nice system, irq softirq steal


@dataclass
class Others:
    """The time that the CPUs had, and the part of it that others used."""

    machine: Machine
    cpus: Collection[int]
    had_s: float = 0.0
    used_s: float = 0.0

    def __enter__(self) -> None:
        """Begin to observe."""
        self._begun_s, self._before_s = monotonic(), self._used_until_now_s()

    def __exit__(self, *_: object) -> None:
        """Stop observing, and add the interval."""
        now_s = self._used_until_now_s()
        if now_s is not None and self._before_s is not None:
            self.had_s += (monotonic() - self._begun_s) * len(self.cpus)
            self.used_s += max(0.0, now_s - self._before_s)

    @property
    def share(self) -> float | None:
        """Return the share that others used; None: not known."""
        return min(1.0, self.used_s / self.had_s) if self.had_s else None

    def _used_until_now_s(self) -> float | None:
        ticks = None
        for line in (self.machine.text("proc/stat") or "").splitlines():
            name, *counts = line.split()
            if name in {f"cpu{cpu}" for cpu in self.cpus}:
                ticks = (ticks or 0) + sum(int(counts[place]) for place in BUSY)
        if ticks is None:
            return None
        own = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return ticks / os.sysconf("SC_CLK_TCK") - sum(each.ru_utime + each.ru_stime for each in own)
