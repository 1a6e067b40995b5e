# SPDX-License-Identifier: MIT
"""Divide an interval on a CPU among the threads and handlers that had the CPU."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel

from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.rows import Column, duration

Span = tuple[int, int]
NOTHING = "idle, or not recorded"


class Part(BaseModel):
    """The part of a thread or handler."""

    thread: Annotated[str, Column("thread")]
    kind: ThreadKind | None  # None: nothing that was recorded
    time_ns: Annotated[int, duration("time")]


class Parts(BaseModel):
    """The parts of a task's activation, the largest first; their sum is its response."""

    protocol: str
    task: str
    activation: int
    parts: list[Part]

    @property
    def time_ns(self) -> int:
        """Return the response."""
        return sum(part.time_ns for part in self.parts)


def parts_between(history: History, cpu: int, begin_ns: int, end_ns: int) -> list[Part]:
    """Return the parts: time of interrupts first, then of softirqs, the rest of threads.

    Threads with the same name and kind share a part.
    """
    taken: list[Span] = []
    times_ns: dict[tuple[str, ThreadKind | None], int] = {}
    for several in (history.interrupts, history.softirqs, history.threads):
        found = [(each, list(_within(each, cpu, (begin_ns, end_ns)))) for each in several]
        for thread, spans in found:
            key = (thread.name, thread.kind)
            times_ns[key] = times_ns.get(key, 0) + _length(less(spans, taken))
        taken = sorted([*taken, *(span for _, spans in found for span in spans)])
    times_ns[NOTHING, None] = _length(less([(begin_ns, end_ns)], taken))
    parts = [
        Part(thread=name, kind=kind, time_ns=time_ns)
        for (name, kind), time_ns in times_ns.items()
        if time_ns > 0
    ]
    return sorted(parts, key=lambda part: -part.time_ns)


def _within(thread: Thread, cpu: int, window: Span) -> Iterator[Span]:
    for begin, end, where in thread.on_cpu:
        if where == cpu and begin < window[1] and end > window[0]:
            yield max(begin, window[0]), min(end, window[1])


def less(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """Yield the rest of the spans outside `taken`; both must be in order."""
    first = 0
    for begin, end in spans:
        while first < len(taken) and taken[first][1] <= begin:
            first += 1
        for place in range(first, len(taken)):
            other_begin, other_end = taken[place]
            if other_begin >= end:
                break
            if other_begin > begin:
                yield begin, other_begin
            begin = max(begin, other_end)
        if begin < end:
            yield begin, end


def _length(spans: Iterable[Span]) -> int:
    return sum(end - begin for begin, end in spans)
