# SPDX-License-Identifier: MIT
"""The outcome of a run in a few sentences: kept and missed limits, with the margin."""

from collections.abc import Iterator, Sequence

from plafond.report.alike import in_words, names_of
from plafond.report.summary import left_words
from plafond.run.model import Execution
from plafond.trace.measures import Measures
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration
from plafond.words import NO_BOUND_YET

MOST_TASKS = 3  # to name separately
NOTHING_DUE = "No task with a deadline has finished an activation."
ALL_STOPPED = "Every bound was kept, though the machine stopped each activation."


def headline(execution: Execution) -> list[str]:
    """Return the sentences: first on deadlines, then on bounds."""
    return [*_deadlines(execution), *_bounds(execution)]


def _deadlines(execution: Execution) -> Iterator[str]:
    with_deadline = [row for row in execution.report.rows if row.deadline_ns is not None]
    due = [row for row in with_deadline if row.activations]
    late = list(dict.fromkeys(row.task for row in due if row.deadline_misses))
    unfinished = list(dict.fromkeys(row.task for row in with_deadline if not row.activations))
    if not due:
        yield NOTHING_DUE if with_deadline else "No task has a deadline."
    elif unfinished and not late:
        yield f"Every activation that ended kept its deadline under {_all(execution)}."
    elif not late:
        yield f"Every task kept its deadline under {_all(execution)}."
    for task in unfinished if due else ():
        yield _of_unfinished(execution, [row for row in with_deadline if row.task == task])
    for task in late[:MOST_TASKS]:
        yield _of_late(execution, [row for row in due if row.task == task])
    if late[MOST_TASKS:]:
        yield f"So did {in_words(late[MOST_TASKS:])}: the first table has their misses."


def _of_unfinished(execution: Execution, rows: Sequence[Measures]) -> str:
    protocols = [row.protocol for row in rows if not row.activations]
    return (
        f"{rows[0].task} has finished no activation under "
        f"{names_of(protocols, len(execution.traces))}."
    )


def _of_late(execution: Execution, rows: Sequence[Measures]) -> str:
    """Name the protocols under which a task missed and kept its deadline."""
    missed = [
        f"{row.protocol} ({row.deadline_misses} of {row.activations})"
        for row in rows
        if row.deadline_misses
    ]
    kept = [row.protocol for row in rows if not row.deadline_misses]
    deadline = format_duration(rows[0].deadline_ns or 0)
    also = f", and kept it under {names_of(kept, len(execution.traces))}" if kept else ""
    return f"{rows[0].task} missed its deadline of {deadline} under {in_words(missed)}{also}."


def _bounds(execution: Execution) -> Iterator[str]:
    bounded = [row for row in _finished(execution) if row.judged_bound_ns]
    kept = [row for row in bounded if row.verdict is Verdict.KEPT]
    judged = [row for row in kept if row.left is not None]
    withheld = [row for row in _finished(execution) if row.verdict is Verdict.NOT_JUDGED]
    longer = list(dict.fromkeys(row.task for row in bounded if not row.verdict))
    for row in execution.alarms:
        yield f"The bound of {row.task} under {row.protocol} was EXCEEDED{_excess(row)}."
    yield from _without_bounds(execution)
    if withheld:
        yield _not_judged(withheld, len(execution.traces))
    if longer:
        bounds = "its bound" if len(longer) == 1 else "their bounds"
        yield (
            f"{in_words(longer)} took longer than {bounds} without overheads; "
            "with overheads none is known."
        )
    if not bounded:
        yield "No bound is known here, so none was kept or exceeded."
    elif judged and not execution.alarms:
        yield _tightest(judged, len(execution.traces), "other " if longer or withheld else "")
    elif kept and not (execution.alarms or longer or withheld):
        yield ALL_STOPPED


def _not_judged(rows: Sequence[Measures], count: int) -> str:
    """Name the bounds without a verdict because of the machine; `count` protocols ran."""
    tasks, protocols = (
        list(dict.fromkeys(names))
        for names in ((row.task for row in rows), (row.protocol for row in rows))
    )
    bounds = "The bound" if len(rows) == 1 else "Bounds"
    verb = "was" if len(rows) == 1 else "were"
    return (
        f"{bounds} of {in_words(tasks)} under {names_of(protocols, count)} {verb} "
        f"{Verdict.NOT_JUDGED}: the machine took too much."
    )


def _without_bounds(execution: Execution) -> Iterator[str]:
    """Name the tasks whose bounds need a later analysis."""
    reasons: dict[str, dict[str, None]] = {}  # used as ordered sets of tasks
    for row in _finished(execution):
        if row.no_bound_yet:
            reasons.setdefault(row.no_bound_yet, {})[row.task] = None
    for why, tasks in reasons.items():
        verb = "has" if len(tasks) == 1 else "have"
        yield f"{in_words(list(tasks))} {verb} {NO_BOUND_YET}: {why}."


def _excess(row: Measures) -> str:
    if row.excess is None:
        return ""
    above = row.excess.response_ns / row.excess.bound_ns - 1
    return f", by {left_words(above)}"


def _tightest(judged: Sequence[Measures], count: int, other: str) -> str:
    """Name the task and the protocols that came closest to a bound; `count` protocols ran."""
    row = min(judged, key=lambda each: each.left or 0)
    equals = [each.protocol for each in judged if (each.task, each.left) == (row.task, row.left)]
    longest_ns = row.response_without_stops.maximum_ns if row.response_without_stops else 0
    times = f"{format_duration(longest_ns)} of {format_duration(row.judged_bound_ns or 0)}"
    return (
        f"Every {other}bound was kept; the closest is {row.task} under "
        f"{names_of(equals, count)}: {times}, "
        f"{Verdict.KEPT}, {left_words(row.left or 0)} of the bound left."
    )


def _finished(execution: Execution) -> list[Measures]:
    return [row for row in execution.report.rows if row.activations]


def _all(execution: Execution) -> str:
    protocols = list(execution.traces)
    return names_of(protocols, len(protocols))
