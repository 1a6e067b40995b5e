# SPDX-License-Identifier: MIT
"""Parse the output of the program `frames` for a run of the device."""

from dataclasses import dataclass
from itertools import pairwise

from plafond.bench.irqs.simulate import Outcome


@dataclass(frozen=True)
class Frame:
    """The times of a frame, in ns of CLOCK_MONOTONIC; None: lost or not received."""

    sent_ns: int
    served_ns: int | None
    received_ns: int | None


@dataclass(frozen=True)
class FramesRun:
    """The output of a run."""

    begin_ns: int  # due time of the first interrupt
    backlog_most: int
    frames: list[Frame]
    executed_ns: int | None  # execution time of the thread in the run; None: not requested

    @property
    def outcome(self) -> Outcome:
        """Return the outcome as a simulation has it: the first interrupt is due at 0."""
        served_ns = [
            None if frame.served_ns is None else frame.served_ns - self.begin_ns
            for frame in self.frames
        ]
        lost = served_ns.count(None)
        made = len(served_ns)
        return Outcome(made, made - lost, lost, self.backlog_most, served_ns)

    @property
    def between_served_ns(self) -> list[int]:
        """Return the times between successive served frames."""
        served_ns = [frame.served_ns for frame in self.frames if frame.served_ns is not None]
        return [after - before for before, after in pairwise(served_ns)]


def parse_frames(output: bytes) -> FramesRun:
    """Parse the output, with or without a line of /proc/TID/schedstat before and after it."""
    lines = [[int(word) for word in line.split()] for line in output.decode().splitlines()]
    executed_ns = None
    if len(lines[0]) == 3:  # the header has 5 numbers
        before, *lines, after = lines
        executed_ns = after[0] - before[0]
    (begin_ns, _, _, _, backlog_most), *rest = lines
    frames = [Frame(sent, served or None, received or None) for sent, served, received in rest]
    return FramesRun(begin_ns, backlog_most, frames, executed_ns)
