# SPDX-License-Identifier: MIT
"""Mistakes in the analysis of servers; see mutants.py.

Each mistake leaves out an effect of a server on its tasks, or on another server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plafond.analyse import analysis, coverage, response, servers, supply
from plafond.analyse.workload import Workload
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import System
from plafond.protocols import Protocol

from proof.analysis.mutants import ALL, EDF, LEVELS, PRIORITIES, Mutant
from proof.analysis.simulator import IN_SERVERS

# The functions without a mistake.
LOST_OF = servers.lost_of
SUPPLY_OF = servers.supply_of
DELAYS_OF = servers.delays_of


def _nothing(*_: object) -> int:
    return 0


def _lost_of(kind: ServerKind, lost_ns: Callable[[Server], int]) -> Callable[[Server], int]:
    def lost_of(server: Server) -> int:
        return lost_ns(server) if server.kind is kind else LOST_OF(server)

    return lost_of


def _rest(server: Server) -> int:
    return server.period_ns - server.budget_ns


def _begins_at_once(system: System, server: Server) -> supply.Supply:
    return replace(SUPPLY_OF(system, server), delay_ns=0, later=())


def _slots_at_once(system: System, server: Server) -> supply.Supply:
    found = SUPPLY_OF(system, server)
    return replace(found, delay_ns=0) if server.is_slot else found


def _one_delay(system: System, server: Server) -> list[supply.Late]:
    return DELAYS_OF(system, server)[:1]


def _one_delay_less(system: System, server: Server) -> list[supply.Late]:
    first, *later = DELAYS_OF(system, server)
    return [first, *(supply.Late(each.after_ns + 1, each.delay_ns) for each in later)]


def _more_than_its_budget(time_ns: int, _: int) -> int:
    return max(time_ns, 0)


def _less_than_nothing(time_ns: int, most_ns: int) -> int:
    return min(time_ns, most_ns)


def _sure(_: System, __: Server, wanted_ns: int) -> int:
    return wanted_ns


def _served(
    name: str, owner: object, function: str, replacement: Any, protocols: tuple[Protocol, ...] = ALL
) -> Mutant:
    return Mutant(name, protocols, owner, function, replacement, IN_SERVERS)


SERVED = (
    _served(
        "idling: nothing is lost before the first period",
        servers,
        "lost_of",
        _lost_of(ServerKind.IDLING, _nothing),
    ),
    _served(
        "deferrable: nothing is lost before the first period",
        servers,
        "lost_of",
        _lost_of(ServerKind.DEFERRABLE, _nothing),
    ),
    _served(
        "polling: the gap of an idling server",
        servers,
        "lost_of",
        _lost_of(ServerKind.POLLING, _rest),
    ),
    _served("slots: no gap", servers, "supply_of", _slots_at_once),
    _served("no gap in later periods", servers, "supply_of", _begins_at_once),
    _served("more urgent budgets delay a budget only at first", servers, "delays_of", _one_delay),
    _served("they delay it a unit later", servers, "delays_of", _one_delay_less),
    _served("any arrivals are aligned", servers, "is_aligned", lambda server, _: server.is_slot),
    _served("no jitter of a deferrable server", servers, "jitter_of", _nothing),
    _served("each budget is sure", servers, "within_period", _sure),
    _served("no more urgent server", servers, "more_urgent", lambda *_: ()),
    _served("supply above the budget", supply, "clamped", _more_than_its_budget, EDF),
    _served("supply below nothing", supply, "clamped", _less_than_nothing, EDF),
    _served("no blocking in a server", analysis, "blocking_ns", _nothing, LEVELS),
    _served("no blocking in a server, EDF", Workload, "blocking_ns", _nothing, EDF),
    _served("a polling server waits for sleeps", coverage, "_not_awaited", _nothing, PRIORITIES),
    _served("first job of the busy period only", response, "window_is_open", _nothing, LEVELS),
)
