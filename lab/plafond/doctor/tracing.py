# SPDX-License-Identifier: MIT
"""Whether perf may count tracepoints, with which the system calls of locks are counted."""

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn

TOPIC = "tracepoints"
PARANOID = "proc/sys/kernel/perf_event_paranoid"
FOLDERS = ("sys/kernel/tracing", "sys/kernel/debug/tracing")
EVENT = "events/raw_syscalls/sys_enter/id"
KERNEL_MAY_BE_COUNTED = 1  # largest perf_event_paranoid with which any user may count


def tracepoints(machine: Machine) -> Finding:
    """Return whether raw_syscalls can be counted by this user."""
    paranoid = machine.number(PARANOID)
    if paranoid is None:
        return unknown(TOPIC, "perf events are not in this kernel, or not known")
    by = _by(machine, paranoid)
    if by is None:
        what = f"perf may not count them: no CAP_PERFMON, perf_event_paranoid is {paranoid}"
        return warn(TOPIC, what, "sudo sysctl -w kernel.perf_event_paranoid=1")
    if any(machine.text(f"{folder}/{EVENT}") for folder in FOLDERS):
        return ok(TOPIC, f"perf may count system calls ({by})")
    if machine.exists(FOLDERS[0]) and machine.has("CAP_SYS_ADMIN"):
        # plafond-run reads the event's number from a tracefs that it mounts for itself alone.
        return ok(TOPIC, f"perf may count system calls ({by}); tracefs is not mounted, nor needed")
    what = f"perf may count system calls ({by}), but tracefs is not readable"
    return warn(TOPIC, what, f"sudo mount -o remount,mode=755 /{FOLDERS[0]}")


def _by(machine: Machine, paranoid: int) -> str | None:
    for capability in ("CAP_PERFMON", "CAP_SYS_ADMIN"):
        if machine.has(capability):
            return capability
    if paranoid <= KERNEL_MAY_BE_COUNTED:
        return f"perf_event_paranoid is {paranoid}"
    return None
