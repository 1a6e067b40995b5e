# SPDX-License-Identifier: MIT
"""Find when a server had the processor, had no budget, overran its budget, or was kept out."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from plafond.trace.activations import Span
from plafond.trace.model import ServerEvent, ServerEventKind, ServerTrace

GET, LOSE = ServerEventKind.GET, ServerEventKind.LOSE
DEPLETE, REPLENISH = ServerEventKind.DEPLETE, ServerEventKind.REPLENISH
OVERRUN, KEEP_OUT = ServerEventKind.OVERRUN, ServerEventKind.KEEP_OUT


def held_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when the server had the processor; `end_ns`: the end of the trace."""
    return list(_spans(server.events, {GET}, {LOSE}, end_ns))


def empty_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when the server had no budget and no overrun; it begins without a budget."""
    events = [ServerEvent(0, DEPLETE), *server.events]
    return list(_spans(events, {DEPLETE}, {REPLENISH}, end_ns))


def beyond_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when the server was beyond its budget, with or without the processor."""
    return list(_spans(server.events, {OVERRUN}, {DEPLETE, REPLENISH}, end_ns))


def overrun_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return when the server had the processor beyond its budget."""
    return common(beyond_spans(server, end_ns), held_spans(server, end_ns))


def shut_out_spans(server: ServerTrace, end_ns: int) -> list[Span]:
    """Return from when a section of another server kept this server out, until it got the CPU."""
    return list(_spans(server.events, {KEEP_OUT}, {GET}, end_ns))


def common(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the times that both cover; each must be in order and disjoint."""
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
    """Yield the spans from an opening event to the next closing event."""
    since: int | None = None
    for event in events:
        if event.kind in opens and since is None:
            since = event.time_ns
        elif event.kind in closes and since is not None:
            yield (since, event.time_ns)
            since = None
    if since is not None and since < end_ns:
        yield (since, end_ns)
