# SPDX-License-Identifier: MIT
"""The resolution and the cost of reading time, and the lateness of timers."""

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.doctor.probes import Tried

SOURCES = "sys/devices/system/clocksource/clocksource0"
GOOD = ("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page")
SLOW = ("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit")


def clocks(machine: Machine, tried: Tried) -> list[Finding]:
    """Return the findings about clocks and timers."""
    return [_source(machine), _resolution(tried), _slack(machine)]


def _source(machine: Machine) -> Finding:
    topic = "clock source"
    name = machine.text(f"{SOURCES}/current_clocksource")
    if not name:
        return unknown(topic, f"/{SOURCES} is not readable")
    if name in GOOD:
        return ok(topic, name)
    if name not in SLOW:
        return unknown(topic, f"{name}, of which this program knows nothing")
    available = (machine.text(f"{SOURCES}/available_clocksource") or "").split()
    better = next((source for source in GOOD if source in available), None)
    line = f"echo {better} | sudo tee /{SOURCES}/current_clocksource"
    return warn(
        topic,
        f"{name}: each reading of the time is slow, and may be a system call",
        line if better else "boot with tsc=reliable, if the kernel's log does not call it unstable",
    )


def _resolution(tried: Tried) -> Finding:
    topic = "timers"
    if tried.clock_resolution_ns is None:
        return unknown(topic, "the resolution of CLOCK_MONOTONIC could not be asked for")
    if tried.clock_resolution_ns == 1:
        return ok(topic, "high resolution (CLOCK_MONOTONIC: 1 ns)")
    text = (
        f"CLOCK_MONOTONIC has a resolution of {tried.clock_resolution_ns} ns: timers wait for ticks"
    )
    return warn(topic, text, "boot without highres=off, a kernel with CONFIG_HIGH_RES_TIMERS")


def _slack(machine: Machine) -> Finding:
    topic = "timer slack"
    slack = machine.number("proc/self/timerslack_ns")
    if slack is None:
        return unknown(topic, "/proc/self/timerslack_ns is not readable; SCHED_FIFO has none")
    return ok(topic, f"{slack / 1000:g} µs for ordinary threads; SCHED_FIFO has none")
