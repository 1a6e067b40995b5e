# SPDX-License-Identifier: MIT
"""What resources of several servers add to the account that is kept between servers.

OSPERT 2010, 8 (VI to VIII) and 5: HSRP (Davis and Burns 2006; Behnam 2008), without and with
payback, and SIRAP (Behnam 2007). Q is a budget, P a period, X the longest hold of a server.

Between servers
- Kept out, B: while a less urgent server holds what server i or a more urgent one uses, it keeps i
  out. Follow i from the last instant at which neither a more urgent one nor i wants the core
  (servers.py). From then on less urgent servers run only in a section that began before, and there
  is one: its ceiling keeps out all that could enter another that matters. So B, the longest such
  hold, comes once for each budget of i, and not for each of its tasks. Only a deferrable server
  stops wanting the core while its tasks are pending: when these sleep. B can come after each sleep.
  A hold is a section; where tasks above its local ceiling run inside, it is X, after which the
  kernel ends it.
- Overrun: a server uses Q + X in a period at most, so that a less urgent one waits for
  ceil((t+J)/P) * (Q+X). That is so, too, where a replenishment cuts an overrun: with J = P - Q all
  but the whole periods of a window is Q at most.
- Payback: it uses Q - x(k-1) + x(k) in period k, x its overruns. Over n periods in a row that is
  n*Q - x(0) + x(n): X counts once in each window, ceil((t+J)/P) * Q + X.
- Skip: a section ends within the budget: Q.

A server that overruns has to have Q + X before it is replenished. Where it may not, a replenishment
may cut an overrun, for which the papers know no critical instant: it has no bound. A deferrable one
can begin with its budget so late that this is always so.

What it is to the tasks of a server: in_server.py.
"""

from dataclasses import replace

from plafond.analyse.window import Arrivals
from plafond.describe.holds import hold_of_ns
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import Resource, System, Task


def kept_out_ns(system: System, server: Server) -> int:
    """B: for how long less urgent servers keep a server out, once for each of its budgets."""
    return max(
        (
            held_ns(system, holder, resource)
            for holder in less_urgent(system, server)
            for resource in system.shared_by(holder.name)
            if keeps_out(system, resource, server)
        ),
        default=0,
    )


def less_urgent(system: System, server: Server) -> tuple[Server, ...]:
    """Return the servers of its CPU that run after it; slots have no order."""
    others = system.servers_on(server.cpu)
    return tuple(each for each in others if (each.priority or 0) < (server.priority or 0))


def keeps_out(system: System, resource: Resource, server: Server) -> bool:
    """Whether the ceiling, the most urgent server that uses the resource, is not below another."""
    return (system.server(resource.servers[0]).priority or 0) >= (server.priority or 0)


def held_ns(system: System, holder: Server, resource: Resource) -> int:
    """Return for how long a server can hold a resource, until the kernel ends that."""
    hold_ns = hold_of_ns(system, holder, resource)
    if hold_ns is None or above_ceiling(system, holder, resource):
        return holder.hold_ns or 0
    return hold_ns


def overrun_ns(system: System, server: Server) -> int:
    """X, of a server that may use so much beyond its budget."""
    overruns = server.sharing and server.sharing.overruns and system.shared_by(server.name)
    return (server.hold_ns or 0) if overruns else 0


def owed_ns(system: System, server: Server) -> int:
    """X, of a server whose overruns are taken from its next budgets."""
    is_paid_back = server.sharing is Sharing.OVERRUN_PAYBACK
    return overrun_ns(system, server) if is_paid_back else 0


def with_overruns(system: System, server: Server, budgets: Arrivals) -> tuple[Arrivals, int]:
    """Return what a server takes from less urgent ones: again and again, and once in a window."""
    once_ns = owed_ns(system, server)
    again_ns = overrun_ns(system, server) - once_ns
    return replace(budgets, cost_ns=budgets.cost_ns + again_ns), once_ns


def above_ceiling(system: System, server: Server, resource: Resource) -> tuple[Task, ...]:
    """Return the tasks of a server that run while one of it is inside."""
    ceiling = system.local_ceiling(resource, server.name)
    return tuple(task for task in system.tasks_of(server.name) if task.priority > ceiling)


def why_cut(system: System, server: Server) -> str | None:
    """Return why a replenishment may cut an overrun of whatever length is left."""
    if overrun_ns(system, server) and server.kind is ServerKind.DEFERRABLE:
        return (
            f"{server.name} may begin with its budget at any time: a replenishment may cut its "
            "overrun"
        )
    return None
