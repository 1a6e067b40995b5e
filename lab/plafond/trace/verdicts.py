# SPDX-License-Identifier: MIT
"""Whether a bound was kept, and whether the machine is to blame if it was not.

What the machine took from an activation counts from when its level last had no work up to its end:

- *stopped*: the time of stops (outside.py). If there is a stop, or if shorter gaps in the midst of
  run steps took more than the noise in the bound, the time of these gaps counts, too.
- *slowness*: how many times slower than usual the run steps were in the slowest 10 us. Locks and
  switches between them cost at most as many times what they usually cost.

A response above its bound is the machine's fault if the analysis, with all of that, finds a bound
that it keeps. Anything more is EXCEEDED.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plafond.describe.system import Task
from plafond.trace.activations import Activation
from plafond.trace.excess import Jobs
from plafond.trace.outside import Processor

MOST_STOPPED_PERCENT = 10  # of the activations of a run: with more of them stopped, none is judged


class Verdict(StrEnum):
    """What became of a bound."""

    KEPT = "kept"
    EXCEEDED = "EXCEEDED"
    NOT_JUDGED = "not judged"  # above it only because of the machine, or that stopped too often


@dataclass(frozen=True)
class Bound:
    """The response bounds of a task under one protocol."""

    theory_ns: int | None  # without overheads
    response_ns: int | None  # with them; None: there is none
    # With overheads, of a CPU that is away for so long, and whose locks and switches are slower.
    when_away_ns: Callable[[int, float], int | None]
    noise_ns: Callable[[int], int]  # what the bound with overheads contains for noise in a window
    not_yet: str | None = None  # why there are none yet


@dataclass(frozen=True)
class Place:
    """A task in its run: what is needed besides its own trace to judge it."""

    task: Task
    jobs: Jobs  # of its CPU
    processor: Processor
    level: int | None  # whose busy periods delay it: of a priority and all above, or of the CPU
    usual_turns_per_us: float | None = None  # of run steps on its CPU; None: they are never slow


def stopped_ns(activation: Activation, place: Place, bound: Bound) -> int:
    """Return for how long the machine had the processor in the time of an activation."""
    long_ns = place.processor.stopped_ns(activation, place.level)
    short_ns = place.processor.heard_ns(activation, place.level)
    if long_ns > 0:
        return long_ns + short_ns
    begin, end = place.processor.window(activation, place.level)
    is_more = bound.response_ns is not None and short_ns > bound.noise_ns(end - begin)
    return short_ns if is_more else 0


def slowness(activation: Activation, place: Place) -> float:
    """Return how many times slower than usual run steps were in the time of an activation."""
    if place.usual_turns_per_us is None:
        return 1
    begin, end = place.processor.window(activation, place.level)
    speeds = [
        each.slowest_turns_per_us
        for _, own in place.jobs
        for each in own
        if each.slowest_turns_per_us is not None
        and each.release_ns < end
        and begin < (each.end_ns or end)
    ]
    return max(1, place.usual_turns_per_us / min(speeds)) if speeds else 1


def verdict_of(finished: Sequence[Activation], place: Place, bound: Bound) -> Verdict | None:
    """Judge by the bound with overheads; without one, what is within the other is within it."""
    limit_ns = bound.response_ns or bound.theory_ns
    if not finished or limit_ns is None:
        return None
    above = [each for each in finished if (each.response_ns or 0) > limit_ns]
    if not above:
        return Verdict.KEPT
    if bound.response_ns is None:
        return None
    return Verdict.EXCEEDED if exceeding(above, place, bound) else Verdict.NOT_JUDGED


def exceeding(above: Sequence[Activation], place: Place, bound: Bound) -> list[Activation]:
    """Return those above their bound that the machine does not explain."""
    return [each for each in above if not _is_explained(each, place, bound)]


def _is_explained(activation: Activation, place: Place, bound: Bound) -> bool:
    """Whether a response keeps the bound of a CPU that is so long away, and so slow."""
    away_ns, slower = stopped_ns(activation, place, bound), slowness(activation, place)
    with_it_ns = bound.when_away_ns(away_ns, slower)
    return with_it_ns is not None and (activation.response_ns or 0) <= with_it_ns


def is_judged(stopped: int, finished: int) -> bool:
    """Whether few enough activations of a run were stopped."""
    return 100 * stopped <= MOST_STOPPED_PERCENT * finished
