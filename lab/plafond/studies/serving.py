# SPDX-License-Identifier: MIT
"""A drawn system with servers: two levels of fixed priorities (OSPERT 2010, 8).

Tasks are assigned to servers by decreasing utilisation; among equals, the most urgent first. Each
goes to the least loaded server. The servers are idling servers. Their periods are drawn; a shorter
period is more urgent. The total budget is a share of the CPU. Each server gets a part of it in
proportion to the utilisation of its tasks, rounded down to nanoseconds. A server without tasks is
left out.

All servers have the same policy. A shared resource has a ceiling above all tasks, even under skip
(as in the paper, Figure 6). So no task of the server preempts a section, and X is the longest
section.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from plafond.describe.holds import with_holds
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import System, Task


def served(system: System, periods_ns: Sequence[int], budget: Fraction, sharing: Sharing) -> System:
    """Return the system in servers of these periods; `budget` is the share of the CPU for all."""
    groups: list[list[Task]] = [[] for _ in periods_ns]
    asked = [Fraction(0)] * len(periods_ns)
    for task in sorted(system.tasks, key=lambda task: -task.utilisation):
        place = asked.index(min(asked))
        groups[place].append(task)
        asked[place] += task.utilisation
    whole = sum(asked)
    order = [place for place in _by_period(periods_ns) if groups[place]]
    servers = tuple(
        _server(place, level, periods_ns[place], budget * asked[place] / whole, sharing)
        for level, place in zip(range(len(order), 0, -1), order, strict=True)
    )
    name_of = {task.name: f"S{place + 1}" for place in order for task in groups[place]}
    return _with_holds(
        replace(
            system,
            tasks=tuple(task.changed(server=name_of[task.name]) for task in system.tasks),
            resources=tuple(
                each.changed(
                    servers=tuple(
                        server.name
                        for server in servers
                        if server.name in {name_of[user] for user in each.users}
                    ),
                )
                for each in system.resources
            ),
            servers=servers,
        )
    )


def have_time_to_hold(system: System) -> bool:
    """Whether each budget is above X, which hold_rules.py demands of descriptions."""
    return all(
        each.hold_ns is not None and each.hold_ns < each.budget_ns
        for each in system.servers
        if each.sharing
    )


def _by_period(periods_ns: Sequence[int]) -> list[int]:
    return sorted(range(len(periods_ns)), key=lambda place: periods_ns[place])


def _server(place: int, level: int, period_ns: int, share: Fraction, sharing: Sharing) -> Server:
    return Server.made(
        f"S{place + 1}",
        kind=ServerKind.IDLING,
        priority=level,
        period_ns=period_ns,
        budget_ns=max(1, int(period_ns * share)),
        sharing=sharing,
    )


def _with_holds(system: System) -> System:
    """Set the policy of servers that share, and a ceiling above all tasks of shared resources."""
    top = max(task.priority for task in system.tasks)
    shared = {each.name: each.servers for each in system.resources_of_servers}
    sharing = {name for servers in shared.values() for name in servers}
    return with_holds(
        replace(
            system,
            resources=tuple(
                each.changed(ceiling=top, given_ceiling=top) if each.name in shared else each
                for each in system.resources
            ),
            servers=tuple(
                each if each.name in sharing else each.changed(sharing=None)
                for each in system.servers
            ),
        )
    )
