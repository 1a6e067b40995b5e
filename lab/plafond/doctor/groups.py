# SPDX-License-Identifier: MIT
"""The real time that CONFIG_RT_GROUP_SCHED gives the cgroup of this process."""

from dataclasses import dataclass

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, fail, ok, unknown, warn
from plafond.doctor.probes import Tried

TOPIC = "real-time cgroup"
MOUNTS = ("sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct")


@dataclass(frozen=True)
class Group:
    """A cgroup of version 1, and its real-time microseconds in each period."""

    folder: str
    runtime: int
    period: int


def find_group(machine: Machine) -> Group | None:
    """Return the group of this process; a container may see its group as the root."""
    own = _own_path(machine)
    for folder in [f"{mount}{path}" for path in dict.fromkeys([own, ""]) for mount in MOUNTS]:
        runtime = machine.number(f"{folder}/cpu.rt_runtime_us")
        if runtime is not None:
            period = machine.number(f"{folder}/cpu.rt_period_us") or 1_000_000
            return Group(folder, runtime, period)
    return None


def denies_real_time(machine: Machine) -> bool:
    """Return whether the group explains a refusal.

    Version 2 has no file for this, so the option of the kernel decides.
    """
    group = find_group(machine)
    if group:
        return group.runtime == 0
    return machine.option("RT_GROUP_SCHED") is True


def real_time_group(machine: Machine, tried: Tried) -> Finding:
    """Return the finding about the real time of the group."""
    group = find_group(machine)
    if group and group.runtime == 0:
        say = warn if tried.highest_priority else fail
        return say(TOPIC, "cpu.rt_runtime_us of this cgroup is 0", how_to_allow(machine))
    if group:
        return _share(machine, group)
    if machine.option("RT_GROUP_SCHED") is False:
        return ok(TOPIC, "not in this kernel (CONFIG_RT_GROUP_SCHED): no cgroup limits SCHED_FIFO")
    if machine.option("RT_GROUP_SCHED") is None:
        return unknown(
            TOPIC, "neither the kernel's configuration nor cpu.rt_runtime_us is readable"
        )
    if tried.highest_priority:
        return ok(TOPIC, "CONFIG_RT_GROUP_SCHED is on, and this cgroup may use SCHED_FIFO")
    return unknown(
        TOPIC,
        "CONFIG_RT_GROUP_SCHED is on: it may refuse SCHED_FIFO outside the root cgroup",
        how_to_allow(machine),
    )


def how_to_allow(machine: Machine) -> str:
    """Return the command that gives the group real time, or moves this shell to another group."""
    group = find_group(machine)
    if group:
        return f"echo 900000 | sudo tee /{group.folder}/cpu.rt_runtime_us  # its parents first"
    return "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs  # or boot with rt_group_sched=0"


def _share(machine: Machine, group: Group) -> Finding:
    text = f"this cgroup may use {group.runtime / 1000:g} ms of each {group.period / 1000:g} ms"
    whole = machine.number("proc/sys/kernel/sched_rt_runtime_us")
    if group.runtime < 0 or whole is None or 0 <= whole <= group.runtime:
        return ok(TOPIC, f"{text}, which is all that the kernel gives")
    return warn(TOPIC, f"{text}, less than the kernel gives", how_to_allow(machine))


def _own_path(machine: Machine) -> str:
    for line in (machine.text("proc/self/cgroup") or "").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if "cpu" in controllers.split(","):
            return path.rstrip("/")
    return ""
