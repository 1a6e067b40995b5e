# SPDX-License-Identifier: MIT
"""How soon the kernel lets a real-time thread have the CPU."""

import re

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn

TOPIC = "preemption"
PREEMPT = "sys/kernel/debug/sched/preempt"
MODELS = ("none", "voluntary", "full", "lazy")
BUILT_IN = {
    "PREEMPT_NONE": "none",
    "PREEMPT_VOLUNTARY": "voluntary",
    "PREEMPT_LAZY": "lazy",
    "PREEMPT": "full",
}
DEBIAN_FLAVOURS = ("amd64", "arm64")


def preemption(machine: Machine) -> Finding:
    """Return whether the kernel is PREEMPT_RT, or else its preemption model."""
    version = machine.text("proc/sys/kernel/version")
    if machine.number("sys/kernel/realtime") == 1 or re.search("PREEMPT[_ ]RT", version or ""):
        return ok(TOPIC, "PREEMPT_RT")
    if version is None:
        return unknown(TOPIC, "the version of the kernel is not readable")
    return warn(
        TOPIC,
        f"not PREEMPT_RT, {_describe(machine, version)}: a real-time thread may have to wait for "
        "kernel code, interrupts and softirqs",
        _change(machine),
    )


def _describe(machine: Machine, version: str) -> str:
    model = _chosen(machine) or _built_in(machine)
    if "PREEMPT_DYNAMIC" in version:
        return f"PREEMPT_DYNAMIC with model {model or 'not readable'}"
    if model is None:
        model = "full" if "PREEMPT" in version.split() else "none or voluntary"
    return f"model {model}"


def _chosen(machine: Machine) -> str | None:
    """Return the preemption model chosen at run time or at boot."""
    match = re.search(r"\((\w+)\)", machine.text(PREEMPT) or "")
    match = match or re.search(r"(?:^|\s)preempt=(\w+)", machine.text("proc/cmdline") or "")
    return match[1] if match and match[1] in MODELS else None


def _built_in(machine: Machine) -> str | None:
    return next((model for name, model in BUILT_IN.items() if machine.option(name)), None)


def _change(machine: Machine) -> str:
    system = re.search(r'^ID="?(\w+)', machine.text("etc/os-release") or "", re.MULTILINE)
    name = system[1] if system else ""
    release = machine.text("proc/sys/kernel/osrelease") or ""
    flavour = release.rpartition("-")[2]
    installed = machine.exists(f"boot/vmlinuz-{release}")  # else the kernel may be a host's
    if name == "debian" and flavour in DEBIAN_FLAVOURS and installed:
        return f"sudo apt install linux-image-rt-{flavour}  # then reboot"
    if name == "ubuntu" and installed:
        return "sudo pro enable realtime-kernel  # then reboot"
    return "boot a kernel with CONFIG_PREEMPT_RT, or at least with preempt=full"
