# SPDX-License-Identifier: MIT
"""Whether threads may be SCHED_FIFO up to priority 99, and pinned."""

from plafond.doctor.containers import Container
from plafond.doctor.groups import denies_real_time, how_to_allow
from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, fail, ok
from plafond.doctor.privileges import SCHEDULE, granted_by, how_to_get
from plafond.doctor.probes import Tried

TOPIC = "SCHED_FIFO"
HIGHEST = 99


def scheduling(machine: Machine, tried: Tried, container: Container | None) -> Finding:
    """Return the granted priority, or the cause of a refusal."""
    highest = tried.highest_priority
    if highest is None:
        return fail(TOPIC, tried.untried("SCHED_FIFO"), None)
    if highest == HIGHEST:
        by = granted_by(machine, SCHEDULE)
        return ok(TOPIC, f"granted up to priority {HIGHEST}" + (f" ({by})" if by else ""))
    what = (
        f"SCHED_FIFO is granted only up to priority {highest}"
        if highest
        else "SCHED_FIFO is refused"
    )
    cause, change = _cause(machine, container)
    return fail(TOPIC, f"{what}; {cause}", change)


def pinning(tried: Tried) -> Finding:
    """Return whether a thread can be bound to one CPU."""
    if tried.pin == "OK":
        return ok("pinning", "a thread can be pinned to one CPU")
    if tried.pin is None:
        return fail("pinning", tried.untried("pinning a thread"), None)
    change = "allow sched_setaffinity() in the seccomp filter of this process"
    return fail("pinning", f"a thread cannot be pinned to one CPU ({tried.pin})", change)


def _cause(machine: Machine, container: Container | None) -> tuple[str, str]:
    get = how_to_get(machine, SCHEDULE, container)
    if granted_by(machine, SCHEDULE):
        if denies_real_time(machine):
            return "this cgroup is given no real time", how_to_allow(machine)
        if machine.field("proc/self/status", "Seccomp") == "2":
            change = "allow sched_setscheduler() in the seccomp filter of this process"
            return "a seccomp filter is in force", change
        return "the privilege is there, the cause is not seen", get
    limit = machine.limit(SCHEDULE.limit)
    limited = f"RLIMIT_RTPRIO is {limit[0]:g}" if limit else "RLIMIT_RTPRIO is not known"
    if machine.holds("CAP_SYS_NICE"):
        return f"CAP_SYS_NICE of a user namespace does not count, {limited}", get
    return f"no CAP_SYS_NICE, {limited}", get
