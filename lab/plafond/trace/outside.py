# SPDX-License-Identifier: MIT
"""Find the time in which none of a CPU's tasks ran although a task could have run.

The kernel, interrupts, other threads or the host of a virtual machine had the processor then.
Clocks cannot say which of them. Three kinds of time do not count:

- All tasks with work wait for locks, because then the locks are the cause.
- A task waits for a resource of another CPU, because the kernel may spin at the task's priority.
- Only a task in a reservation has work, because it may have no budget.

A gap is such a time without a break. Switches, ticks and interrupts make short gaps, which the
overheads of a bound contain. On a machine that is fit for real time they are not longer than
LONGEST_OWN_NS. So a longer gap is a *stop* of the machine.

A shorter gap is *heard* if the same task runs before and after it, inside a run step. No task of
the CPU may be due shortly before it or in it. No lock, switch or arrival makes such a gap. So it is
noise of the kind that the listening thread hears before the run.

A server's tasks can run only while the server has the CPU. Events of other servers are no noise. So
no gap is heard if a server gets the CPU or a budget then, or if a task of another server is due.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate

from plafond.describe.server import BEFORE_ALL
from plafond.trace.activations import Activation, Span
from plafond.trace.served import common

LONGEST_OWN_NS = 100_000


@dataclass(frozen=True)
class Served:
    """The times at which a server had the processor, and at which other events were due."""

    held: Sequence[Span]
    due: Collection[int]  # events of servers, and wake-ups of other servers' tasks


class Processor:
    """A CPU's work by priority, its gaps and its stops."""

    def __init__(
        self,
        tasks: Iterable[tuple[int, Sequence[Activation]]],
        has_host: bool = True,
        across_cpus: Collection[int] = (),
        served: Served | None = None,
    ) -> None:
        """Take each task's priority and activations, the most urgent task first.

        `has_host`: whether anything except the kernel and its tasks can take the processor. Nothing
        can in virtual time, or if time counts instructions. `across_cpus`: the trace's numbers of
        the resources with users on several CPUs. `served`: all tasks belong to this server.
        """
        self._work: dict[int, list[Span]] = {}
        self._all_work: list[Span] = []
        able: list[Span] = []
        ran: list[Span] = []
        interruptions: set[Span] = set()
        woken: set[int] = set()
        for priority, activations in tasks:
            ended = [(a.release_ns, a.end_ns) for a in activations if a.end_ns is not None]
            self._all_work = union([*self._all_work, *ended])
            self._work[priority] = self._all_work
            able += (
                span
                for activation in activations
                for span in (activation.running() if priority == BEFORE_ALL else activation.able())
            )
            ran += (span for activation in activations for span in activation.running())
            ran += (span for each in activations for span in each.waits_for(across_cpus))
            for activation in activations:
                interruptions.update(activation.interruptions())
                woken.update(activation.wake_ups())
        wake_ups = sorted(woken.union(served.due) if served else woken)
        could = common(union(able), served.held) if served else union(able)
        gaps = without(could, union(ran))
        self.stops = [
            (begin, end) for begin, end in gaps if has_host and end - begin > LONGEST_OWN_NS
        ]
        self._all = [self]
        self._stopped = _Spans(self.stops)
        self._heard = _Spans(
            [
                gap
                for gap in gaps
                if has_host
                and gap[1] - gap[0] <= LONGEST_OWN_NS
                and gap in interruptions
                and not _is_any_in(wake_ups, (gap[0] - LONGEST_OWN_NS, gap[1]))
            ]
        )

    def beside(self, others: Iterable["Processor"]) -> "Processor":
        """Return a copy with the gaps of other CPUs, for whose tasks this CPU's tasks wait."""
        found = copy(self)
        found._all = [self, *others]
        return found

    def stopped_ns(self, activation: Activation, level: int | None) -> int:
        """Return the time of stops from when the level last had no work, up to the end.

        A level is a priority and all above it; None is the whole CPU.
        """
        window = self.window(activation, level)
        return sum(each._stopped.between(*window) for each in self._all)

    def heard_ns(self, activation: Activation, level: int | None) -> int:
        """Return the time of heard gaps in the same window."""
        window = self.window(activation, level)
        return sum(each._heard.between(*window) for each in self._all)

    def window(self, activation: Activation, level: int | None) -> Span:
        """Return the time of unbroken work of a level up to the end of an activation."""
        work = self._all_work if level is None else self._work[level]
        index = bisect_right(work, activation.release_ns, key=lambda span: span[0])
        return work[index - 1][0], activation.end_ns or activation.release_ns


class _Spans:
    """Spans in order, with a fast sum of their lengths before any time."""

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


def _is_any_in(times: Sequence[int], span: Span) -> bool:
    index = bisect_left(times, span[0])
    return index < len(times) and times[index] <= span[1]


def union(spans: Iterable[Span]) -> list[Span]:
    """Return disjoint spans in order that cover the same times."""
    joined: list[Span] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def without(spans: Sequence[Span], taken: Sequence[Span]) -> list[Span]:
    """Return the spans without the times of `taken`; both must be as union() returns them."""
    left: list[Span] = []
    index = 0
    for begin, end in spans:
        while index < len(taken) and taken[index][1] <= begin:
            index += 1
        since, here = begin, index
        while here < len(taken) and taken[here][0] < end:
            if taken[here][0] > since:
                left.append((since, taken[here][0]))
            since = max(since, taken[here][1])
            here += 1
        if since < end:
            left.append((since, end))
    return left
