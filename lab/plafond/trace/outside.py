# SPDX-License-Identifier: MIT
"""Time in which none of a CPU's tasks ran, although one had work.

Something outside the task set had the processor: the kernel, interrupts, other threads, or
the host of a virtual machine. No protocol can help it, no bound without overheads includes
it, and it delays all of a level (a priority and those above it) that comes before the level
next has no work.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from plafond.trace.activations import Activation, Span


class Processor:
    """When one CPU had work of each priority or above, and when its tasks did it (or slept)."""

    def __init__(self, tasks: Iterable[tuple[int, Sequence[Activation]]]) -> None:
        """Take each task's priority and activations, the most urgent first."""
        self._work: dict[int, list[Span]] = {}
        done: list[Span] = []
        work: list[Span] = []
        for priority, activations in tasks:
            ended = [(a.arrival_ns, a.end_ns) for a in activations if a.end_ns is not None]
            work = _union([*work, *ended])
            self._work[priority] = work
            done += (span for a in activations for span in (*a.running(), *a.sleeps))
        self._done = _Spans(_union(done))

    def outside_ns(self, activation: Activation, priority: int) -> int:
        """Return how long nobody ran since the level last had no work, up to the end."""
        if activation.end_ns is None:
            return 0
        work = self._work[priority]
        index = bisect_right(work, activation.arrival_ns, key=lambda span: span[0])
        begin, end = work[index - 1][0], activation.end_ns
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
