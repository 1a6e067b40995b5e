# SPDX-License-Identifier: MIT
"""Decide whether a bound was kept, and if not, whether the machine is the cause.

Two disturbances count for an activation, from the time when its level last had no work up to its
end:

- *stopped*: the time of stops (outside.py). Shorter gaps inside run steps count, too, if there is a
  stop, or if they are more than the noise in the bound.
- *slowness*: how many times slower than usual the run steps were in their slowest 10 us. Locks and
  switches cost at most as many times their usual cost.

The machine is the cause if the analysis with both disturbances finds a bound that the response
keeps. Otherwise the bound is EXCEEDED.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plafond.describe.system import Task
from plafond.trace.activations import Activation
from plafond.trace.excess import Jobs
from plafond.trace.outside import Processor

MOST_STOPPED_PERCENT = 10  # if more activations of a run were stopped, none is judged


class Verdict(StrEnum):
    """The result of the comparison with a bound."""

    KEPT = "kept"
    EXCEEDED = "EXCEEDED"
    # above the bound only because of the machine, or the run was stopped too often
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Bound:
    """The response bounds of a task under a protocol."""

    theory_ns: int | None  # the bound without overheads
    response_ns: int | None  # the bound with overheads; None: there is none
    # With overheads, if the CPU is away for this time, and locks and switches are slower.
    when_away_ns: Callable[[int, float], int | None]
    noise_ns: Callable[[int], int]  # noise that the bound with overheads contains for a window
    not_yet: str | None = None  # why there are no bounds yet


@dataclass(frozen=True)
class Place:
    """The surroundings of a task in its run, which its verdict needs."""

    task: Task
    jobs: Jobs  # the tasks of its CPU
    processor: Processor
    level: int | None  # busy periods of this priority and above delay it; None: of the whole CPU
    usual_turns_per_us: float | None = None  # usual speed of run steps; None: never slow


def stopped_ns(activation: Activation, place: Place, bound: Bound) -> int:
    """Return for how long the machine took the processor from an activation."""
    long_ns = place.processor.stopped_ns(activation, place.level)
    short_ns = place.processor.heard_ns(activation, place.level)
    if long_ns > 0:
        return long_ns + short_ns
    begin, end = place.processor.window(activation, place.level)
    is_more = bound.response_ns is not None and short_ns > bound.noise_ns(end - begin)
    return short_ns if is_more else 0


def slowness(activation: Activation, place: Place) -> float:
    """Return how many times slower than usual the run steps were during an activation."""
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
    """Return the verdict by the bound with overheads.

    If there is none, a response within the bound without overheads is within both.
    """
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
    """Return the activations above their bound that the machine does not explain."""
    return [each for each in above if not _is_explained(each, place, bound)]


def _is_explained(activation: Activation, place: Place, bound: Bound) -> bool:
    """Return whether the response keeps the bound of a CPU that is away as long and as slow."""
    away_ns, slower = stopped_ns(activation, place, bound), slowness(activation, place)
    with_it_ns = bound.when_away_ns(away_ns, slower)
    return with_it_ns is not None and (activation.response_ns or 0) <= with_it_ns


def is_judged(stopped: int, finished: int) -> bool:
    """Return whether few enough activations of a run were stopped."""
    return 100 * stopped <= MOST_STOPPED_PERCENT * finished
