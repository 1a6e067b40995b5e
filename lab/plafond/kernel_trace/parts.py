# SPDX-License-Identifier: MIT
"""Which thread took which part of a stretch of time on one CPU."""

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.model import ThreadKind

Span = tuple[int, int]
NOTHING = "idle, or not recorded"


class Part(BaseModel):
    """What one of them took."""

    thread: str
    kind: ThreadKind | None  # None: nothing that was recorded
    time_ns: int


class Parts(BaseModel):
    """All of one activation of a task, the largest first; they add up to its response."""

    protocol: str
    task: str
    activation: int
    parts: list[Part]


def parts_between(history: History, cpu: int, begin_ns: int, end_ns: int) -> list[Part]:
    """Return what took how much: an interrupt before the softirq, that before the thread."""
    taken: list[Span] = []
    parts: list[Part] = []
    for several in (history.interrupts, history.softirqs, history.threads):
        found = [(each, list(_within(each, cpu, (begin_ns, end_ns)))) for each in several]
        for thread, spans in found:
            own = list(less(spans, taken))
            if own:
                parts.append(Part(thread=thread.name, kind=thread.kind, time_ns=_length(own)))
        taken = sorted([*taken, *(span for _, spans in found for span in spans)])
    left = list(less([(begin_ns, end_ns)], taken))
    if left:
        parts.append(Part(thread=NOTHING, kind=None, time_ns=_length(left)))
    return sorted(parts, key=lambda part: -part.time_ns)


def _within(thread: Thread, cpu: int, window: Span) -> Iterator[Span]:
    for begin, end, where in thread.on_cpu:
        if where == cpu and begin < window[1] and end > window[0]:
            yield max(begin, window[0]), min(end, window[1])


def less(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """Yield what of the spans lies in none of those that are taken, which are in order."""
    for begin, end in spans:
        for other_begin, other_end in taken:
            if other_end <= begin:
                continue
            if other_begin >= end:
                break
            if other_begin > begin:
                yield begin, other_begin
            begin = max(begin, other_end)
        if begin < end:
            yield begin, end


def _length(spans: Iterable[Span]) -> int:
    return sum(end - begin for begin, end in spans)
