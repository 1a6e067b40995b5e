# SPDX-License-Identifier: MIT
"""What is printed of each task and protocol: the observation beside its bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, pstdev

from pydantic import BaseModel

from plafond.describe.system import Task
from plafond.trace.activations import Activation, activations, skipped
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
    EXCEEDED_OUTSIDE = "exceeded*"  # within that of a CPU that is away for as long as it was


class Measures(BaseModel):
    """One task under one protocol."""

    task: str
    protocol: str
    activations: int  # finished
    skipped: int
    latency: Spread | None  # None: no activation finished
    blocking: Spread | None
    response: Spread | None
    # Of those that nothing outside the tasks disturbed: see outside.py.
    response_undisturbed: Spread | None
    deadline_ns: int | None
    deadline_misses: int
    context_switches: int | None  # None: cut off
    lock_calls: int | None
    response_bound_ns: int | None
    verdict: Verdict | None  # None: no bound, or nothing finished


@dataclass(frozen=True)
class Bound:
    """The response bound of a task, and the one if its CPU is away for so long."""

    response_ns: int
    # The busy period that the bound looks at: of a priority and all above it, or of the CPU.
    level: int | None
    when_away_ns: Callable[[int], int | None]  # None: unknown


def measure(
    trace: TaskTrace, task: Task, processor: Processor, protocol: str, bound: Bound | None
) -> Measures:
    """Summarise one task of a trace; `processor`: its CPU."""
    finished = [each for each in activations(trace) if each.end_ns is not None]
    responses = [activation.response_ns or 0 for activation in finished]
    undisturbed = [
        activation.response_ns or 0
        for activation in finished
        if not processor.is_disturbed(activation)
    ]
    return Measures(
        task=task.name,
        protocol=protocol,
        activations=len(finished),
        skipped=skipped(trace),
        latency=spread([activation.latency_ns for activation in finished]),
        blocking=spread([activation.blocking_ns for activation in finished]),
        response=spread(responses),
        response_undisturbed=spread(undisturbed),
        deadline_ns=task.deadline_ns,
        deadline_misses=sum(
            task.deadline_ns is not None and response > task.deadline_ns for response in responses
        ),
        context_switches=_sum(trace.voluntary_switches, trace.involuntary_switches),
        lock_calls=trace.lock_calls,
        response_bound_ns=bound.response_ns if bound else None,
        verdict=_verdict(finished, processor, bound) if bound and finished else None,
    )


def _verdict(finished: Sequence[Activation], processor: Processor, bound: Bound) -> Verdict:
    exceeding = [each for each in finished if (each.response_ns or 0) > bound.response_ns]
    if not exceeding:
        return Verdict.KEPT
    outside = (processor.outside_ns(activation, bound.level) for activation in exceeding)
    explained = all(
        _is_explained(activation.response_ns or 0, bound, outside_ns)
        for activation, outside_ns in zip(exceeding, outside, strict=True)
    )
    return Verdict.EXCEEDED_OUTSIDE if explained else Verdict.EXCEEDED


def _is_explained(response_ns: int, bound: Bound, outside_ns: int) -> bool:
    """Whether the CPU may need so long if it is away for so long."""
    if response_ns <= bound.response_ns + outside_ns:  # at least as much; no need to ask
        return True
    with_it_ns = bound.when_away_ns(outside_ns)
    return with_it_ns is not None and response_ns <= with_it_ns


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
