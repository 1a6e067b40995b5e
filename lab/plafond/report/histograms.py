# SPDX-License-Identifier: MIT
"""Distributions of latency, blocking and response of a task, as data.

A gap in the processor (see trace/outside.py), such as a stall of the host, makes some values
extremely long. Then all others would become a single bar. So a histogram ends at the longest value
without such a gap, and counts the values beyond.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from plafond.describe.system import Task
from plafond.report.alike import alike, names_of
from plafond.run.model import Execution
from plafond.trace.activations import Activation, activations
from plafond.trace.measures import Measures
from plafond.trace.model import Trace
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration

Finished = Mapping[str, Sequence[Activation]]  # finished activations of a task, by protocol
NEAR = 1.35  # limits within this many ends are not cut off


class Measure(StrEnum):
    """A measure of an activation."""

    LATENCY = "latency"
    BLOCKING = "blocking"
    RESPONSE = "response"


@dataclass(frozen=True)
class Strip:
    """The values of a protocol."""

    protocol: str
    values_ns: tuple[int, ...]
    unstopped_ns: tuple[int, ...]  # the values without a gap in the processor
    bound_ns: int | None
    verdict: Verdict | None
    cut: bool


@dataclass(frozen=True)
class Histogram:
    """A measure of a task under all protocols."""

    task: str
    measure: Measure
    deadline_ns: int | None
    strips: tuple[Strip, ...]
    clock: str = ""  # as in Gantt

    @cached_property
    def end_ns(self) -> int:
        """The end: the longest value without a stop, or a limit that is near."""
        longest = _longest(strip.values_ns for strip in self.strips)
        quiet = _longest(strip.unstopped_ns for strip in self.strips)
        usual = quiet if quiet > 0 else longest
        limits = [self.deadline_ns, *(strip.bound_ns for strip in self.strips)]
        others = [longest, *(limit for limit in limits if limit is not None)]
        return max([usual, *(each for each in others if each <= usual * NEAR)])

    def beyond(self, strip: Strip) -> int:
        """Return the number of values beyond the end; all of these were stopped."""
        end_ns = self.end_ns
        return sum(value > end_ns for value in strip.values_ns)


def make_histogram(execution: Execution, measure: Measure) -> Histogram:
    """Return a measure of the shown task; only responses have bounds and a deadline."""
    task = execution.shown_task
    return _histogram(execution, task, _finished(execution, task), measure)


def make_histograms(execution: Execution, task: Task) -> list[Histogram]:
    """Return all measures of a task."""
    finished = _finished(execution, task)
    return [_histogram(execution, task, finished, measure) for measure in Measure]


def _finished(execution: Execution, task: Task) -> Finished:
    return {
        protocol: [
            each
            for recorded in trace.tasks
            if recorded.name == task.name
            for each in activations(recorded)
            if each.end_ns is not None
        ]
        for protocol, trace in execution.traces.items()
    }


def _histogram(execution: Execution, task: Task, finished: Finished, measure: Measure) -> Histogram:
    rows = {row.protocol: row for row in execution.report.rows if row.task == task.name}
    strips = tuple(
        _strip(execution.traces[protocol], rows[protocol], of_task, measure)
        for protocol, of_task in finished.items()
    )
    deadline_ns = task.deadline_ns if measure is Measure.RESPONSE else None
    return Histogram(task.name, measure, deadline_ns, strips, execution.clock)


def clip_words(histogram: Histogram) -> str:
    """Return the values beyond the end in words: count, protocols and longest value; or ""."""
    strips = [strip for strip in histogram.strips if histogram.beyond(strip)]
    if not strips:
        return ""
    each = "; ".join(
        f"{names_of([strip.protocol for strip in group], len(histogram.strips))}: "
        f"{histogram.beyond(group[0])} of {len(group[0].values_ns)}, "
        f"the longest {format_duration(max(group[0].values_ns))}"
        for group in alike(strips, lambda strip: replace(strip, protocol=""))
    )
    return (
        f"Beyond {format_duration(histogram.end_ns)} lie values of activations that the "
        f"machine stopped ({each})."
    )


def value_ns(activation: Activation, measure: Measure) -> int:
    """Return a measure of a finished activation."""
    match measure:
        case Measure.LATENCY:
            return activation.latency_ns
        case Measure.BLOCKING:
            return activation.blocking_ns
        case Measure.RESPONSE:
            return activation.response_ns or 0


def _strip(trace: Trace, row: Measures, finished: Sequence[Activation], measure: Measure) -> Strip:
    stopped = row.stopped_ns
    is_response = measure is Measure.RESPONSE
    return Strip(
        row.protocol,
        tuple(value_ns(each, measure) for each in finished),
        tuple(value_ns(each, measure) for each in finished if each.index not in stopped),
        row.judged_bound_ns if is_response else None,
        row.verdict if is_response else None,
        trace.cut is not None,
    )


def _longest(values_ns: Iterable[tuple[int, ...]]) -> int:
    return max((value for values in values_ns for value in values), default=0)
