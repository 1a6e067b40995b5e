# SPDX-License-Identifier: MIT
"""Resources with users in several servers, as the kernel counts their ceilings: kernel/sharing.h.

Among the servers of a CPU levels count from the least urgent one, which has 1. Among the tasks of a
server they are those of tasks; a server under skip has a row of these for itself, and those that
may overrun have row 0, in which all other tasks are kept out.
"""

from collections.abc import Iterator, Sequence

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


def _with_rows(system: System) -> Sequence[Server]:
    return [
        server
        for server in system.servers
        if server.sharing is Sharing.SKIP and system.shared_by(server.name)
    ]
