# SPDX-License-Identifier: MIT
"""The effect of a CPU's real-time threads on the ceilings of tasks there.

These threads go through no wake hook. If such a thread has a higher priority than the holder of a
section, but not than the ceiling, it preempts the section: docs/linux/domain.md.
"""

import re
from itertools import pairwise

from plafond.doctor.cpulist import format_cpus
from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.doctor.threads import Policy, Thread, kernel_threads_visible, real_time_threads

HIGHEST = 99
NAMES_SHOWN = 3
LOOK_FROM_OUTSIDE = "ps -eLo class,rtprio,psr,pid,comm | grep -v ' TS '  # on the host"


def rivals(machine: Machine) -> list[Finding]:
    """Return a finding about each CPU; CPUs with the same threads share a finding."""
    threads = real_time_threads(machine)
    alike: dict[tuple[str, str | None], list[int]] = {}
    for cpu in machine.usable:
        here = [thread for thread in threads if cpu in thread.cpus and not thread.stopper]
        alike.setdefault(_describe(here), []).append(cpu)
    findings = [
        _finding(f"threads, CPU {format_cpus(cpus)}", text, change)
        for (text, change), cpus in alike.items()
        if text or kernel_threads_visible(machine)
    ]
    if not kernel_threads_visible(machine):
        what = "those of the kernel and of others are not visible: this is not the machine's /proc"
        findings.append(unknown("threads", what, LOOK_FROM_OUTSIDE))
    return findings


def _finding(topic: str, text: str, change: str | None) -> Finding:
    if not text:
        return ok(topic, "no real-time threads but the kernel's migration threads, above all")
    return warn(topic, text, change)


def _describe(threads: list[Thread]) -> tuple[str, str | None]:
    fixed = [thread for thread in threads if thread.policy is not Policy.DEADLINE]
    deadline = [thread for thread in threads if thread.policy is Policy.DEADLINE]
    kinds = {
        "irq": [t for t in fixed if t.interrupt],
        "other kernel": [t for t in fixed if t.kernel and not t.interrupt],
        "user": [t for t in fixed if not t.kernel],
    }
    parts = [_count(kind, some) for kind, some in kinds.items() if some]
    lines = []
    if parts:
        lines.append(
            f"{', '.join(parts)}; unhooked: one whose priority is above that of a section's "
            "holder, and not above the ceiling, preempts the section"
        )
    if deadline:
        names = _names(deadline)
        lines.append(f"{len(deadline)} SCHED_DEADLINE ({names}), before every SCHED_FIFO thread")
    return ". ".join(lines), _free_range(fixed) if fixed else None


def _count(kind: str, threads: list[Thread]) -> str:
    highest = max(thread.priority for thread in threads)
    names = "" if kind == "irq" else f" ({_names(threads)})"
    noun = "thread" if len(threads) == 1 else "threads"
    at = f"at {highest}" if len({t.priority for t in threads}) == 1 else f"up to {highest}"
    return f"{len(threads)} {kind} {noun} {at}{names}"


def _names(threads: list[Thread]) -> str:
    """Return the names, highest priority first, without the numbers of CPUs at their ends."""
    ordered = sorted(threads, key=lambda thread: -thread.priority)
    names = list(dict.fromkeys(re.sub(r"[/:]\d.*", "", thread.name) for thread in ordered))
    more = ["..."] if len(names) > NAMES_SHOWN else []
    return ", ".join(names[:NAMES_SHOWN] + more)


def _free_range(threads: list[Thread]) -> str:
    """Return the widest range of priorities that no thread has, in words."""
    taken = sorted({0, HIGHEST} | {thread.priority for thread in threads})
    gaps = [(low + 1, high - 1) for low, high in pairwise(taken)]
    low, high = max(gaps, key=lambda gap: (gap[1] - gap[0], gap[1]))
    return f"keep priorities and ceilings within {low} to {high}, or use the backend syscall"
