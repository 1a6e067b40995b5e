# SPDX-License-Identifier: MIT
"""From when to when a server had the processor, had no budget, went on without, was kept out."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from plafond.trace.activations import Span
from plafond.trace.model import ServerEvent, ServerEventKind, ServerTrace

GET, LOSE = ServerEventKind.GET, ServerEventKind.LOSE
DEPLETE, REPLENISH = ServerEventKind.DEPLETE, ServerEventKind.REPLENISH
OVERRUN, KEEP_OUT = ServerEventKind.OVERRUN, ServerEventKind.KEEP_OUT


def held_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when it had the processor; `end_ns` is when the trace ends."""
    return list(_spans(server.events, {GET}, {LOSE}, end_ns))


def empty_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when it had no budget, and did not go on for a section: at first it has none."""
    events = [ServerEvent(0, DEPLETE), *server.events]
    return list(_spans(events, {DEPLETE}, {REPLENISH}, end_ns))


def beyond_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return from when to when it was beyond its budget, whether it had the processor or not."""
    return list(_spans(server.events, {OVERRUN}, {DEPLETE, REPLENISH}, end_ns))


def overrun_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when it had the processor beyond its budget."""
    return common(beyond_spans(server, end_ns), held_spans(server, end_ns))


def shut_out_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when a section of another server kept it out, to when it got the processor."""
    return list(_spans(server.events, {KEEP_OUT}, {GET}, end_ns))


def common(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the times that spans of both cover; both in order, and none overlaps another."""
    found: list[Span] = []
    first = 0
    for begin, end in spans:
        while first < len(others) and others[first][1] <= begin:
            first += 1
        here = first
        while here < len(others) and others[here][0] < end:
            found.append((max(begin, others[here][0]), min(end, others[here][1])))
            here += 1
    return found


def _spans(
    events: Iterable[ServerEvent],
    opens: Collection[ServerEventKind],
    closes: Collection[ServerEventKind],
    end_ns: int,
) -> Iterator[Span]:
    """Yield from when to when something was so that one kind of event opens and another closes."""
    since: int | None = None
    for event in events:
        if event.kind in opens and since is None:
            since = event.time_ns
        elif event.kind in closes and since is not None:
            yield (since, event.time_ns)
            since = None
    if since is not None and since < end_ns:
        yield (since, end_ns)
