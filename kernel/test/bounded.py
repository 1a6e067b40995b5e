# SPDX-License-Identifier: MIT
"""Run an image to its end, whatever else the host does meanwhile.

An image is bounded by the processor time that it takes of the host, which a loaded host does not
change. One that waits for ever takes none, so there is a bound by the clock, too: a wide one.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.programs import Ended, run_to_end


@dataclass(frozen=True)
class Bounds:
    """How long an image may take."""

    processor_s: int
    clock_s: float

    def hung(self, ended: Ended) -> str:
        """Return how an image did not keep to them; "" if it did."""
        if ended.code == -signal.SIGXCPU:
            return f"hung: it had not ended after {self.processor_s} s of processor time"
        if ended.took_too_long:
            return f"hung: it had not ended after {self.clock_s:.0f} s"
        return ""


def run_bounded(command: Sequence[str | Path], bounds: Bounds, said: list[str]) -> Ended:
    """Run the image; its lines of standard error are added to `said`."""
    most = bounds.processor_s
    limits = [
        "prlimit",
        f"--cpu={most}:{most + 1}",
        "--core=0",
    ]  # beyond the first: SIGXCPU
    return run_to_end([*limits, *command], said.append, bounds.clock_s)
