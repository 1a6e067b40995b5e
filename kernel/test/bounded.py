# SPDX-License-Identifier: MIT
"""Run an image to its end, whatever else the host does meanwhile.

The bound of an image is its processor time, which does not depend on the load of the host. An image
that waits for ever takes no processor time. So the time in which all its threads sleep is bounded,
too. A thread that only waits for a processor does not sleep.
"""

import resource
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from plafond.programs import Ended

PROC = Path("/proc")
LONGEST_LOOK_S = 0.1  # longer gaps between two looks do not count in full
LOOK_EVERY_S = 0.05


@dataclass(frozen=True)
class Bounds:
    """The time that an image may take."""

    processor_s: int
    asleep_s: float

    def hung(self, ended: "Ended | Written") -> str:
        """Return how an image exceeded the bounds; "" if it did not."""
        if ended.code == -signal.SIGXCPU:
            return f"hung: it had not ended after {self.processor_s} s of processor time"
        if ended.took_too_long:
            return f"hung: it had slept for {self.asleep_s:.0f} s"
        return ""


@dataclass(frozen=True)
class Written:
    """The exit code of an image, and the bytes that it wrote."""

    code: int
    output: bytes
    errors: bytes
    took_too_long: bool  # it slept too long


def run_bounded(command: Sequence[str | Path], bounds: Bounds, said: list[str]) -> Ended:
    """Run the image. The lines of its standard error are added to `said`."""
    written = run_to_bytes(command, bounds)
    said += written.errors.decode(errors="replace").splitlines()
    output = written.output.decode(errors="replace")
    return Ended(written.code, output, "", written.took_too_long)


def run_to_bytes(command: Sequence[str | Path], bounds: Bounds) -> Written:
    """Run the image, whose output may be no text."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        limits = (bounds.processor_s, bounds.processor_s + 1)  # above the first limit: SIGXCPU
        resource.prlimit(process.pid, resource.RLIMIT_CPU, limits)
        resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        sleep = Sleep(process.pid, bounds.asleep_s)
        try:
            while True:
                try:
                    output, errors = process.communicate(timeout=LOOK_EVERY_S)
                except subprocess.TimeoutExpired:  # no output is lost
                    if sleep.is_over():
                        process.kill()
                else:
                    return Written(process.returncode, output, errors, sleep.was_long)
        finally:
            process.kill()


class Sleep:
    """The time in which all threads of a process were seen asleep."""

    def __init__(self, process: int, longest_s: float, proc: Path = PROC) -> None:
        """Begin now."""
        self._tasks, self._longest_s = proc / str(process) / "task", longest_s
        self._asleep_s, self._looked_s = 0.0, time.monotonic()

    def is_over(self) -> bool:
        """Look once more."""
        before_s, self._looked_s = self._looked_s, time.monotonic()
        if all(state == "S" for state in self._states()):
            self._asleep_s += min(self._looked_s - before_s, LONGEST_LOOK_S)
        return self.was_long

    @property
    def was_long(self) -> bool:
        """Whether the process slept longer than allowed."""
        return self._asleep_s > self._longest_s

    def _states(self) -> list[str]:
        states = []
        for stat in self._tasks.glob("*/stat"):
            with suppress(OSError):  # the thread ended
                states.append(stat.read_text().rpartition(")")[2].split()[0])
        return states
