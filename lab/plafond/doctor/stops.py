# SPDX-License-Identifier: MIT
"""How often and how long this machine stops a real-time thread, and its slowest speed."""

from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.doctor.probes import Tried
from plafond.witness import CpuBefore

TOPIC = "stops"
CURE = "run on another host or on isolated CPUs; or see the bounds kept with --on vm or --on sim"
SLOWEST = 0.5  # lowest fit speed, as a share of the median speed


def stops(tried: Tried) -> Finding:
    """Return the finding about the worst of the watched CPUs."""
    if not tried.watched:
        return unknown(
            TOPIC, "not watched: that needs SCHED_FIFO, and plafond-run as make builds it"
        )
    longest = max(tried.watched, key=lambda cpu: cpu.longest_stop_ns)
    often = max(cpu.stops / cpu.seconds for cpu in tried.watched)
    slowest = min(map(_slowest, tried.watched))
    slow = f"the slowest 10 us at {slowest:.0%} of the usual speed"
    if often == 0 and slowest >= SLOWEST:
        return ok(TOPIC, f"none above 100 us in a second; {slow}")
    return warn(
        TOPIC,
        f"{often:g} a second, for up to {longest.longest_stop_ns / 1e6:.2g} ms; {slow}",
        CURE,
    )


def _slowest(cpu: CpuBefore) -> float:
    """Return the slowest speed as a share of the median."""
    speed = cpu.turns_per_us
    return speed.slowest / speed.median if speed.slowest and speed.median else 1
