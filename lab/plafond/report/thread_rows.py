# SPDX-License-Identifier: MIT
"""Rows of a Gantt chart for threads that are no tasks, and for interrupts of a CPU.

A softirq is in the row of the thread that runs it, if that thread has a row. Other softirqs have a
separate row, as hard interrupts have. Threads beyond the first few share a row.
"""

from collections.abc import Iterable, Iterator, Sequence

from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.parts import less
from plafond.report.rows import Row, State, Stretch
from plafond.trace.activations import Span

MOST_ROWS = 8
INTERRUPTS, SOFTIRQS, REST = "hard interrupts", "softirqs", "more threads"


def thread_rows(history: History, cpu: int, window: Span, most: int = MOST_ROWS) -> Iterator[Row]:
    """Yield rows for users of the CPU in the window: interrupts, softirqs, then threads.

    The thread with the most time is first. `most`: the number of threads with a separate row.
    """
    seen = [
        (thread, spans)
        for thread in history.threads
        if thread.kind is not ThreadKind.TASK
        for spans in [_within([thread], cpu, window)]
        if spans
    ]
    seen.sort(key=lambda each: -sum(end - begin for begin, end in each[1]))
    shown, rest = seen[:most], seen[most:]
    names = [thread.name for thread, _ in shown]
    softirqs = {
        name: _within([each for each in history.softirqs if each.inside == name], cpu, window)
        for name in names
    }
    others = [each for each in history.softirqs if each.inside not in names]
    yield from _row(INTERRUPTS, _within(history.interrupts, cpu, window), State.INTERRUPT)
    yield from _row(SOFTIRQS, _within(others, cpu, window), State.SOFTIRQ)
    for thread, spans in shown:
        yield from _row(thread.name, spans, State.THREAD, softirqs[thread.name])
    yield from _row(REST, sorted(span for _, spans in rest for span in spans), State.THREAD)


def _within(threads: Iterable[Thread], cpu: int, window: Span) -> list[Span]:
    begin, end = window
    return sorted(
        (max(piece.begin_ns, begin), min(piece.end_ns, end))
        for thread in threads
        for piece in thread.on_cpu
        if piece.cpu == cpu and piece.begin_ns < end and piece.end_ns > begin
    )


def _row(
    name: str, spans: Sequence[Span], state: State, softirqs: Sequence[Span] = ()
) -> Iterator[Row]:
    if spans:
        own = [Stretch(*span, state) for span in less(spans, softirqs)]
        inside = [Stretch(*span, State.SOFTIRQ) for span in softirqs]
        yield Row(name, tuple(sorted([*own, *inside])), (), (), ())
