# SPDX-License-Identifier: MIT
"""Whether this is a virtual machine, and the time that its host took so far."""

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.doctor.probes import Tried

TOPIC = "virtual machine"
DMI = ("sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name")
VENDORS = ("QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Xen", "Bochs", "Parallels")
STEAL = 7  # index in the line "cpu" of /proc/stat: user, nice, system, idle, iowait, irq, ...


def virtual_machine(machine: Machine, tried: Tried) -> Finding:
    """Return the finding about the virtual machine, with its steal time."""
    name = _name(machine, tried)
    if name is None:
        return unknown(TOPIC, "neither /proc/cpuinfo nor DMI says so")
    if name == "none":
        return ok(TOPIC, "none found")
    return warn(
        TOPIC,
        f"in a virtual machine ({name}): its host may stop a CPU at any time{_steal(machine)}",
        "measure on bare hardware, or let the host give each virtual CPU a CPU of its own",
    )


def _name(machine: Machine, tried: Tried) -> str | None:
    if tried.virtual_machine not in (None, "none"):
        return tried.virtual_machine
    dmi = " ".join(filter(None, map(machine.text, DMI)))
    flags = machine.field("proc/cpuinfo", "flags")  # x86 only
    if (flags and "hypervisor" in flags.split()) or any(vendor in dmi for vendor in VENDORS):
        return dmi or "hypervisor"
    return "none" if flags or dmi or tried.virtual_machine else None


def _steal(machine: Machine) -> str:
    words = (machine.text("proc/stat") or "").partition("\n")[0].split()
    ticks = [int(word) for word in words[1:] if word.isdigit()][: STEAL + 1]
    if words[:1] != ["cpu"] or len(ticks) <= STEAL or not sum(ticks):
        return ""
    return f" (steal time: {ticks[STEAL] / sum(ticks):.2%} since boot)"
