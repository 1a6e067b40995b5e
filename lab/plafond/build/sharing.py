# SPDX-License-Identifier: MIT
"""Resources with users in several servers, in the terms of kernel/sharing.h.

Server levels on a CPU count from the least urgent server, which has level 1. Ceilings among a
server's tasks use the levels of tasks. A server under skip has a separate row of such ceilings.
Servers that may overrun have row 0, in which all other tasks are kept out.

The kernel ends a section that is longer than X. The time of the kernel's entries counts as time of
the section. So an X that is computed from bodies is extended for these entries. An X that the
description gives is used unchanged.
"""

from collections.abc import Iterator, Sequence

from plafond.board.boards import Board
from plafond.build.levels import Levels
from plafond.describe.server import Server, Sharing
from plafond.describe.system import Resource, System


def server_ceiling(system: System, resource: Resource) -> int:
    """Return the level of the most urgent server with users; 0 if all users are in one server."""
    if not resource.is_of_servers:
        return 0
    servers = [server.name for server in system.servers_on(resource.cpus[0])]
    return len(servers) - servers.index(resource.servers[0])


def row_of(system: System, server: Server) -> int:
    """Return the row of a server."""
    with_rows = _with_rows(system)
    return with_rows.index(server) + 1 if server in with_rows else 0


def local_ceilings(system: System, levels: Levels) -> Iterator[tuple[int, ...]]:
    """Yield each row: by resource that steps lock, its level among the server's tasks."""
    yield tuple(levels.highest for _ in system.entered_resources)
    for server in _with_rows(system):
        yield tuple(
            levels.local(system.local_ceiling(each, server.name), server.cpu)
            if each in system.shared_by(server.name)
            else 0
            for each in system.entered_resources
        )


ENTRIES = 4  # entries of a section: enter, find a server kept out, overrun, leave


def hold_on(board: Board, system: System, server: Server) -> int:
    """Return X of a server on a board; 0: it shares nothing."""
    hold_ns = server.hold_ns if system.shared_by(server.name) else None
    if not hold_ns or server.is_hold_given:
        return hold_ns or 0
    return hold_ns + board.entry_ns * _entries_in(hold_ns, system, server)


def _entries_in(hold_ns: int, system: System, server: Server) -> int:
    """The most kernel entries within `hold_ns` of the server's time, from arrivals and periods."""
    own = system.tasks_of(server.name)
    intervals = [task.least_interval_ns for task in own if task.interval]
    intervals += [other.period_ns for other in system.servers_on(server.cpu)]
    intervals += _alarms_ns(system, {task.name for task in own})
    return ENTRIES + sum(hold_ns // interval_ns + 2 for interval_ns in intervals)


def _alarms_ns(system: System, tasks: set[str]) -> Iterator[int]:
    """Yield the least distance of each alarm that signals these tasks by a counter with a tick."""
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
