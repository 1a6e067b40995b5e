# SPDX-License-Identifier: MIT
"""Explain the gaps in which none of a CPU's tasks ran although a task could have run.

If another thread had the CPU, the gap is the kernel's switch. An interrupt or a softirq of usual
length is the kernel's own work. All other time counts as a stop of the machine.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.parts import Span, less

USUAL_TIMES = 10  # an interrupt that is longer than this many medians is a stop


class Explained(NamedTuple):
    """The time in gaps, divided by cause."""

    threads_ns: int  # other threads
    interrupts_ns: int  # interrupts of usual length, and softirqs
    machine_ns: int  # no event, or an interrupt that took too long


def explain(history: History, cpu: int, stops: Iterable[Span]) -> Explained:
    """Divide the gaps on a CPU, which must be in order and disjoint."""
    stops = list(stops)
    handlers = [*history.interrupts, *history.softirqs]
    usual = _on(cpu, handlers, most_times=USUAL_TIMES)
    all_handlers = _on(cpu, handlers)
    others = [thread for thread in history.threads if thread.kind is not ThreadKind.TASK]
    threads = list(less(_on(cpu, others), all_handlers))
    total_ns = _length(stops)
    interrupts_ns = total_ns - _length(less(stops, usual))
    threads_ns = total_ns - _length(less(stops, threads))
    return Explained(threads_ns, interrupts_ns, total_ns - interrupts_ns - threads_ns)


def _on(cpu: int, threads: Iterable[Thread], most_times: int | None = None) -> list[Span]:
    """Return when the threads had a CPU, in order; `most_times`: without longer times than this."""
    spans: list[Span] = []
    for thread in threads:
        lengths_ns = [end - begin for begin, end, _ in thread.on_cpu]
        most_ns = most_times * median(lengths_ns) if most_times and lengths_ns else None
        spans += (
            (begin, end)
            for begin, end, where in thread.on_cpu
            if where == cpu and (most_ns is None or end - begin <= most_ns)
        )
    return _joined(sorted(spans))


def _joined(spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def _length(spans: Iterable[Span]) -> int:
    return sum(end - begin for begin, end in spans)
