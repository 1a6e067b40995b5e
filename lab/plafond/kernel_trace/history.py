# SPDX-License-Identifier: MIT
"""What had a CPU during a recording, and when; times are of CLOCK_MONOTONIC."""

from dataclasses import dataclass, field, replace
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
    inside: str | None = None  # of a softirq: the thread that is there for it, if it has one
    policy: str = "OTHER"
    priority: int | None = None
    on_cpu: list[OnCpu] = field(default_factory=list)  # in order
    activations: list[Activation] = field(default_factory=list)  # in order
    inter_arrivals_ns: list[int] = field(default_factory=list)

    @property
    def on_cpu_ns(self) -> int:
        """How long it had a CPU, as far as that was seen."""
        return sum(end - begin for begin, end, _ in self.on_cpu)

    def since(self, zero_ns: int) -> "Thread":
        """Return the same with times from then on."""
        return replace(
            self,
            on_cpu=[OnCpu(begin - zero_ns, end - zero_ns, cpu) for begin, end, cpu in self.on_cpu],
            activations=[
                Activation(begin - zero_ns, end - zero_ns, execution_ns)
                for begin, end, execution_ns in self.activations
            ],
        )


@dataclass(frozen=True)
class History:
    """Of one recording."""

    threads: list[Thread]
    softirqs: list[Thread]  # by name, inside threads
    interrupts: list[Thread]  # the handlers of hard interrupts: their times on a CPU, no more
    lost_events: int
    missing_switches: int  # that were not recorded without being lost

    def since(self, zero_ns: int) -> "History":
        """Return the same with times from then on."""
        return History(
            [thread.since(zero_ns) for thread in self.threads],
            [softirq.since(zero_ns) for softirq in self.softirqs],
            [interrupt.since(zero_ns) for interrupt in self.interrupts],
            self.lost_events,
            self.missing_switches,
        )
