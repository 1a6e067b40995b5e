# SPDX-License-Identifier: MIT
"""Mistakes in the analysis of servers that share resources; see mutants.py.

Each mistake leaves out the effect of a held resource on another server or task.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plafond.analyse import analysis, in_server, servers, sharing
from plafond.analyse.blocking import Reach, blocking_ns
from plafond.analyse.supply import Supply
from plafond.analyse.window import Arrivals
from plafond.describe.server import Server
from plafond.describe.system import Resource, System, Task
from plafond.protocols import Protocol

from proof.analysis.mutants import Mutant
from proof.analysis.simulator import SHARED

# The functions without a mistake.
HELD_NS = sharing.held_ns
WITH_OVERRUNS = sharing.with_overruns
SUPPLY_WITH_WAITS = in_server.supply_with_waits
BLOCKING_NS = blocking_ns


def _nothing(*_: object) -> int:
    return 0


def _shortest_hold(system: System, server: Server) -> int:
    holds = [
        HELD_NS(system, holder, resource)
        for holder in sharing.less_urgent(system, server)
        for resource in system.shared_by(holder.name)
        if sharing.keeps_out(system, resource, server)
    ]
    return min(holds, default=0)


def _used_by_itself(_: System, resource: Resource, server: Server) -> bool:
    return server.name in resource.servers


def _above_the_ceiling(system: System, resource: Resource, server: Server) -> bool:
    return (system.server(resource.servers[0]).priority or 0) > (server.priority or 0)


def _half_a_hold(system: System, holder: Server, resource: Resource) -> int:
    return HELD_NS(system, holder, resource) // 2


def _budgets_only(_: System, __: Server, budgets: Arrivals) -> tuple[Arrivals, int]:
    return budgets, 0


def _overrun_once(system: System, server: Server, budgets: Arrivals) -> tuple[Arrivals, int]:
    return budgets, sharing.overrun_ns(system, server)


def _payback_at_once(system: System, server: Server, budgets: Arrivals) -> tuple[Arrivals, int]:
    return WITH_OVERRUNS(system, server, budgets)[0], 0


def _never(*_: object) -> None:
    return None


def _within_its_budget(system: System, server: Server) -> int | None:
    return servers.response_of(system, server)


def _without_wait(system: System, task: Task, protocol: Protocol, reach: Reach) -> int:
    """Count the blocking section without a wait before it."""
    found = BLOCKING_NS(system, task, protocol, reach)
    wait_ns = system.server(task.server or "").hold_ns or 0
    return found - wait_ns if found > wait_ns else found


def _no_wait_at_first(server: Server, supply: Supply, is_aligned: bool) -> Supply:
    return replace(SUPPLY_WITH_WAITS(server, supply, is_aligned), lost_ns=supply.lost_ns)


def _shared(name: str, owner: object, function: str, replacement: Any) -> Mutant:
    return Mutant(name, (Protocol.CEILING,), owner, function, replacement, SHARED)


SHARING = (
    _shared("no server is kept out", servers, "kept_out_ns", _nothing),
    _shared("kept out by the shortest hold", servers, "kept_out_ns", _shortest_hold),
    _shared("kept out by half of a hold", sharing, "held_ns", _half_a_hold),
    _shared("kept out by what it uses itself", sharing, "keeps_out", _used_by_itself),
    _shared("kept out by ceilings above, not at", sharing, "keeps_out", _above_the_ceiling),
    _shared("a server takes its budgets only", servers, "with_overruns", _budgets_only),
    _shared("an overrun once, not in each period", servers, "with_overruns", _overrun_once),
    _shared("no overrun that is paid back", servers, "with_overruns", _payback_at_once),
    _shared("overruns are never cut", servers, "overrun_response_of", _within_its_budget),
    _shared("a budget that is kept is used in time", servers, "why_cut", _never),
    _shared("one wait is always enough", servers, "why_waits_again", _never),
    _shared("above the ceiling is nothing", in_server, "above_ceiling", lambda *_: ()),
    _shared("one period from a wait on", in_server, "jobs_in_two_periods", lambda *_: 1),
    _shared("no wait before a section", in_server, "wait_before_section_ns", _nothing),
    _shared("no wait in a period", in_server, "wait_in_period_ns", _nothing),
    _shared("no wait at first", servers, "supply_with_waits", _no_wait_at_first),
    _shared("blocked without a wait", analysis, "blocking_ns", _without_wait),
)
