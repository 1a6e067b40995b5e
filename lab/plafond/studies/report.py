# SPDX-License-Identifier: MIT
"""Ratios from counts: weighted schedulability (OSPERT 2010, 4, Section 5), and confidence.

  W = sum of U*S(U) / sum of U  over the utilisations of the study

An acceptance ratio has the interval of Wilson 1927. W is a sum of independent ratios, so its
interval is the normal one. The variance uses the smoothing of Agresti and Coull 1998, so that it is
not 0 even if all sets or none are schedulable.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from plafond.describe.study import Case, Deadlines, Method, Study, Variable
from plafond.studies.checkpoint import Points
from plafond.studies.costs import KnownCosts
from plafond.studies.model import (
    AcceptanceRow,
    BestRow,
    BreakEven,
    Conditions,
    GainRow,
    Ratio,
    SchedulabilityReport,
    WeightedRow,
)

Z = 1.959964  # 95 %, two-sided

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
CACHED = (
    "The cache delay is what `analyse` puts on a wake-up that can preempt, and twice on a section "
    "that can make another task wait."
)
SWITCHED = (
    "The overhead is put on each job: what the switch to it takes, and that back to the one that "
    "it preempted."
)
SWITCHED_SHARING = (
    "The overhead is the switch to a job and back, where `analyse` puts that: on each job, once on "
    "what it may have to wait for, and on each section that another task may wait for asleep."
)
WEIGHTED = "W weighs each acceptance ratio with its utilisation; +- is the 95 % interval."
SHARED = (
    "Schedulable is a set of which `analyse` says so of each task: deadlines are intervals, and "
    "what has the shorter one is more urgent.",
    "A task has a section of each resource that it uses, part of its run time and at most an equal "
    "part of it, none inside another.",
)
PLACED = (
    "Tasks are placed worst fit by decreasing utilisation: the busiest first, each on the CPU that "
    "is asked for least; apart: those that share are placed as one task, with ceilings."
)
SERVED = (
    "Tasks are dealt to idling servers, the busiest first, each to the one that is asked for "
    "least; a server has its part of all budgets by what its tasks ask for, and the one with the "
    "shorter period is more urgent. No task of a server preempts one that holds what it shares."
)
DRAWN = {
    Method.UUNIFAST: "Task sets by UUniFast-discard (Bini, Buttazzo 2005; Davis, Burns 2011): a "
    "given number of tasks, uniform over all sets of the utilisation whose tasks are in range.",
    Method.AUTOMOTIVE: "Task sets by Kramer, Ziegenbein, Hamann 2015: runnables of an engine "
    "control without the angle-synchronous ones, a task for each period.",
}
FREE = "Locks, arrivals and switches cost nothing."
FREE_BUT_SWITCHES = "Locks and interrupts cost nothing."


def make_report(
    study: Study, points: Points, costs: KnownCosts | None = None
) -> SchedulabilityReport:
    """Make the report of the finished points."""
    finished = [each for each in study.utilisations if each in points]
    tasks = sum(points[each].tasks for each in finished)
    weighted = list(_weighted(study, points))
    return SchedulabilityReport(
        name=study.name,
        conditions=Conditions(
            cpus=study.cpus,
            scheduler=study.scheduler,
            deadlines=study.deadlines,
            sets=study.sets,
            tasks=tasks / (study.sets * len(finished)) if finished else 0,
            method=study.method,
            last=study.last,
            seed=study.seed,
            resources=study.sections.resources if study.sections else None,
            servers=study.servers.count if study.servers else None,
            utilisations=[float(each) for each in finished],
            missing=len(study.utilisations) - len(finished),
            notes=_notes(study, costs),
        ),
        weighted=weighted,
        acceptance=list(_acceptance(study, points)),
        best=list(_best(study, weighted)) if study.sections else [],
        gains=list(_gains(study, points)) if study.sections else [],
        break_even=list(_break_even(study, weighted)),
    )


def _notes(study: Study, costs: KnownCosts | None) -> list[str]:
    judged = [NOTES[study.deadlines], PACKED]
    if study.sections:
        free = FREE_BUT_SWITCHES if Variable.OVERHEAD in study.varied else FREE
        judged = [*SHARED, costs.said if costs else free, *([PLACED] if study.cpus > 1 else [])]
    if study.servers:
        judged.append(SERVED)
    accounted = []
    if any(case.cache_ns for case in study.cases):
        accounted.append(CACHED if study.sections else ACCOUNTED)
    if any(case.overhead_ns for case in study.cases):
        accounted.append(SWITCHED_SHARING if study.sections else SWITCHED)
    drawn = [DRAWN[study.method]] if study.method in DRAWN else []
    return [*drawn, *judged, *accounted, WEIGHTED]


def wilson(successes: int, trials: int) -> Ratio:
    """Return a ratio with its interval."""
    share, spread = successes / trials, Z * Z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return Ratio(value=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def weigh(weights: Sequence[Fraction], successes: Sequence[int], trials: int) -> Ratio:
    """Return the weighted mean of ratios with its interval; equal ratios give exactly equal
    values."""
    total = sum(weights)
    pairs = list(zip(weights, successes, strict=True))
    value = float(sum(weight * count for weight, count in pairs) / (total * trials))
    smooth = [(float(weight), (count + Z * Z / 2) / (trials + Z * Z)) for weight, count in pairs]
    variance = sum(w * w * share * (1 - share) for w, share in smooth) / trials
    half = Z * sqrt(variance) / float(total)
    return Ratio(value=value, low=max(0.0, value - half), high=min(1.0, value + half))


def _weighted(study: Study, points: Points) -> Iterator[WeightedRow]:
    finished = [each for each in study.utilisations if each in points]
    for place, name in enumerate(study.compared) if finished else ():
        for row, case in enumerate(study.cases):
            counts = [points[each].schedulable[row][place] for each in finished]
            weighted = weigh(finished, counts, study.sets)
            yield WeightedRow(**_fields(case), compared=name, weighted=weighted)


def _acceptance(study: Study, points: Points) -> Iterator[AcceptanceRow]:
    for place, name in enumerate(study.compared):
        for row, case in enumerate(study.cases):
            for utilisation in study.utilisations:
                if utilisation in points:
                    schedulable = points[utilisation].schedulable[row][place]
                    yield AcceptanceRow(
                        **_fields(case),
                        compared=name,
                        utilisation=float(utilisation),
                        sets=study.sets,
                        schedulable=schedulable,
                        ratio=wilson(schedulable, study.sets),
                    )


def _fields(case: Case) -> dict[str, Any]:
    return {
        "cache_ns": case.cache_ns,
        "overhead_ns": case.overhead_ns,
        "section_ns": case.section_ns,
        "share": None if case.share is None else float(case.share),
        "budget": None if case.budget is None else float(case.budget),
    }


def _best(study: Study, weighted: Sequence[WeightedRow]) -> Iterator[BestRow]:
    """Yield the best of each case; `weighted` is grouped by alternative."""
    cases = len(study.cases)
    for place, case in enumerate(study.cases) if weighted else ():
        values = {row.compared: row.weighted.value for row in weighted[place::cases]}
        most = max(values.values())
        best = [name for name, value in values.items() if value == most]
        others = [value for value in values.values() if value < most]
        margin = most - max(others) if others else None
        yield BestRow(**_fields(case), best=best, weighted=most, margin=margin)


def _gains(study: Study, points: Points) -> Iterator[GainRow]:
    for place, over in enumerate(study.compared[1:], start=1):
        for row, case in enumerate(study.cases) if points else ():
            counts = [each.schedulable[row] for each in points.values()]
            gained = sum(count[0] - count[place] for count in counts)
            yield GainRow(**_fields(case), over=over, sets=gained)


def _break_even(study: Study, weighted: Sequence[WeightedRow]) -> Iterator[BreakEven]:
    if not weighted or study.varied != (Variable.CACHE,) or len(study.cases) == 1:
        return
    first = weighted[0]
    for name in study.compared[1:]:
        below = [
            row.cache_ns
            for row in weighted
            if row.compared == name and row.weighted.value < first.weighted.value
        ]
        yield BreakEven(compared=name, cache_ns=min(below, default=None))
