# SPDX-License-Identifier: MIT
"""What is printed of each task and protocol: the observation beside its bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, pstdev

from pydantic import BaseModel

from plafond.describe.system import Task
from plafond.trace.activations import Activation, activations, skipped
from plafond.trace.excess import Excess, Jobs, excess_of
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
    EXCEEDED_OUTSIDE = "exceeded*"  # only where disturbed, within that of a CPU so long away


class Disturbance(BaseModel):
    """A response above its bound with overheads, and what had the processor meanwhile."""

    activation: int
    response_ns: int
    bound_ns: int
    foreign_ns: int  # in gaps that no kernel needs
    heard_ns: int  # in shorter gaps in the midst of run steps
    noise_ns: int  # what the bound contains for these


class Measures(BaseModel):
    """One task under one protocol."""

    task: str
    protocol: str
    activations: int  # finished
    skipped: int
    latency: Spread | None  # None: no activation finished
    blocking: Spread | None
    response: Spread | None
    disturbed: int  # so many of the finished ones were, by gaps in the processor: see outside.py
    disturbed_activations: list[int]  # which
    response_undisturbed: Spread | None  # of the others
    worst: int | None  # the activation with the longest of these; if there is none, of all
    deadline_ns: int | None
    deadline_misses: int
    context_switches: int | None  # None: cut off
    lock_calls: int | None
    response_bound_ns: int | None  # as the papers reckon it, without overheads
    response_bound_with_overheads_ns: int | None  # None: no such bound, or overheads not known
    ratio: float | None  # the longest undisturbed response over the bound with overheads
    verdict: Verdict | None  # None: no bound, or nothing finished
    no_bound_yet: str | None = None  # why a later analysis is needed for both bounds
    excess: Excess | None = None  # of the worst activation, where the bound is EXCEEDED
    disturbance: Disturbance | None = None  # of the longest response, where it is exceeded*

    @property
    def judged_bound_ns(self) -> int | None:
        """The bound that the verdict is about."""
        return self.response_bound_with_overheads_ns or self.response_bound_ns

    @property
    def left(self) -> float | None:
        """The share of that bound above the longest undisturbed response; negative: it was longer.

        None: no bound, or nothing undisturbed finished.
        """
        if self.response_undisturbed is None or not self.judged_bound_ns:
            return None
        return 1 - self.response_undisturbed.maximum_ns / self.judged_bound_ns


@dataclass(frozen=True)
class Bound:
    """The response bounds of a task under one protocol."""

    theory_ns: int | None  # without overheads
    response_ns: int | None  # with them; None: there is none
    when_away_ns: Callable[[int], int | None]  # with overheads, of a CPU that is so long away
    noise_ns: Callable[[int], int]  # what the bound with overheads contains for noise in a window
    not_yet: str | None = None  # why there are none yet


@dataclass(frozen=True)
class Place:
    """A task in its run: what is needed besides its own trace to judge it."""

    task: Task
    jobs: Jobs  # of its CPU
    processor: Processor
    level: int | None  # whose busy periods delay it: of a priority and all above, or of the CPU


def measure(trace: TaskTrace, place: Place, protocol: str, bound: Bound) -> Measures:
    """Summarise one task of a trace."""
    task = place.task
    finished = [each for each in activations(trace) if each.end_ns is not None]
    responses = [activation.response_ns or 0 for activation in finished]
    disturbed = [each.index for each in finished if _is_disturbed(each, place, bound)]
    left_out = set(disturbed)
    undisturbed = [activation for activation in finished if activation.index not in left_out]
    worst = max(undisturbed or finished, key=lambda each: each.response_ns or 0, default=None)
    quiet = spread([activation.response_ns or 0 for activation in undisturbed])
    verdict = _verdict(finished, undisturbed, place, bound) if finished else None
    return Measures(
        task=task.name,
        protocol=protocol,
        activations=len(finished),
        skipped=skipped(trace),
        latency=spread([activation.latency_ns for activation in finished]),
        blocking=spread([activation.blocking_ns for activation in finished]),
        response=spread(responses),
        disturbed=len(disturbed),
        disturbed_activations=disturbed,
        response_undisturbed=quiet,
        worst=worst.index if worst else None,
        deadline_ns=task.deadline_ns,
        deadline_misses=sum(
            task.deadline_ns is not None and response > task.deadline_ns for response in responses
        ),
        context_switches=_sum(trace.voluntary_switches, trace.involuntary_switches),
        lock_calls=trace.lock_calls,
        response_bound_ns=bound.theory_ns,
        response_bound_with_overheads_ns=bound.response_ns,
        ratio=quiet.maximum_ns / bound.response_ns if quiet and bound.response_ns else None,
        verdict=verdict,
        no_bound_yet=bound.not_yet,
        excess=_excess(finished, undisturbed, place, bound)
        if verdict is Verdict.EXCEEDED
        else None,
        disturbance=_disturbance(
            max(finished, key=lambda each: each.response_ns or 0), place, bound
        )
        if verdict is Verdict.EXCEEDED_OUTSIDE
        else None,
    )


def _is_disturbed(activation: Activation, place: Place, bound: Bound) -> bool:
    """Whether there was a foreign gap, or more noise than the bound with overheads contains."""
    if place.processor.foreign_ns(activation, place.level) > 0:
        return True
    begin, end = place.processor.window(activation, place.level)
    heard_ns = place.processor.heard_ns(activation, place.level)
    return bound.response_ns is not None and heard_ns > bound.noise_ns(end - begin)


def _disturbance(activation: Activation, place: Place, bound: Bound) -> Disturbance:
    begin, end = place.processor.window(activation, place.level)
    return Disturbance(
        activation=activation.index,
        response_ns=activation.response_ns or 0,
        bound_ns=bound.response_ns or 0,
        foreign_ns=place.processor.foreign_ns(activation, place.level),
        heard_ns=place.processor.heard_ns(activation, place.level),
        noise_ns=bound.noise_ns(end - begin),
    )


def _excess(
    finished: Sequence[Activation], undisturbed: Sequence[Activation], place: Place, bound: Bound
) -> Excess:
    """Split the longest response that is an alarm: of the undisturbed ones, if one is above."""
    limit_ns = bound.response_ns or 0
    above = [each for each in undisturbed if (each.response_ns or 0) > limit_ns]
    alarm = max(above or finished, key=lambda each: each.response_ns or 0)
    return excess_of(place.jobs, place.processor, alarm, place.level, limit_ns)


def _verdict(
    finished: Sequence[Activation], undisturbed: Sequence[Activation], place: Place, bound: Bound
) -> Verdict | None:
    """Judge by the bound with overheads; without one, what is within the other is within it."""
    longest_ns = max(each.response_ns or 0 for each in finished)
    limit_ns = bound.response_ns or bound.theory_ns
    if limit_ns is None:
        return None
    if longest_ns <= limit_ns:
        return Verdict.KEPT
    if bound.response_ns is None:
        return None
    if any((each.response_ns or 0) > limit_ns for each in undisturbed):
        return Verdict.EXCEEDED
    exceeding = [each for each in finished if (each.response_ns or 0) > limit_ns]
    explained = all(_is_explained(each, place, bound) for each in exceeding)
    return Verdict.EXCEEDED_OUTSIDE if explained else Verdict.EXCEEDED


def _is_explained(activation: Activation, place: Place, bound: Bound) -> bool:
    """Whether the CPU may need so long if it is away for so long, besides its noise."""
    foreign_ns = place.processor.foreign_ns(activation, place.level)
    away_ns = foreign_ns + place.processor.heard_ns(activation, place.level)
    with_it_ns = bound.when_away_ns(away_ns)
    return with_it_ns is not None and (activation.response_ns or 0) <= with_it_ns


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
