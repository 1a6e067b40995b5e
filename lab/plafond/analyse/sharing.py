# SPDX-License-Identifier: MIT
"""The cost of resources shared by several servers, between the servers.

OSPERT 2010, 8 (VI to VIII) and 5: HSRP (Davis and Burns 2006; Behnam 2008), without and with
payback, and SIRAP (Behnam 2007). Q is a budget, P a period, X the longest hold of a server, in ns.

- Kept out, B: while a less urgent server holds a resource that server i or a more urgent server
  uses, it keeps i out. Follow i from the last instant at which neither i nor a more urgent server
  wants the core (servers.py). From then on less urgent servers run only in a section that began
  before. There is only one, because its ceiling keeps out all servers that could enter another
  section that matters. So B is the longest such hold. It comes once for each budget of i, and not
  for each of its tasks. Only a deferrable server stops wanting the core while its tasks are
  pending, namely while these sleep. So B can come after each sleep. A hold is a section. If tasks
  above its local ceiling run inside, the hold is X, after which the kernel ends it.
- Overrun: a server uses at most Q + X in a period, so a less urgent server waits for
  ceil((t+J)/P) * (Q+X). This is true even if a replenishment cuts an overrun, because J = P - Q:
  the rest of a window, beside whole periods, is at most Q.
- Payback: it uses Q - x(k-1) + x(k) in period k, if x are its overruns. In n periods in a row that
  is n*Q - x(0) + x(n). So X counts once in each window: ceil((t+J)/P) * Q + X.
- Skip: a section ends within the budget, so it uses Q.

A server that overruns must have Q + X before its replenishment. Otherwise a replenishment may cut
an overrun, for which the papers know no critical instant, so there is no bound. A deferrable server
can begin with its budget so late that this can always happen.

in_server.py has the cost for the tasks inside a server.
"""

from dataclasses import replace

from plafond.analyse.window import Arrivals
from plafond.describe.holds import hold_of_ns
from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import Resource, System, Task


def kept_out_ns(system: System, server: Server) -> int:
    """Return B: how long less urgent servers keep a server out, once for each budget."""
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
    """Return the less urgent servers on the CPU of a server; none for slots."""
    others = system.servers_on(server.cpu)
    return tuple(each for each in others if (each.priority or 0) < (server.priority or 0))


def keeps_out(system: System, resource: Resource, server: Server) -> bool:
    """Return whether a holder of a resource keeps a server out.

    The ceiling is the priority of the most urgent server that uses the resource.
    """
    return (system.server(resource.servers[0]).priority or 0) >= (server.priority or 0)


def held_ns(system: System, holder: Server, resource: Resource) -> int:
    """Return how long a server can hold a resource before the kernel ends the hold."""
    hold_ns = hold_of_ns(system, holder, resource)
    if hold_ns is None or above_ceiling(system, holder, resource):
        return holder.hold_ns or 0
    return hold_ns


def overrun_ns(system: System, server: Server) -> int:
    """Return X if a server may overrun its budget, else 0."""
    overruns = server.sharing and server.sharing.overruns and system.shared_by(server.name)
    return (server.hold_ns or 0) if overruns else 0


def owed_ns(system: System, server: Server) -> int:
    """Return X if a server pays its overruns back, else 0."""
    is_paid_back = server.sharing is Sharing.OVERRUN_PAYBACK
    return overrun_ns(system, server) if is_paid_back else 0


def with_overruns(system: System, server: Server, budgets: Arrivals) -> tuple[Arrivals, int]:
    """Return the time that a server takes from less urgent servers.

    The first part comes in each period, the second part in ns comes once in a window.
    """
    once_ns = owed_ns(system, server)
    again_ns = overrun_ns(system, server) - once_ns
    return replace(budgets, cost_ns=budgets.cost_ns + again_ns), once_ns


def above_ceiling(system: System, server: Server, resource: Resource) -> tuple[Task, ...]:
    """Return the tasks of a server that can preempt its task inside the resource."""
    ceiling = system.local_ceiling(resource, server.name)
    return tuple(task for task in system.tasks_of(server.name) if task.priority > ceiling)


def why_cut(system: System, server: Server) -> str | None:
    """Return why a replenishment may cut an overrun of any length, or None."""
    if overrun_ns(system, server) and server.kind is ServerKind.DEFERRABLE:
        return (
            f"{server.name} may begin with its budget at any time: a replenishment may cut its "
            "overrun"
        )
    return None
