# SPDX-License-Identifier: MIT
"""The CPUs for the tasks, and threads and hardware that share them."""

from plafond.doctor.cpulist import format_cpus
from plafond.doctor.machine import CPU, Machine
from plafond.doctor.model import Finding, ok, unknown, warn


def processors(machine: Machine) -> list[Finding]:
    """Return the findings about CPUs."""
    return [_usable(machine), _isolation(machine), _siblings(machine)]


def _usable(machine: Machine) -> Finding:
    topic = "CPUs"
    if not machine.online:
        return unknown(topic, f"/{CPU} is not readable")
    text = f"{format_cpus(machine.online)} online, {_allowed(machine)}"
    return ok(topic, text)


def _allowed(machine: Machine) -> str:
    if machine.allowed is None or not machine.allowed:
        return "allowed to this process: not readable"
    return f"{format_cpus(machine.allowed)} allowed to this process"


def _isolation(machine: Machine) -> Finding:
    topic = "isolated CPUs"
    if machine.text(f"{CPU}/isolated") is None:
        return unknown(topic, f"/{CPU}/isolated is not readable")
    quiet = format_cpus(machine.cpus(f"{CPU}/nohz_full") or [])
    if machine.isolated:
        text = f"{format_cpus(machine.isolated)}; without timer tick (nohz_full): {quiet}"
        return ok(topic, text)
    if len(machine.online) < 2:
        return ok(topic, "none, as there is one CPU only")
    last = max(machine.usable or machine.online)
    return warn(
        topic,
        "none: ordinary threads and interrupts share the caches and the time of the tasks' CPUs",
        f"boot with isolcpus=managed_irq,domain,{last} nohz_full={last} rcu_nocbs={last}",
    )


def _siblings(machine: Machine) -> Finding:
    topic = "SMT siblings"
    shared: set[frozenset[int]] = set()
    known = False
    for cpu in machine.usable:
        siblings = machine.cpus(f"{CPU}/cpu{cpu}/topology/thread_siblings_list")
        known = known or siblings is not None
        if siblings and len(siblings) > 1:
            shared.add(siblings)
    if shared:
        cores = " ".join(map(format_cpus, sorted(shared, key=min)))
        text = f"hardware threads of one core slow each other down: {cores}"
        return warn(topic, text, f"echo off | sudo tee /{CPU}/smt/control")
    if known:
        return ok(topic, "none visible: each CPU appears to be a core of its own")
    return unknown(topic, "the topology is not readable")
