# SPDX-License-Identifier: MIT
"""The threads and handlers that had a CPU during a recording; times are of CLOCK_MONOTONIC."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from plafond.kernel_trace.model import ThreadKind


class OnCpu(NamedTuple):
    """An interval in which a thread or a handler had a CPU."""

    begin_ns: int
    end_ns: int
    cpu: int


class Activation(NamedTuple):
    """An activation that was seen from its start to its end."""

    begin_ns: int
    end_ns: int
    execution_ns: int


@dataclass
class Thread:
    """A thread, a softirq inside threads, or a handler of interrupts on top of them."""

    name: str  # not truncated
    kind: ThreadKind
    irq: int | None = None
    inside: str | None = None  # the name of a softirq's thread, if a thread exists for it
    policy: str = "OTHER"
    priority: int | None = None
    on_cpu: list[OnCpu] = field(default_factory=list)  # in order
    activations: list[Activation] = field(default_factory=list)  # in order
    inter_arrivals_ns: list[int] = field(default_factory=list)

    @property
    def on_cpu_ns(self) -> int:
        """Return the total time on a CPU, as far as it was seen."""
        return sum(end - begin for begin, end, _ in self.on_cpu)

    def since(self, zero_ns: int) -> "Thread":
        """Return a copy whose times count from `zero_ns`."""
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
    """The history of a recording."""

    threads: list[Thread]
    softirqs: list[Thread]  # softirqs inside threads, by name
    interrupts: list[Thread]  # the handlers of hard interrupts; they have `on_cpu` only
    lost_events: int
    missing_switches: int  # switches that are missing although no event was lost

    def since(self, zero_ns: int) -> "History":
        """Return a copy whose times count from `zero_ns`."""
        return History(
            [thread.since(zero_ns) for thread in self.threads],
            [softirq.since(zero_ns) for softirq in self.softirqs],
            [interrupt.since(zero_ns) for interrupt in self.interrupts],
            self.lost_events,
            self.missing_switches,
        )
