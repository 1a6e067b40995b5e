# SPDX-License-Identifier: MIT
"""The reason why a ready task does not run: a more urgent task, a less urgent task, or neither.

If a less urgent task runs, that is priority inversion. Under a ceiling, blocking happens in this
way before the task starts, not at its locks. If no task runs, something outside the task set has
the processor.

There are two exceptions, because a waiting task may keep others out. A task that waits for another
CPU counts as running if no other task runs, because the kernel may spin for it at its priority. So
does a task that waits for its server's next budget, because its ceiling keeps others out.
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
    """Return the rows of a CPU with READY split into READY, KEPT_OUT and OUTSIDE.

    The most urgent row is first. `across_cpus`: the resources with users on several CPUs.
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
    """Yield begin, end and urgency of each time in which a task runs, or counts as running."""
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
    """Whether a waiting task keeps others out."""
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
    """Yield the gaps before, between and after the spans, which must not overlap."""
    far = 1 << 62
    for (_, end), (begin, _) in pairwise([(-far, -far), *spans, (far, far)]):
        if end < begin:
            yield (end, begin)
