# SPDX-License-Identifier: MIT
"""Limits that keep SCHED_FIFO threads from using a whole CPU.

Up to Linux 6.11 this is real-time throttling. Since 6.12 it is the fair server. Then only kernels
with CONFIG_RT_GROUP_SCHED still have throttling.
"""

from plafond.doctor.cpulist import format_cpus
from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn

FAIR_SERVER_SINCE = (6, 12)
FAIR_SERVERS = "sys/kernel/debug/sched/fair_server"


def throttling(machine: Machine) -> list[Finding]:
    """Return the findings about throttling and the fair server."""
    return [_throttle(machine), _fair_server(machine)]


def _throttle(machine: Machine) -> Finding:
    topic = "throttling"
    runtime = machine.number("proc/sys/kernel/sched_rt_runtime_us")
    period = machine.number("proc/sys/kernel/sched_rt_period_us")
    if runtime is None or period is None:
        return unknown(topic, "kernel.sched_rt_runtime_us is not readable")
    share = f"{runtime / 1000:g} ms of each {period / 1000:g} ms"
    if runtime < 0 or runtime >= period:
        return ok(topic, "off: SCHED_FIFO threads may use a whole CPU")
    if _has_fair_server(machine) and machine.option("RT_GROUP_SCHED") is False:
        return ok(topic, "replaced by the fair server (Linux 6.12 and later)")
    return warn(
        topic,
        f"the SCHED_FIFO threads of a CPU are stopped once they used {share}",
        "sudo sysctl -w kernel.sched_rt_runtime_us=-1  # if tasks need more than that",
    )


def _fair_server(machine: Machine) -> Finding:
    topic = "fair server"
    if machine.release is None:
        return unknown(topic, "the version of the kernel is not readable")
    if not _has_fair_server(machine):
        return ok(topic, "not in this kernel (before Linux 6.12)")
    servers = machine.numbered(FAIR_SERVERS, "cpu")
    runtimes = {cpu: machine.number(f"{FAIR_SERVERS}/cpu{cpu}/runtime") for cpu in servers}
    known = {cpu: runtime for cpu, runtime in runtimes.items() if runtime is not None}
    if not known:
        what = "gives starving ordinary threads a part of each CPU, usually 50 ms of each 1000 ms"
        return unknown(topic, f"{what}; not readable here", _to_see(machine))
    on = [cpu for cpu, runtime in known.items() if runtime]
    if not on:
        return ok(topic, "off")
    periods = {cpu: machine.number(f"{FAIR_SERVERS}/cpu{cpu}/period") or 10**9 for cpu in on}
    shares = {cpu: known[cpu] / periods[cpu] for cpu in on}
    most = max(on, key=lambda cpu: shares[cpu])
    up_to = "up to " if shares[most] > min(shares.values()) else ""
    share = f"{up_to}{known[most] / 1e6:g} ms of each {periods[most] / 1e6:g} ms"
    return warn(
        topic,
        f"ordinary threads that starve are given {share}, "
        f"before SCHED_FIFO (CPU {format_cpus(on)})",
        f"sudo sh -c 'echo 0 | tee /{FAIR_SERVERS}/cpu*/runtime'",
    )


def _has_fair_server(machine: Machine) -> bool:
    return machine.release is not None and machine.release >= FAIR_SERVER_SINCE


def _to_see(machine: Machine) -> str:
    if machine.exists("sys/kernel/debug") and not machine.names("sys/kernel/debug"):
        return "sudo mount -t debugfs none /sys/kernel/debug  # and run this as root, to see it"
    return "run plafond doctor as root, to see it"
