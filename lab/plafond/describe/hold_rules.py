# SPDX-License-Identifier: MIT
"""Rules for X, the longest time that a server's tasks hold a resource of several servers.

X must be at least the longest hold, and below the budget. Otherwise, under skip, a task would never
enter its section. Under overrun, the server would pay back more than its budget. X follows from the
bodies; if the bodies do not bound it, the description must give it.
"""

from collections.abc import Iterator

from plafond.describe.holds import longest_hold_ns
from plafond.describe.problems import Problem, Where
from plafond.describe.server import Server
from plafond.describe.system import System
from plafond.units import format_exactly


def problems_of_holds(system: System) -> Iterator[Problem]:
    """Yield mistakes of each server that shares resources; the tables must be well formed."""
    for server in system.servers:
        if server.sharing and system.shared_by(server.name):
            yield from _problems_of_hold(system, server)


def _problems_of_hold(system: System, server: Server) -> Iterator[Problem]:
    where: Where = ("server", server.name)
    resources = " or ".join(each.name for each in system.shared_by(server.name))
    hold_ns = longest_hold_ns(system, server)
    if given_ns := server.is_hold_given and server.hold_ns:
        least_ns = _longest_section_ns(system, server) if hold_ns is None else hold_ns
        if given_ns < least_ns:
            expected = (
                f"at least {format_exactly(least_ns)}: so long its tasks may hold {resources}"
            )
            yield Problem((*where, "overrun"), format_exactly(given_ns), expected)
    elif not hold_ns:
        expected = f"for how long its tasks hold {resources} at most: their bodies do not say it"
        yield Problem((*where, "overrun"), "nothing", expected)
    elif hold_ns >= server.budget_ns:
        expected = f"more than {format_exactly(hold_ns)}: so long its tasks may hold {resources}"
        yield Problem((*where, "budget"), format_exactly(server.budget_ns), expected)


def _longest_section_ns(system: System, server: Server) -> int:
    """Return the longest section, the known part of a hold that the bodies do not bound."""
    names = frozenset(each.name for each in system.shared_by(server.name))
    return max(task.longest_hold_ns(names) for task in system.tasks_of(server.name))
