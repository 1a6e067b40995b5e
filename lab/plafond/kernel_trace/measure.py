# SPDX-License-Identifier: MIT
"""The statistics of each thread: OSPERT 2010, 6, Tables I and V, and its distributions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev

from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.infer import infer_period
from plafond.kernel_trace.model import Distribution, ThreadKind, ThreadMeasures

KINDS = list(ThreadKind)


def measure_threads(history: History, protocol: str) -> list[ThreadMeasures]:
    """Return the measures of all threads that ran, by kind, then by time on a CPU, longest first.

    Threads of other programs share a row if they share a name, a policy and a priority.
    """
    threads = [*_by_name(history.threads), *history.softirqs]
    threads.sort(key=lambda thread: (KINDS.index(thread.kind), -thread.on_cpu_ns))
    return [_measure(thread, protocol) for thread in threads]


def _by_name(threads: Sequence[Thread]) -> list[Thread]:
    """Merge the threads of other programs that share a name, a policy and a priority."""
    found: dict[tuple[object, ...], Thread] = {}
    for number, thread in enumerate(threads):
        is_other = thread.kind is ThreadKind.OTHER
        own = None if is_other else number
        key = (thread.name, thread.policy, thread.priority, own)
        if key not in found:
            found[key] = replace(thread, on_cpu=[], activations=[], inter_arrivals_ns=[])
        found[key].on_cpu.extend(thread.on_cpu)
        found[key].activations.extend(thread.activations)
        found[key].inter_arrivals_ns.extend(thread.inter_arrivals_ns)
    return list(found.values())


def _measure(thread: Thread, protocol: str) -> ThreadMeasures:
    activations = thread.activations
    return ThreadMeasures(
        protocol=protocol,
        thread=thread.name,
        kind=thread.kind,
        irq=thread.irq,
        policy=thread.policy,
        priority=thread.priority,
        cpus=sorted({each.cpu for each in thread.on_cpu}),
        execution=distribution([each.execution_ns for each in activations]),
        inter_arrival=distribution(thread.inter_arrivals_ns),
        response=distribution([each.end_ns - each.begin_ns for each in activations]),
        period_ns=infer_period(thread.inter_arrivals_ns),
    )


def distribution(times_ns: Sequence[int]) -> Distribution | None:
    """Return the statistics of times; None if there are no times."""
    if not times_ns:
        return None
    return Distribution(
        samples=len(times_ns),
        average_ns=fmean(times_ns),
        deviation_ns=pstdev(times_ns),
        least_ns=min(times_ns),
        most_ns=max(times_ns),
        counts=sorted(Counter(map(rounded_up, times_ns)).items()),
    )


def rounded_up(time_ns: int) -> int:
    """Return the least time with two significant digits that is not smaller."""
    unit: int = 10 ** max(len(str(time_ns)) - 2, 0)
    return -(-time_ns // unit) * unit
