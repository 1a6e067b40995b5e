# SPDX-License-Identifier: MIT
"""What is printed of each task and protocol: the observation beside its bound."""

from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean, pstdev

from pydantic import BaseModel

from plafond.describe.system import Task
from plafond.trace.activations import activations, skipped
from plafond.trace.model import TaskTrace
from plafond.trace.outside import Processor


class Spread(BaseModel):
    """Average, standard deviation and maximum of a time, over all finished activations."""

    average_ns: float
    deviation_ns: float
    maximum_ns: int


class Verdict(StrEnum):
    """What became of a bound."""

    KEPT = "kept"
    EXCEEDED = "EXCEEDED"
    EXCEEDED_OUTSIDE = "exceeded*"  # but not by what the tasks did


class Measures(BaseModel):
    """One task under one protocol."""

    task: str
    protocol: str
    activations: int  # finished
    skipped: int
    latency: Spread | None  # None: no activation finished
    blocking: Spread | None
    response: Spread | None
    # Less the time in which none of the CPU's tasks ran: see outside.py.
    response_inside: Spread | None
    deadline_ns: int
    deadline_misses: int
    context_switches: int | None  # None: cut off
    lock_calls: int | None
    response_bound_ns: int | None

    @property
    def verdict(self) -> Verdict | None:
        """Compare the longest response with its bound; None if there is only one of them."""
        if not self.response or not self.response_inside or self.response_bound_ns is None:
            return None
        if self.response.maximum_ns <= self.response_bound_ns:
            return Verdict.KEPT
        if self.response_inside.maximum_ns <= self.response_bound_ns:
            return Verdict.EXCEEDED_OUTSIDE
        return Verdict.EXCEEDED


def measure(
    trace: TaskTrace,
    task: Task,
    processor: Processor,
    protocol: str,
    response_bound_ns: int | None,
) -> Measures:
    """Summarise one task of a trace; `processor`: its CPU."""
    finished = [each for each in activations(trace) if each.end_ns is not None]
    responses = [activation.response_ns or 0 for activation in finished]
    outside = [processor.outside_ns(activation, task.priority) for activation in finished]
    return Measures(
        task=task.name,
        protocol=protocol,
        activations=len(finished),
        skipped=skipped(trace),
        latency=spread([activation.latency_ns for activation in finished]),
        blocking=spread([activation.blocking_ns for activation in finished]),
        response=spread(responses),
        response_inside=spread([a - b for a, b in zip(responses, outside, strict=True)]),
        deadline_ns=task.deadline_ns,
        deadline_misses=sum(response > task.deadline_ns for response in responses),
        context_switches=_sum(trace.voluntary_switches, trace.involuntary_switches),
        lock_calls=trace.lock_calls,
        response_bound_ns=response_bound_ns,
    )


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def spread(values_ns: Sequence[int]) -> Spread | None:
    """Average, standard deviation and maximum, or None of nothing."""
    if not values_ns:
        return None
    return Spread(
        average_ns=fmean(values_ns), deviation_ns=pstdev(values_ns), maximum_ns=max(values_ns)
    )
