# SPDX-License-Identifier: MIT
"""Why a task that is ready does not run: a more urgent one does, a less urgent one, or none.

That a less urgent one runs is priority inversion: under a ceiling the blocking happens
there, before the task starts, and not at its locks. That none runs is no doing of the
task set: something else had the processor. But where a task waits for another CPU, that task
counts as the one that runs, if no other does: the kernel may spin for it, at its priority. So does
one that waits for its server's next budget: it keeps others out by its ceiling.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from plafond.report.during import During
from plafond.report.rows import Row, State, Stretch, split
from plafond.report.urgency import Urgency
from plafond.trace.activations import Span
from plafond.trace.outside import union, without


def split_ready(
    rows: Sequence[Row], urgencies: Sequence[Urgency], across_cpus: Collection[str] = ()
) -> list[Row]:
    """Return the rows of one CPU with READY split into READY, KEPT_OUT and OUTSIDE.

    The most urgent row is first. `across_cpus`: the resources whose users are on several CPUs.
    """
    running = sorted(_running(rows, urgencies, across_cpus))
    ran = During(running, lambda each: each[:2])
    idle = During(list(_gaps([(begin, end) for begin, end, _ in running])), lambda span: span)
    return [
        replace(row, stretches=tuple(_split_stretches(row.stretches, ran, idle, urgency)))
        for row, urgency in zip(rows, urgencies, strict=True)
    ]


def _running(
    rows: Sequence[Row], urgencies: Sequence[Urgency], across_cpus: Collection[str]
) -> Iterator[tuple[int, int, int]]:
    """Yield from when to when a task runs, or waits as if it did, and how urgent it is."""
    taken: list[Span] = []
    for row, urgency in zip(rows, urgencies, strict=True):
        spans = [_span(each) for each in row.stretches if each.state is State.RUNNING]
        yield from ((begin, end, urgency(begin)) for begin, end in spans)
        taken = union([*taken, *spans])
    for row, urgency in zip(rows, urgencies, strict=True):
        waits = [_span(each) for each in row.stretches if _keeps_out(each, across_cpus)]
        spans = without(union(waits), taken)
        yield from ((begin, end, urgency(begin)) for begin, end in spans)
        taken = union([*taken, *spans])


def _keeps_out(stretch: Stretch, across_cpus: Collection[str]) -> bool:
    """Whether a task that waits keeps out others meanwhile."""
    waits_for_cpu = stretch.state is State.BLOCKED and stretch.resource in across_cpus
    return waits_for_cpu or stretch.state is State.POSTPONED


def _span(stretch: Stretch) -> Span:
    return stretch.begin_ns, stretch.end_ns


def _split_stretches(
    stretches: Iterable[Stretch],
    ran: During[tuple[int, int, int]],
    idle: During[Span],
    urgency: Urgency,
) -> Iterator[Stretch]:
    for stretch in stretches:
        if stretch.state is not State.READY:
            yield stretch
            continue
        own = urgency(stretch.begin_ns)
        others = ran.overlapping(stretch.begin_ns, stretch.end_ns)
        kept_out = [(begin, end) for begin, end, other in others if other < own]
        for piece in split(stretch, kept_out, State.KEPT_OUT):
            during = idle.overlapping(piece.begin_ns, piece.end_ns)
            yield from split(piece, during, State.OUTSIDE)


def _gaps(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield when nothing runs: before, between and after; what runs does not overlap."""
    far = 1 << 62
    for (_, end), (begin, _) in pairwise([(-far, -far), *spans, (far, far)]):
        if end < begin:
            yield (end, begin)
