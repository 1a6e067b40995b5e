# SPDX-License-Identifier: MIT
"""The rows of a CPU in a Gantt chart: its tasks, grouped below the bands of their servers."""

from collections.abc import Iterator, Sequence

from plafond.describe.system import System
from plafond.report.bands import make_band, split_unserved, unserved
from plafond.report.cut import end_of
from plafond.report.rows import Row, make_rows
from plafond.report.urgency import Urgency
from plafond.report.waiting import split_ready
from plafond.trace.activations import Span
from plafond.trace.model import Trace


def rows_on(
    system: System, cpu: int, trace: Trace, urgencies: Sequence[Urgency], window: Span
) -> list[Row]:
    """Return the rows, the most urgent first; `urgencies` is in the order of the CPU's tasks."""
    tasks = system.tasks_on(cpu)
    traces = {task.name: task for task in trace.tasks}
    recorded = [traces[task.name] for task in tasks]
    reserved = {task.name for _, task in system.reserved_on(cpu)}
    rows = [
        unserved(row) if row.task in reserved else row
        for row in make_rows(recorded, trace.resources, window, end_of(trace))
    ]
    across_cpus = [resource.name for resource in system.global_resources]
    if not system.servers_on(cpu):
        return split_ready(rows, urgencies, across_cpus)
    return list(_with_bands(system, cpu, trace, rows, urgencies, window))


def _with_bands(
    system: System,
    cpu: int,
    trace: Trace,
    rows: Sequence[Row],
    urgencies: Sequence[Urgency],
    window: Span,
) -> Iterator[Row]:
    """Yield each server and its tasks; only tasks of the same server count as preempting.

    Tasks without a server on this CPU come first; these have reservations.
    """
    servers = {server.name: server for server in trace.servers}
    server_of = {task.name: task.server for task in system.tasks}
    yield from (row for row in rows if server_of[row.task] not in servers)
    for server in system.servers_on(cpu):
        band = make_band(servers[server.name], window, end_of(trace))
        own = [index for index, row in enumerate(rows) if server_of[row.task] == server.name]
        yield band
        yield from split_ready(
            split_unserved([rows[index] for index in own], band, window),
            [urgencies[index] for index in own],
        )
