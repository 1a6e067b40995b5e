# SPDX-License-Identifier: MIT
"""Explain a response above its bound by its parts, if the trace shows them.

The window is the busy period of the activation's level up to its end. In each instant a task runs,
or waits for a lock, or no task runs. Tasks may run longer than described, because of the last turns
of run steps, the ends of sections, and gaps too short to be noted.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pydantic import BaseModel

from plafond.describe.system import Task
from plafond.trace.activations import Activation, Span
from plafond.trace.outside import Processor, union, without
from plafond.trace.shares import share_out


class Excess(BaseModel):
    """A response above its bound with overheads; the fields after `window_ns` add up to it."""

    activation: int
    response_ns: int
    bound_ns: int
    window_ns: int  # from the time when its level last had no work, to its end
    described_ns: int  # run steps, as described or as drawn from their ranges
    run_steps_ns: int  # more time in run steps: last turns, unlocking, the shortest interrupts
    locks_ns: int  # from requests to grants, while no task runs
    switches_ns: int  # between two tasks, and from an arrival to its task
    interrupts_ns: int  # the same task runs before and after: ticks, arrivals that do not preempt
    host_ns: int  # stops, which are gaps too long for the other causes
    rest_ns: int  # no task could run: sleeps


Jobs = Sequence[tuple[Task, Sequence[Activation]]]


def excess_of(
    jobs: Jobs, processor: Processor, worst: Activation, level: int | None, bound_ns: int
) -> Excess:
    """Divide the busy period of an activation; `jobs`: all tasks of the CPU."""
    window = processor.window(worst, level)
    split = _Split(jobs, processor, window)
    described_ns = sum(
        split.described_ns(index, each)
        for index, (_, own) in enumerate(jobs)
        for each in own
        if _overlap((each.release_ns, each.end_ns or 0), window)
    )
    parts = {"locks_ns": 0, "switches_ns": 0, "interrupts_ns": 0, "host_ns": 0, "rest_ns": 0}
    for gap in without([window], split.ran):
        parts[split.kind_of(gap)] += _length(gap)
    return Excess(
        activation=worst.index,
        response_ns=worst.response_ns or 0,
        bound_ns=bound_ns,
        window_ns=_length(window),
        described_ns=described_ns,
        run_steps_ns=sum(map(_length, split.ran)) - described_ns,
        **parts,
    )


class _Split:
    """The actions of a CPU's tasks in a window, which explain the gaps between them."""

    def __init__(self, jobs: Jobs, processor: Processor, window: Span) -> None:
        self._jobs = jobs
        self._window = window
        own = [
            [each for each in several if _overlap((each.release_ns, each.end_ns or 0), window)]
            for _, several in jobs
        ]
        activations = [each for several in own for each in several]
        claims = [sorted(span for each in several for span in each.running()) for several in own]
        notes = [sorted({time for each in several for time in _noted(each)}) for several in own]
        # A thread only notes a loss of the processor in its run steps: see shares.py.
        self._shares = [
            [_clipped(span, window) for span in spans if _overlap(span, window)]
            for spans in share_out(claims, notes)
        ]
        runs = sorted((*span, index) for index, spans in enumerate(self._shares) for span in spans)
        self.ran = union((begin, end) for begin, end, _ in runs)
        self._begins = [(begin, index) for begin, _, index in runs]
        self._ends = sorted((end, index) for _, end, index in runs)
        self._waits = union(
            (request, grant) for each in activations for request, grant, _ in each.waits
        )
        self._able = union(span for each in activations for span in each.able())
        self._stopped = processor.stops

    def described_ns(self, index: int, activation: Activation) -> int:
        """Return the run steps of an activation, or its run time if it is partly in the window."""
        begin, end = activation.start_ns, activation.end_ns or 0
        if self._window[0] <= begin and end <= self._window[1]:
            return self._jobs[index][0].drawn_run_ns(activation.index)
        return _length_in(self._shares[index], (begin, end))

    def kind_of(self, gap: Span) -> str:
        """Return the field of Excess for a gap."""
        if any(_overlap(gap, stop) for stop in self._stopped):
            return "host_ns"
        could_ns = _length_in(self._able, gap)
        if _length_in(self._waits, gap) > could_ns:
            return "locks_ns"
        if could_ns == 0:
            return "rest_ns"
        return "interrupts_ns" if self._is_inside_one(gap) else "switches_ns"

    def _is_inside_one(self, gap: Span) -> bool:
        """Return whether the same task runs before and after a gap."""
        before = bisect_right(self._ends, (gap[0], len(self._ends)))
        after = bisect_left(self._begins, (gap[1], -1))
        is_between = before > 0 and after < len(self._begins)
        return is_between and self._ends[before - 1][1] == self._begins[after][1]


def _noted(activation: Activation) -> list[int]:
    """Return the times of all notes of an activation."""
    spans = [*activation.suspensions, *activation.sleeps, *activation.budget_waits]
    spans += [span[:2] for span in (*activation.waits, *activation.sections)]
    times = [time for span in spans for time in span]
    return [activation.start_ns, *times, activation.end_ns or activation.start_ns]


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _clipped(span: Span, window: Span) -> Span:
    return max(span[0], window[0]), min(span[1], window[1])


def _length(span: Span) -> int:
    return span[1] - span[0]


def _length_in(spans: Sequence[Span], gap: Span) -> int:
    return sum(_length(_clipped(span, gap)) for span in spans if _overlap(span, gap))
