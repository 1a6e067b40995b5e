# SPDX-License-Identifier: MIT
"""The budgets of servers: whether each comes in every period, and the supply of tasks, in ns.

A slot always gets its budget. A server with a priority must get Q within each of its periods,
whatever the more urgent servers j do. Follow it from the last instant at which none of these that
idles or polls had budget left:

  R = Q + B + sum of ceil((R + J_j) / P_j) * Q_j,  R <= P

- idling and polling: from its replenishment on such a server takes the core, or drops its budget,
  as soon as it may. It is a periodic task without jitter.
- deferrable: it can take Q at the end of a period and Q at the start of the next: J = P - Q. In no
  window does it take more.

Reservations (reserved.py) come before all servers, but their time counts in the windows of the
tasks, and not here. The reason: on Linux the server that has the CPU is a function of time,
whatever runs (linux/core/budget.h). A task in a reservation is in no server.

B is how long less urgent servers keep the server out. If servers share resources, Q_j can be more,
and so can the Q of a server that overruns: sharing.py.

The equation holds for each part q of the budget, R(q) with q in place of Q (Davis and Burns 2005).
The reason: while work is pending, the server wants the core from its replenishment on. R(q) is at
most R(Q) - (Q - q). So a server that becomes busy x after its replenishment, with Q-x at least,
gets that before the period ends. Both are the supply (supply.py).

Inside the server its tasks are alone with each other. Each bound is the bound of a processor whose
time is the supply of the server.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from plafond.analyse.in_server import (
    as_in_server,
    skips,
    supply_with_waits,
    why_waits_again,
    with_payback,
    with_waits,
)
from plafond.analyse.managed import decisions_in_period, sure_budget_ns, with_decisions
from plafond.analyse.model import ServerRow
from plafond.analyse.overload import cpus_in_use
from plafond.analyse.reserved import supply_of_reservation, why_no_supply
from plafond.analyse.sharing import (
    kept_out_ns,
    overrun_ns,
    why_cut,
    with_overruns,
)
from plafond.analyse.supply import WHOLE_CPU, Late, Supply
from plafond.analyse.window import Arrivals, Background, Effort, NoWindowError, Window
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import System, Task
from plafond.units import format_duration


@dataclass(frozen=True)
class Part:
    """Tasks that share processor time: of a CPU, of a server, or a single task of a reservation."""

    system: System  # without the other tasks of the CPU
    cpu: int
    supply: Supply = WHOLE_CPU
    server: Server | None = None
    why_no_bound: str | None = None
    other_account: "Part | None" = None  # also of these tasks; the smaller bound holds
    reservation: Server | None = None  # of the single task

    @property
    def accounts(self) -> tuple["Part", ...]:
        """The part, and the other account of its tasks if there is one."""
        return (self, self.other_account) if self.other_account else (self,)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of the part, the most urgent first."""
        return self.system.tasks_on(self.cpu)


def parts_of(system: System, decision_ns: int = 0) -> Iterator[Part]:
    """Yield the parts of all CPUs in use.

    `decision_ns`: the time that each decision of the manager on Linux takes.
    """
    for cpu in cpus_in_use(system):
        servers, reserved = system.servers_on(cpu), system.reserved_on(cpu)
        for reservation, task in reserved:
            yield _part_of_reservation(system, reservation, task)
        for server in servers:
            yield _part_of(system, server, decision_ns)
        alone = {task.name for _, task in reserved}
        others = tuple(task for task in system.tasks if task.name not in alone)
        if not servers and any(task.cpu == cpu for task in others):
            yield Part(replace(system, tasks=others), cpu)


def _part_of_reservation(system: System, reservation: Server, task: Task) -> Part:
    return Part(
        replace(system, tasks=(task,)),
        task.cpu,
        supply_of_reservation(system, reservation, task),
        reservation=reservation,
        why_no_bound=why_no_supply(system, reservation, task),
    )


def _part_of(system: System, server: Server, decision_ns: int) -> Part:
    within = as_in_server(system, server)
    why = why_no_bound(system, server) or why_none_left(system, server, decision_ns)
    if why:
        return Part(within, server.cpu, server=server, why_no_bound=why)
    supply = with_decisions(system, server, supply_of(system, server), decision_ns)
    part = Part(within, server.cpu, with_payback(system, server, supply), server)
    if not skips(system, server):
        return part
    aligned = is_aligned(server, system.tasks_of(server.name))
    in_periods = supply_with_waits(server, supply, aligned)
    return replace(
        part,
        system=with_waits(within, server),
        other_account=replace(part, supply=in_periods),
    )


def server_rows(system: System) -> Iterator[ServerRow]:
    """Yield a row for each server."""
    for server in system.servers:
        supply = with_payback(system, server, supply_of(system, server))
        yield ServerRow(
            server=server.name,
            cpu=server.cpu,
            kind=server.kind,
            period_ns=server.period_ns,
            budget_ns=server.budget_ns,
            response_bound_ns=overrun_response_of(system, server),
            gap_ns=supply.gap_ns,
            is_aligned=is_aligned(server, system.tasks_of(server.name)),
            sharing=server.sharing,
            hold_ns=server.hold_ns if server.sharing else None,
            kept_out_ns=kept_out_ns(system, server) if system.resources_of_servers else None,
            no_bound=_why_not_though_sure(system, server),
        )


def supply_of(system: System, server: Server) -> Supply:
    """Return the least supply of a server, which counts only if its budget is sure."""
    if server.is_slot:
        is_at_start = is_aligned(server, system.tasks_of(server.name))
        delay_ns = start_of(server) if is_at_start else server.period_ns - server.budget_ns
        first, *later = [Late(0, delay_ns)]
    else:
        first, *later = delays_of(system, server)
    lost_ns = lost_of(server)
    return Supply(server.period_ns, server.budget_ns, lost_ns, first.delay_ns, later=tuple(later))


def delays_of(system: System, server: Server) -> list[Late]:
    """Return R(q) - q of a server with a priority: each value, and the q beyond which it holds.

    If the budget is not sure, or the search takes too long, that is P - Q, which is no less.
    """
    latest = Late(0, server.period_ns - server.budget_ns)
    ahead = Ahead(system, server)
    found: list[Late] = []
    after_ns = 0
    while after_ns < server.budget_ns:
        try:
            response_ns = ahead.response_ns(after_ns + 1)
        except NoWindowError:
            return [latest]
        delay_ns = response_ns - after_ns - 1
        if delay_ns > latest.delay_ns:
            return [latest]
        found.append(Late(after_ns, delay_ns))
        after_ns = ahead.unchanged_until_ns(response_ns) - delay_ns
    return found


def lost_of(server: Server) -> int:
    """Return how much of a window, at its start, has no budget of its period left, in ns."""
    match server.kind:
        case ServerKind.IDLING | ServerKind.DEFERRABLE:
            return server.period_ns - server.budget_ns
        case ServerKind.POLLING:
            return server.period_ns
        case ServerKind.SLOT:
            return 0
    raise AssertionError(server.kind)


def is_aligned(server: Server, tasks: tuple[Task, ...]) -> bool:
    """Return whether the server is a slot with tasks, and all arrive only as periods begin."""
    aligned = [_arrives_on_multiples(task, server.period_ns) for task in tasks]
    return server.is_slot and bool(aligned) and all(aligned)


def _arrives_on_multiples(task: Task, period_ns: int) -> bool:
    if task.interval is None or not task.interval.is_periodic:
        return False
    return task.interval.least_ns % period_ns == 0 and task.offset_ns % period_ns == 0


def start_of(slot: Server) -> int:
    """Return the start of a slot in each period, in ns."""
    assert slot.start_ns is not None
    return slot.start_ns


def response_of(system: System, server: Server) -> int | None:
    """Return R: how long after a replenishment the budget has come; None if it may not come."""
    return within_period(system, server, server.budget_ns)


def overrun_response_of(system: System, server: Server) -> int | None:
    """Return R with an overrun; None if a replenishment may cut the overrun."""
    return within_period(system, server, server.budget_ns + overrun_ns(system, server))


def within_period(system: System, server: Server, wanted_ns: int) -> int | None:
    """Return how long after a replenishment `wanted_ns` has come; None if not in the period."""
    if server.is_slot:
        return start_of(server) + wanted_ns
    try:
        response_ns = Ahead(system, server).response_ns(wanted_ns)
    except NoWindowError:
        return None
    return response_ns if response_ns <= server.period_ns else None


class Ahead:
    """The time that other servers take before a server with a priority, from its replenishment."""

    def __init__(self, system: System, server: Server) -> None:
        """Find the other servers; the terms of all calls are limited together."""
        taken = [interference(system, other) for other in more_urgent(system, server)]
        self._again = [again for again, _ in taken]
        self._once_ns = kept_out_ns(system, server) + sum(once_ns for _, once_ns in taken)
        self._period_ns = server.period_ns
        self._effort = Effort()
        self._effort.begin_row()

    def response_ns(self, wanted_ns: int) -> int:
        """Return R(q); NoWindowError if there is none, or if the search takes too long."""
        window = Window(self._again, self._effort, Background())
        return window.least_ns(wanted_ns + self._once_ns)

    def unchanged_until_ns(self, window_ns: int) -> int:
        """Return the longest window, up to a period, in which the others take no more."""
        last = (
            each.in_window(window_ns) * each.interval_ns - each.jitter_ns for each in self._again
        )
        return min((self._period_ns, *last))


def more_urgent(system: System, server: Server) -> tuple[Server, ...]:
    """Return the more urgent servers on the CPU of a server."""
    others = system.servers_on(server.cpu)
    return tuple(each for each in others if (each.priority or 0) > (server.priority or 0))


def interference(system: System, server: Server) -> tuple[Arrivals, int]:
    """Return with_overruns() of a server's budgets, as less urgent servers see them."""
    budgets = Arrivals(server.period_ns, server.budget_ns, jitter_of(server))
    return with_overruns(system, server, budgets)


def jitter_of(server: Server) -> int:
    """Return J: how long after its replenishment the server can begin with its budget, in ns."""
    is_kept = server.kind is ServerKind.DEFERRABLE
    return server.period_ns - server.budget_ns if is_kept else 0


def why_no_bound(system: System, server: Server) -> str | None:
    """Return why no task of a server has a bound, or None."""
    name, budget = server.name, format_duration(server.budget_ns)
    sure = f"{name} is not sure of {budget}"
    if response_of(system, server) is None:
        return f"{sure} in each {_what_comes_before(system, server)}"
    if overrun_response_of(system, server) is None:
        more = format_duration(overrun_ns(system, server))
        return (
            f"a replenishment may cut an overrun: {sure} and {more} more in each "
            f"{_what_comes_before(system, server)}"
        )
    return why_cut(system, server) or why_waits_again(system, server)


def why_none_left(system: System, server: Server, decision_ns: int) -> str | None:
    """Return why the manager may leave nothing of a budget, or None."""
    if sure_budget_ns(system, server, decision_ns) > 0:
        return None
    decisions = decisions_in_period(system, server)
    return (
        f"{decisions} decisions of the manager, of {format_duration(decision_ns)} each, can take "
        f"all of the {format_duration(server.budget_ns)} of {server.name}"
    )


def _why_not_though_sure(system: System, server: Server) -> str | None:
    return None if response_of(system, server) is None else why_no_bound(system, server)


def _what_comes_before(system: System, server: Server) -> str:
    others = ", ".join(each.name for each in more_urgent(system, server))
    after = f" after {others}" if others else ""
    out_ns = kept_out_ns(system, server)
    out = f" while others keep it out for {format_duration(out_ns)}" if out_ns else ""
    return f"{format_duration(server.period_ns)}{after}{out}"
