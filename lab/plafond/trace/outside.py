# SPDX-License-Identifier: MIT
"""Time in which none of a CPU's tasks ran, although one had work.

Something outside the task set had the processor: the kernel, interrupts, other threads, or
the host of a virtual machine. No protocol can help it, no bound without overheads includes
it, and it delays all that comes before the processor next has nothing to do.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from plafond.trace.activations import Activation, Span


class Processor:
    """When one CPU had work, and when its tasks did it (or slept)."""

    def __init__(self, activations: Iterable[Activation]) -> None:
        """Take all activations of the CPU."""
        activations = list(activations)
        self._work = _union((a.arrival_ns, a.end_ns) for a in activations if a.end_ns is not None)
        self._done = _Spans(_union(span for a in activations for span in (*a.running(), *a.sleeps)))

    def outside_ns(self, activation: Activation) -> int:
        """Return how long nobody ran since the CPU last had nothing to do, up to the end."""
        if activation.end_ns is None:
            return 0
        index = bisect_right(self._work, activation.arrival_ns, key=lambda span: span[0])
        begin, end = self._work[index - 1][0], activation.end_ns
        return end - begin - (self._done.before(end) - self._done.before(begin))


class _Spans:
    """Spans in order, whose length before any time is quick to find."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._sums = [0, *accumulate(end - begin for begin, end in spans)]

    def before(self, time: int) -> int:
        index = bisect_right(self._spans, time, key=lambda span: span[0])
        if index == 0:
            return 0
        begin, end = self._spans[index - 1]
        return self._sums[index - 1] + min(time, end) - begin


def _union(spans: Iterable[Span]) -> list[Span]:
    union: list[Span] = []
    for begin, end in sorted(spans):
        if union and begin <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((begin, end))
    return union
