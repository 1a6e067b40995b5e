# SPDX-License-Identifier: MIT
"""Time in which none of a CPU's tasks ran, although one could have.

Something outside the task set had the processor: the kernel, interrupts, other threads, or
the host of a virtual machine. No protocol can help it, and no bound without overheads
includes it. Time in which all tasks with work wait for locks is not of this kind: if no thread
runs then, the locks are to blame.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from plafond.trace.activations import Activation, Span

DISTURBED_SHARE = 0.05


class Processor:
    """When one CPU had work of each priority or above, which tasks could run, and which did."""

    def __init__(self, tasks: Iterable[tuple[int, Sequence[Activation]]]) -> None:
        """Take each task's priority and activations, the most urgent first."""
        self._work: dict[int, list[Span]] = {}
        self._all_work: list[Span] = []
        able: list[Span] = []
        ran: list[Span] = []
        for priority, activations in tasks:
            ended = [(a.arrival_ns, a.end_ns) for a in activations if a.end_ns is not None]
            self._all_work = _union([*self._all_work, *ended])
            self._work[priority] = self._all_work
            able += (span for activation in activations for span in activation.able())
            ran += (span for activation in activations for span in activation.running())
        self._able = _Spans(_union(able))
        self._ran = _Spans(_union(ran))

    def outside_ns(self, activation: Activation, level: int | None) -> int:
        """Return how long no task ran since the level last had no work, up to the end.

        A level is a priority and all above it; None is the whole CPU.
        """
        work = self._all_work if level is None else self._work[level]
        return self._outside_ns(*_since(work, activation))

    def is_disturbed(self, activation: Activation) -> bool:
        """Whether no task ran for a good part of the time since the CPU had nothing to do."""
        begin, end = _since(self._all_work, activation)
        return self._outside_ns(begin, end) > DISTURBED_SHARE * (end - begin)

    def _outside_ns(self, begin: int, end: int) -> int:
        return self._able.between(begin, end) - self._ran.between(begin, end)


def _since(work: list[Span], activation: Activation) -> Span:
    """Return the stretch of unbroken work up to the end of a finished activation."""
    index = bisect_right(work, activation.arrival_ns, key=lambda span: span[0])
    return work[index - 1][0], activation.end_ns or activation.arrival_ns


class _Spans:
    """Spans in order, whose length before any time is quick to find."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._sums = [0, *accumulate(end - begin for begin, end in spans)]

    def between(self, begin: int, end: int) -> int:
        return self._before(end) - self._before(begin)

    def _before(self, time: int) -> int:
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
