# SPDX-License-Identifier: MIT
"""From counts to ratios: weighted schedulability (OSPERT 2010, 4, Section 5), and confidence.

  W = sum of U*S(U) / sum of U  over the utilisations of the study

An acceptance ratio has the interval of Wilson 1927. W is a sum of independent ratios. Its interval
is the normal one, with the variance of shares as Agresti and Coull 1998 smooth them: it is not 0
where all sets are schedulable, or none.
"""

from collections.abc import Iterator, Sequence
from math import sqrt

from plafond.describe.draw import Deadlines, Study
from plafond.studies.checkpoint import Points
from plafond.studies.model import (
    AcceptanceRow,
    BreakEven,
    Conditions,
    Ratio,
    SchedulabilityReport,
    WeightedRow,
)

Z = 1.959964  # of 95 %, two sides

NOTES = {
    Deadlines.SOFT: "Soft: schedulable is a set of which no task asks for more than a CPU, and all "
    "of a cluster for no more than it has, so that lateness is bounded (Devi, Anderson 2005).",
    Deadlines.HARD: "Hard: schedulable is a set of which no deadline is missed. With one CPU that "
    "is exact; in larger clusters it is what GFB, BCL or Baruah 2007 show, which are sufficient.",
}
PACKED = "Tasks are packed into clusters first fit by decreasing utilisation."
ACCOUNTED = (
    "The cache delay is put on each job: a job preempts at most one other, which then reloads."
)
WEIGHTED = "W weighs each acceptance ratio with its utilisation; +- is the 95 % interval."


def make_report(study: Study, points: Points) -> SchedulabilityReport:
    """Make it of the points that are finished."""
    finished = [each for each in study.utilisations if each in points]
    tasks = sum(points[each].tasks for each in finished)
    weighted = list(_weighted(study, points))
    return SchedulabilityReport(
        name=study.name,
        conditions=Conditions(
            cpus=study.cpus,
            deadlines=study.deadlines,
            sets=study.sets,
            tasks=tasks / (study.sets * len(finished)) if finished else 0,
            last=study.last,
            seed=study.seed,
            utilisations=[float(each) for each in finished],
            missing=len(study.utilisations) - len(finished),
            notes=[NOTES[study.deadlines], PACKED, ACCOUNTED, WEIGHTED],
        ),
        weighted=weighted,
        acceptance=list(_acceptance(study, points)),
        break_even=list(_break_even(study, weighted)),
    )


def wilson(successes: int, trials: int) -> Ratio:
    """Return a ratio with its interval."""
    share, spread = successes / trials, Z * Z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return Ratio(value=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def weigh(weights: Sequence[float], successes: Sequence[int], trials: int) -> Ratio:
    """Return the weighted mean of ratios with its interval."""
    total = sum(weights)
    pairs = list(zip(weights, successes, strict=True))
    value = sum(weight * count / trials for weight, count in pairs) / total
    smooth = [(weight, (count + Z * Z / 2) / (trials + Z * Z)) for weight, count in pairs]
    variance = sum(w * w * share * (1 - share) for w, share in smooth) / trials
    half = Z * sqrt(variance) / total
    return Ratio(value=value, low=max(0.0, value - half), high=min(1.0, value + half))


def _weighted(study: Study, points: Points) -> Iterator[WeightedRow]:
    finished = [each for each in study.utilisations if each in points]
    weights = [float(each) for each in finished]
    for place, scheduler in enumerate(study.schedulers) if finished else ():
        for row, cache_ns in enumerate(study.caches_ns):
            counts = [points[each].schedulable[row][place] for each in finished]
            weighted = weigh(weights, counts, study.sets)
            yield WeightedRow(scheduler=scheduler.name, cache_ns=cache_ns, weighted=weighted)


def _acceptance(study: Study, points: Points) -> Iterator[AcceptanceRow]:
    for place, scheduler in enumerate(study.schedulers):
        for row, cache_ns in enumerate(study.caches_ns):
            for utilisation in study.utilisations:
                if utilisation in points:
                    schedulable = points[utilisation].schedulable[row][place]
                    yield AcceptanceRow(
                        scheduler=scheduler.name,
                        cache_ns=cache_ns,
                        utilisation=float(utilisation),
                        sets=study.sets,
                        schedulable=schedulable,
                        ratio=wilson(schedulable, study.sets),
                    )


def _break_even(study: Study, weighted: Sequence[WeightedRow]) -> Iterator[BreakEven]:
    if not weighted or len(study.caches_ns) == 1:
        return
    first = weighted[0]
    for scheduler in study.schedulers[1:]:
        below = [
            row.cache_ns
            for row in weighted
            if row.scheduler == scheduler.name and row.weighted.value < first.weighted.value
        ]
        yield BreakEven(scheduler=scheduler.name, cache_ns=min(below, default=None))
