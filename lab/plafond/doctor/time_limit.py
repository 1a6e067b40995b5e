# SPDX-License-Identifier: MIT
"""How long a real-time thread may run without a sleep: RLIMIT_RTTIME.

At the soft limit, and each second after it, the kernel sends SIGXCPU, which ends a process without
a handler. At the hard limit it sends SIGKILL. rtkit gives real-time priority only to processes with
such a limit.
"""

from plafond.doctor.machine import UNLIMITED, Machine
from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.units import UNIT_NS, format_duration

TOPIC = "time limit"
LIMIT = "Max realtime timeout"  # in /proc/self/limits
RTKIT = ("usr/libexec/rtkit-daemon", "usr/lib/rtkit/rtkit-daemon", "usr/lib/rtkit-daemon")


def time_limit(machine: Machine) -> Finding:
    """Return the finding about both limits and their signals."""
    limit = machine.limit(LIMIT)
    if limit is None:
        return unknown(TOPIC, "RLIMIT_RTTIME is not readable")
    soft, hard = limit
    if soft == UNLIMITED and hard == UNLIMITED:
        none = "RLIMIT_RTTIME is unlimited: nothing ends a real-time thread that never sleeps"
        return ok(TOPIC, none + _of_rtkit(machine))
    ended = _ended(min(soft, hard), hard)
    what = f"RLIMIT_RTTIME: a SCHED_FIFO or SCHED_RR thread that does not sleep is ended {ended}"
    return warn(TOPIC, what + _of_rtkit(machine), _change(hard))


def _ended(soft: float, hard: float) -> str:
    """Return when each signal comes, in words.

    If both limits are equal, SIGKILL is the first signal.
    """
    parts = [f"after {_duration(soft)} (SIGXCPU)"] if soft < hard else []
    parts += [f"after {_duration(hard)} (SIGKILL)"] if hard != UNLIMITED else []
    return " and ".join(parts)


def _duration(microseconds: float) -> str:
    return format_duration(microseconds * UNIT_NS["us"])


def _change(hard: float) -> str:
    if hard == UNLIMITED:
        return "ulimit -R unlimited  # if runs without a sleep are longer"
    line = 'echo "$USER - rttime unlimited" | sudo tee -a /etc/security/limits.conf'
    return f"{line}  # log in again, if runs without a sleep are longer"


def _of_rtkit(machine: Machine) -> str:
    if not any(map(machine.exists, RTKIT)):
        return ""
    return "; rtkit gives threads SCHED_RR only below a hard limit, of 200 ms by default"
