# SPDX-License-Identifier: MIT
"""The real-time threads of the machine, read from /proc/PID/task/TID."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from plafond.doctor.cpulist import parse_cpus
from plafond.doctor.machine import Machine

# Indexes of the fields of `stat` after the name, which is in parentheses and may hold anything.
FLAGS = 6
PROCESSOR = 36
PRIORITY = 37
POLICY = 38
KERNEL_THREAD = 0x00200000  # PF_KTHREAD


class Policy(IntEnum):
    """The policies that come before ordinary threads."""

    FIFO = 1
    RR = 2
    DEADLINE = 6


@dataclass(frozen=True)
class Thread:
    """A real-time thread."""

    name: str
    policy: Policy
    priority: int  # 0 under SCHED_DEADLINE
    cpus: frozenset[int]  # on which it may run
    kernel: bool

    @property
    def interrupt(self) -> bool:
        """Whether the thread handles an interrupt."""
        return self.kernel and self.name.startswith("irq/")

    @property
    def stopper(self) -> bool:
        """Whether the thread is a migration thread: above all priorities, but shown as 99."""
        return self.kernel and bool(re.fullmatch(r"migration/\d+", self.name))


def kernel_threads_visible(machine: Machine) -> bool:
    """Return whether this is the machine's own /proc, and not that of a container."""
    return "(kthreadd)" in (machine.text("proc/2/stat") or "")


def real_time_threads(machine: Machine) -> list[Thread]:
    """Return the visible real-time threads of the kernel and of all processes."""
    return [
        thread
        for process in machine.numbered("proc", "")
        for task in machine.numbered(f"proc/{process}/task", "")
        for thread in _read(machine, f"proc/{process}/task/{task}")
    ]


def _read(machine: Machine, folder: str) -> Iterator[Thread]:
    """Yield the thread if it is real-time and has not ended."""
    before, _, after = (machine.text(f"{folder}/stat") or "").rpartition(")")
    fields = after.split()
    try:
        policy = Policy(int(fields[POLICY]))
        flags, priority = int(fields[FLAGS]), int(fields[PRIORITY])
        processor = int(fields[PROCESSOR])
    except (IndexError, ValueError):
        return
    cpus = parse_cpus(machine.field(f"{folder}/status", "Cpus_allowed_list") or "")
    yield Thread(
        name=before.partition("(")[2],
        policy=policy,
        priority=priority,
        cpus=cpus or frozenset({processor}),
        kernel=bool(flags & KERNEL_THREAD),
    )
