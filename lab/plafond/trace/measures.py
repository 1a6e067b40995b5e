# SPDX-License-Identifier: MIT
"""The printed row for a task and a protocol: observations beside their bound."""

from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Annotated

from pydantic import BaseModel

from plafond.rows import Column, duration
from plafond.trace.activations import Activation, activations, skipped
from plafond.trace.excess import Excess, excess_of
from plafond.trace.model import TaskTrace
from plafond.trace.verdicts import (
    Bound,
    Place,
    Verdict,
    exceeding,
    is_judged,
    stopped_ns,
    verdict_of,
)
from plafond.units import format_duration
from plafond.words import NO_BOUND_YET


class Spread(BaseModel):
    """Average, standard deviation and maximum of a time, over all finished activations."""

    average_ns: float
    deviation_ns: float
    maximum_ns: int


def _average(field: str) -> Column:
    return _of_spread(field, "average_ns", f"{field} avg")


def _deviation(field: str) -> Column:
    return _of_spread(field, "deviation_ns", "std")


def _most(field: str, heading: str = "max") -> Column:
    return _of_spread(field, "maximum_ns", heading)


def _of_spread(field: str, figure: str, heading: str) -> Column:
    return duration(heading, of=lambda row: getattr(getattr(row, field), figure, None))


def _bound(field: str, heading: str, digits: int) -> Column:
    """Return the column of a bound, with digits enough to show overheads of a thousandth."""

    def text(row: "Measures") -> str:
        bound_ns = getattr(row, field)
        if bound_ns is not None:
            return format_duration(bound_ns, digits)
        return NO_BOUND_YET if row.no_bound_yet else "-"

    return Column(heading, of=text, place=2)


class Measures(BaseModel):
    """The measures of a task under a protocol."""

    task: str
    protocol: Annotated[str, Column("protocol")]
    activations: Annotated[int, Column("activations")]  # only finished activations
    skipped: Annotated[int, Column("skipped")]
    # None: no activation finished.
    latency: Annotated[Spread | None, _average("latency"), _most("latency")]
    blocking: Annotated[Spread | None, _average("blocking"), _most("blocking")]
    response: Annotated[
        Spread | None, _average("response"), _deviation("response"), _most("response")
    ]
    # Finished activations that the machine stopped: see verdicts.py.
    stopped: Annotated[int, Column("stopped", place=1)]
    stopped_ns: dict[int, int]  # by activation: how long it was stopped
    # Only of activations that were not stopped.
    response_without_stops: Annotated[Spread | None, _most("response_without_stops", "no stops")]
    # the activation with the longest response without stops, or else with the longest response
    worst: int | None
    deadline_ns: int | None
    deadline_misses: Annotated[int, Column("deadline misses")]
    # None: the run was cut off.
    context_switches: Annotated[int | None, Column("context switches", missing="cut off")]
    lock_calls: Annotated[int | None, Column("lock system calls", missing="not counted")]
    # Without overheads, as in the papers.
    response_bound_ns: Annotated[int | None, _bound("response_bound_ns", "bound", digits=4)]
    # None: no such bound, or overheads not known.
    response_bound_with_overheads_ns: Annotated[
        int | None, _bound("response_bound_with_overheads_ns", "with overheads", digits=6)
    ]
    # The longest response without stops, divided by the bound with overheads.
    ratio: Annotated[float | None, Column("ratio", format=".4f", missing="-", place=2)]
    # None: no bound, or no activation finished.
    verdict: Annotated[Verdict | None, Column("verdict", missing="-", place=2)]
    no_bound_yet: str | None = None  # why both bounds need an analysis that does not exist yet
    excess: Excess | None = None  # the parts of the worst alarm, if the bound is EXCEEDED
    above: int = 0  # the number of responses above the bound with overheads

    @property
    def judged_bound_ns(self) -> int | None:
        """Return the bound that the verdict uses."""
        return self.response_bound_with_overheads_ns or self.response_bound_ns

    @property
    def compared_ns(self) -> int | None:
        """Return the response that is set beside the bound.

        It is the longest response without stops, or the response that makes the bound EXCEEDED.
        None: no activation finished without a stop.
        """
        if self.excess:
            return self.excess.response_ns
        quiet = self.response_without_stops
        return quiet.maximum_ns if quiet else None

    @property
    def left(self) -> float | None:
        """Return the share of the bound above that response, negative if the response was longer.

        None: no bound, or no such response.
        """
        if self.compared_ns is None or not self.judged_bound_ns:
            return None
        return 1 - self.compared_ns / self.judged_bound_ns


def measure(trace: TaskTrace, place: Place, protocol: str, bound: Bound) -> Measures:
    """Summarise a task of a trace."""
    task = place.task
    finished = [each for each in activations(trace) if each.end_ns is not None]
    responses = [activation.response_ns or 0 for activation in finished]
    stops = {each.index: stopped_ns(each, place, bound) for each in finished}
    stops = {index: time_ns for index, time_ns in stops.items() if time_ns > 0}
    unstopped = [activation for activation in finished if activation.index not in stops]
    worst = max(unstopped or finished, key=lambda each: each.response_ns or 0, default=None)
    quiet = spread([activation.response_ns or 0 for activation in unstopped])
    verdict = verdict_of(finished, place, bound)
    above = [each for each in finished if bound.response_ns and is_above(each, bound.response_ns)]
    return Measures(
        task=task.name,
        protocol=protocol,
        activations=len(finished),
        skipped=skipped(trace),
        latency=spread([activation.latency_ns for activation in finished]),
        blocking=spread([activation.blocking_ns for activation in finished]),
        response=spread(responses),
        stopped=len(stops),
        stopped_ns=stops,
        response_without_stops=quiet,
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
        excess=_excess(above, place, bound) if verdict is Verdict.EXCEEDED else None,
        above=len(above),
    )


def judged_as_one(rows: Sequence[Measures]) -> list[Measures]:
    """Return the rows of a run; withhold all verdicts if the run was stopped too often."""
    if is_judged(sum(row.stopped for row in rows), sum(row.activations for row in rows)):
        return list(rows)
    withheld = {"verdict": Verdict.NOT_JUDGED, "excess": None}
    return [row.model_copy(update=withheld) if row.verdict else row for row in rows]


def is_above(activation: Activation, limit_ns: int) -> bool:
    """Return whether the response is above the limit."""
    return (activation.response_ns or 0) > limit_ns


def _excess(above: Sequence[Activation], place: Place, bound: Bound) -> Excess:
    """Divide the longest response that is an alarm into its parts."""
    limit_ns = bound.response_ns or 0
    alarm = max(exceeding(above, place, bound), key=lambda each: each.response_ns or 0)
    return excess_of(place.jobs, place.processor, alarm, place.level, limit_ns)


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def spread(values_ns: Sequence[int]) -> Spread | None:
    """Return average, standard deviation and maximum; None if there are no values."""
    if not values_ns:
        return None
    return Spread(
        average_ns=fmean(values_ns), deviation_ns=pstdev(values_ns), maximum_ns=max(values_ns)
    )
