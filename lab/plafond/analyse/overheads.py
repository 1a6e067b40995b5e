# SPDX-License-Identifier: MIT
"""What locks, wake-ups and the rest of a machine cost, for bounds of real executions."""

from collections.abc import Mapping
from dataclasses import dataclass

from plafond.protocols import Protocol


@dataclass(frozen=True)
class Costs:
    """What one protocol costs; each the largest that was measured."""

    pair_ns: int  # locking and unlocking once, uncontended
    preempted_ns: int  # what a section that delays somebody costs beyond that
    release_ns: int  # one wake-up with its switches


@dataclass(frozen=True)
class Overheads:
    """The costs by protocol, and what all tasks suffer."""

    costs: Mapping[Protocol, Costs]
    noise: tuple[tuple[int, int], ...] = ()  # (window_ns, stolen_ns), both ascending
    calibration_ppm: int = 0  # how much longer a run step may last than it says

    def __post_init__(self) -> None:
        """Refuse a curve that is none: bounds would be wrong without a sign."""
        windows = [window_ns for window_ns, _ in self.noise]
        stolen = [stolen_ns for _, stolen_ns in self.noise]
        if sorted({*windows}) != windows or sorted(stolen) != stolen or 0 in windows:
            raise ValueError("noise: expected ascending windows above 0, stolen time not falling")

    def stolen_ns(self, window_ns: int) -> int:
        """Time that others may take in any window of this length."""
        for measured_ns, stolen_ns in self.noise:
            if window_ns <= measured_ns:
                return stolen_ns
        if not self.noise:
            return 0
        longest_ns, stolen_ns = self.noise[-1]
        return -(-window_ns // longest_ns) * stolen_ns
