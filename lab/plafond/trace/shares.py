# SPDX-License-Identifier: MIT
"""Find the task of a CPU that had the processor.

A task notes a loss of the processor only inside its run steps. Elsewhere it seems to run while
another task runs, for example between the end of a section and the end of its body. Of the tasks
that seem to run, the task with the latest note has the processor. The others can only have lost the
processor to that task.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from plafond.trace.activations import Span


def share_out(claims: Sequence[Sequence[Span]], notes: Sequence[Sequence[int]]) -> list[list[Span]]:
    """Return when each task ran; `claims`: when it seems to run; `notes`: when it noted something.

    Spans and times are in order; the tasks are in order of urgency.
    """
    times = _instants(claims, notes)
    shares: list[list[Span]] = [[] for _ in claims]
    positions = [0] * len(claims)
    for begin, end in pairwise(times):
        claimants = [
            task for task, spans in enumerate(claims) if _covers(spans, positions, task, begin)
        ]
        if claimants:
            owner = max(claimants, key=lambda task: (_last(notes[task], begin), -task))
            _append(shares[owner], (begin, end))
    return shares


def _instants(claims: Sequence[Sequence[Span]], notes: Sequence[Sequence[int]]) -> list[int]:
    """Return all times at which the owner can change, in order."""
    ends = {time for spans in claims for span in spans for time in span}
    if not ends:
        return []
    first, last = min(ends), max(ends)
    noted = {
        time
        for times in notes
        for time in times[bisect_left(times, first) : bisect_right(times, last)]
    }
    return sorted(ends | noted)


def _covers(spans: Sequence[Span], positions: list[int], task: int, time: int) -> bool:
    while positions[task] < len(spans) and spans[positions[task]][1] <= time:
        positions[task] += 1
    return positions[task] < len(spans) and spans[positions[task]][0] <= time


def _last(notes: Sequence[int], time: int) -> int:
    index = bisect_right(notes, time)
    return notes[index - 1] if index else -1


def _append(spans: list[Span], span: Span) -> None:
    if spans and spans[-1][1] == span[0]:
        spans[-1] = (spans[-1][0], span[1])
    else:
        spans.append(span)
