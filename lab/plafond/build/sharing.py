# SPDX-License-Identifier: MIT
"""Resources with users in several servers, as the kernel counts their ceilings: kernel/sharing.h.

Among the servers of a CPU levels count from the least urgent one, which has 1. Among the tasks of a
server they are those of tasks; a server under skip has a row of these for itself, and those that
may overrun have row 0, in which all other tasks are kept out.

The kernel ends a section that takes longer than X. Where its own entries take time they count as
the section's: an X that follows from the bodies gets room for them, and one that the description
gives is taken as it is.
"""

from collections.abc import Iterator, Sequence

from plafond.board.boards import Board
from plafond.build.levels import Levels
from plafond.describe.server import Server, Sharing
from plafond.describe.system import Resource, System


def server_ceiling(system: System, resource: Resource) -> int:
    """Return the level of the most urgent server that uses a resource of several; else 0."""
    if not resource.is_of_servers:
        return 0
    servers = [server.name for server in system.servers_on(resource.cpus[0])]
    return len(servers) - servers.index(resource.servers[0])


def row_of(system: System, server: Server) -> int:
    """Return the row of a server."""
    with_rows = _with_rows(system)
    return with_rows.index(server) + 1 if server in with_rows else 0


def local_ceilings(system: System, levels: Levels) -> Iterator[tuple[int, ...]]:
    """Yield each row: by resource, those that steps lock."""
    yield tuple(levels.highest for _ in system.entered_resources)
    for server in _with_rows(system):
        yield tuple(
            levels.local(system.local_ceiling(each, server.name), server.cpu)
            if each in system.shared_by(server.name)
            else 0
            for each in system.entered_resources
        )


ENTRIES = 4  # of a section by itself: it enters, is found to keep a server out, overruns, leaves


def hold_on(board: Board, system: System, server: Server) -> int:
    """Return X of a server on a board; 0: it shares nothing."""
    hold_ns = server.hold_ns if system.shared_by(server.name) else None
    if not hold_ns or server.is_hold_given:
        return hold_ns or 0
    return hold_ns + board.entry_ns * _entries_in(hold_ns, system, server)


def _entries_in(hold_ns: int, system: System, server: Server) -> int:
    """How often the kernel is entered at most in so much of its time: its arrivals, and periods."""
    own = system.tasks_of(server.name)
    intervals = [task.least_interval_ns for task in own if task.interval]
    intervals += [other.period_ns for other in system.servers_on(server.cpu)]
    intervals += _alarms_ns(system, {task.name for task in own})
    return ENTRIES + sum(hold_ns // interval_ns + 2 for interval_ns in intervals)


def _alarms_ns(system: System, tasks: set[str]) -> Iterator[int]:
    """How far apart the alarms of these tasks are at least, of counters of time."""
    for alarm in system.alarms:
        counter = system.counter(alarm.counter)
        if alarm.task in tasks and counter.tick_ns:
            yield counter.tick_ns * counter.shortest_cycle


def _with_rows(system: System) -> Sequence[Server]:
    return [
        server
        for server in system.servers
        if server.sharing is Sharing.SKIP and system.shared_by(server.name)
    ]
