# SPDX-License-Identifier: MIT
"""Power saving that makes a CPU slow or late."""

from plafond.doctor.cpulist import format_cpus
from plafond.doctor.machine import CPU, Machine
from plafond.doctor.model import Finding, ok, unknown, warn

STEADY = ("performance", "userspace")
DEEP_MICROSECONDS = 20


def power(machine: Machine) -> list[Finding]:
    """Return the findings about frequency and idle states."""
    return [_frequency(machine), _idle(machine)]


def _frequency(machine: Machine) -> Finding:
    topic = "frequency"
    governors: dict[str, list[int]] = {}
    for cpu in machine.usable:
        governor = machine.text(f"{CPU}/cpu{cpu}/cpufreq/scaling_governor")
        if governor:
            governors.setdefault(governor, []).append(cpu)
    if not governors:
        return unknown(topic, "no frequency governor is visible, as is usual in a virtual machine")
    text = ", ".join(f"{name} on CPU {format_cpus(cpus)}" for name, cpus in governors.items())
    if all(name in STEADY for name in governors):
        return ok(topic, f"governor {text}")
    return warn(
        topic,
        f"governor {text}: the same work takes a different time after idling",
        f"echo performance | sudo tee /{CPU}/cpu*/cpufreq/scaling_governor",
    )


def _idle(machine: Machine) -> Finding:
    topic = "idle states"
    deepest: dict[tuple[int, str], list[int]] = {}
    for cpu in machine.usable:
        folder = f"{CPU}/cpu{cpu}/cpuidle"
        states = [
            (machine.number(f"{folder}/state{n}/latency"), machine.text(f"{folder}/state{n}/name"))
            for n in machine.numbered(folder, "state")
            if machine.number(f"{folder}/state{n}/disable") != 1
        ]
        known = [(latency, name or "unnamed") for latency, name in states if latency is not None]
        if known:
            deepest.setdefault(max(known), []).append(cpu)
    if not deepest:
        return unknown(topic, "no idle states are visible")
    text = "the deepest: " + "; ".join(
        f"{name}, {latency} µs to leave, on CPU {format_cpus(cpus)}"
        for (latency, name), cpus in deepest.items()
    )
    if max(latency for latency, _ in deepest) <= DEEP_MICROSECONDS:
        return ok(topic, text)
    return warn(
        topic,
        text,
        "sudo sh -c 'exec 3>/dev/cpu_dma_latency; printf \"\\0\\0\\0\\0\" >&3; sleep infinity'",
    )
