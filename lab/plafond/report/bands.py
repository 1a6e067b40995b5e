# SPDX-License-Identifier: MIT
"""The band of a server in a Gantt chart: its times with the processor and without budget.

A task that is ready while its server lacks the processor waits for the processor, whatever the
other tasks of its server do.
"""

from collections.abc import Sequence
from dataclasses import replace

from plafond.describe.server import Server
from plafond.describe.system import System, Task
from plafond.report.during import During
from plafond.report.rows import Row, State, Stretch, clipped, split
from plafond.trace.activations import Span
from plafond.trace.model import ServerEventKind, ServerTrace
from plafond.trace.outside import without
from plafond.trace.served import empty_spans, held_spans, overrun_spans, shut_out_spans


def tracks_of(system: System) -> list[Task | Server]:
    """Return the tracks in their order: each server above its tasks, then the other tasks."""
    tracks: list[Task | Server] = []
    for server in system.servers:
        tracks += [server, *system.tasks_of(server.name)]
    return [*tracks, *(task for task in system.tasks if task not in tracks)]


def make_band(server: ServerTrace, window: Span, end_ns: int) -> Row:
    """Return the row of a server. At `end_ns` its trace ends, and with it all open spans.

    The row's arrivals are replenishments. Before the first replenishment there is no budget.
    """
    held = held_spans(server, end_ns)
    overrun = overrun_spans(server, end_ns)
    stretches = [
        *(Stretch(*span, State.SERVED) for span in without(held, overrun)),
        *(Stretch(*span, State.OVERRUN) for span in overrun),
        *(Stretch(*span, State.SHUT_OUT) for span in shut_out_spans(server, end_ns)),
        *(Stretch(*span, State.DEPLETED) for span in without(empty_spans(server, end_ns), held)),
    ]
    replenished = (
        event.time_ns for event in server.events if event.kind is ServerEventKind.REPLENISH
    )
    return Row(
        task=server.name,
        stretches=clipped(sorted(stretches), window),
        sections=(),
        arrivals_ns=tuple(
            time for time in replenished if window[0] <= time <= min(window[1], end_ns)
        ),
        ends_ns=(),
        is_server=True,
    )


def unserved(row: Row) -> Row:
    """Return the row of a reserved task with READY as UNSERVED, because a reservation has no
    band."""
    stretches = (
        replace(each, state=State.UNSERVED) if each.state is State.READY else each
        for each in row.stretches
    )
    return replace(row, stretches=tuple(stretches))


def split_unserved(rows: Sequence[Row], band: Row, window: Span) -> list[Row]:
    """Return the rows of a server's tasks, with READY split into READY and UNSERVED."""
    held = [
        (each.begin_ns, each.end_ns)
        for each in band.stretches
        if each.state in (State.SERVED, State.OVERRUN)
    ]
    others = During(without([window], held), lambda span: span)
    return [
        replace(
            row,
            stretches=tuple(
                piece
                for stretch in row.stretches
                for piece in split(
                    stretch,
                    others.overlapping(stretch.begin_ns, stretch.end_ns),
                    State.UNSERVED,
                )
            ),
        )
        for row in rows
    ]
