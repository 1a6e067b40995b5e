# SPDX-License-Identifier: MIT
"""Time in which none of a CPU's tasks ran, although one had work.

What was outside the task set had the processor: the kernel, interrupts, other threads, or
the host of a virtual machine. No protocol can help it, and no bound without overheads
includes it.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from plafond.trace.activations import Activation, Span


class Busy:
    """When the tasks of one CPU ran."""

    def __init__(self, activations: Iterable[Activation]) -> None:
        """Take all activations of the CPU."""
        self._spans = _union(span for each in activations for span in each.running())
        self._begins = [begin for begin, _ in self._spans]
        lengths = (end - begin for begin, end in self._spans)
        self._sums = [0, *accumulate(lengths)]

    def outside_ns(self, activation: Activation) -> int:
        """Return for how long nobody ran while a finished activation had work."""
        if activation.end_ns is None:
            return 0
        begin, end = activation.arrival_ns, activation.end_ns
        asleep = sum(self._idle_ns(*sleep) for sleep in activation.sleeps)
        return self._idle_ns(begin, end) - asleep

    def _idle_ns(self, begin: int, end: int) -> int:
        return end - begin - (self._busy_until(end) - self._busy_until(begin))

    def _busy_until(self, time: int) -> int:
        """Return how long tasks ran before a time."""
        index = bisect_right(self._begins, time)
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
