# SPDX-License-Identifier: MIT
"""The machine's effect on the threads of a run, in words."""

from collections.abc import Sequence

from plafond.run.model import RunReport
from plafond.units import format_duration
from plafond.witness import CpuBefore, Speed

NO_BOUND_HERE = (
    "So no bound is sure to be kept here, whatever the lock; "
    "the figures above in virtual time hold."
)


def stops_sentence(report: RunReport) -> str | None:
    """Return how often the machine stopped threads, and the consequence; None if it did not."""
    stops = sum(cpu.stops for cpu in report.stops)
    if not stops:
        return None
    longest = format_duration(max(cpu.longest_ns for cpu in report.stops), digits=2)
    often = "once" if stops == 1 else f"{stops} times"
    return f"This machine stopped real-time threads {often}, for up to {longest}. {NO_BOUND_HERE}"


def before_words(before: Sequence[CpuBefore]) -> str:
    """Return the observations of a thread before the run, on the worst of the CPUs."""
    longest = max(before, key=lambda cpu: cpu.longest_stop_ns)
    often = max(before, key=lambda cpu: cpu.stops / cpu.seconds)
    return (
        f"longest stop {format_duration(longest.longest_stop_ns)}, "
        f"{often.stops / often.seconds:g} stops a second; speed: "
        f"{speed_words([cpu.turns_per_us for cpu in before])}"
    )


def speed_words(speeds: Sequence[Speed]) -> str:
    """Return the slowest speed of the CPUs, beside the median of the same CPU."""
    known = [
        (speed.slowest, speed.median)
        for speed in speeds
        if speed.slowest is not None and speed.median is not None
    ]
    if not known:
        return "not known"
    slowest, median = min(known, key=lambda speed: speed[0] / speed[1])
    return f"median {median:g} turns in 1us, slowest {slowest:g}"
