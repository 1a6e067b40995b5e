# SPDX-License-Identifier: MIT
"""What had a CPU during a recording, and when; times are of CLOCK_MONOTONIC."""

from dataclasses import dataclass, field
from typing import NamedTuple

from plafond.kernel_trace.model import ThreadKind


class OnCpu(NamedTuple):
    """From when to when a thread, or a handler, had a CPU."""

    begin_ns: int
    end_ns: int
    cpu: int


class Activation(NamedTuple):
    """One that was seen from its begin to its end."""

    begin_ns: int
    end_ns: int
    execution_ns: int


@dataclass
class Thread:
    """A thread, a softirq inside threads, or a handler of interrupts on top of them."""

    name: str  # whole
    kind: ThreadKind
    irq: int | None = None
    policy: str = "OTHER"
    priority: int | None = None
    on_cpu: list[OnCpu] = field(default_factory=list)  # in order
    activations: list[Activation] = field(default_factory=list)  # in order
    inter_arrivals_ns: list[int] = field(default_factory=list)

    @property
    def on_cpu_ns(self) -> int:
        """How long it had a CPU, as far as that was seen."""
        return sum(end - begin for begin, end, _ in self.on_cpu)


@dataclass(frozen=True)
class History:
    """Of one recording."""

    threads: list[Thread]
    softirqs: list[Thread]  # by name, inside threads
    interrupts: list[Thread]  # the handlers of hard interrupts: their times on a CPU, no more
    lost_events: int
