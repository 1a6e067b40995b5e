# SPDX-License-Identifier: MIT
"""The time that the manager of servers on Linux, and other threads, take from a server, in ns.

The server that has the CPU is a function of time (linux/core/budget.h): the *plan*, with absolute
instants. In the plan each server has its budget as in servers.py. A *decision* is due at each
instant of the plan: a replenishment, or the end of a budget. D is the longest time from when a
decision is due until a thread of the server that then has the CPU runs. Meanwhile the timer is
late, the manager parks threads and has others come back, and the kernel switches. So from D after a
decision until the next decision is due, the threads of that server have the CPU as planned. That is
also true of a decision handled together with a later decision, which is done D after it was due.

So of its time in the plan a server loses at most D for each decision due in that time. A late
switch away from the server takes nothing from it. So the replenishment of a more urgent server,
which then has the CPU, takes nothing. In a period P of the server these decisions can be due in its
time:

- its replenishment, and the replenishments of less urgent servers j: at most ceil(P / P_j);
- the ends of the budgets of more urgent servers, after which it has the CPU again. There is at most
  one in each of their periods, of which P meets ceil(P / P_j) + 1.

Each period supplies Q less D for each of these, wherever they come. So with d as their number, the
first q of the rest comes within R(q + d*D), and a window can begin d*D sooner after its budget.

If a thread is in the kernel, or about to sleep, when its server loses the CPU, it ends that work at
its own priority. So each decision costs a further piece of work.

A thread that wakes up without the CPU runs up to its server's gate at its priority: a *pass*, which
takes time from the server that has the CPU. So each wake-up of a task of another server counts as
an interrupt of that length. A task of the server itself may come to the gate

- as it wakes up, after which it goes on in the server's time: a pass for each wake-up;
- before it sleeps, if it had no budget at the end of its job: a further pass for each wake-up. One
  job of each task may have ended so before the window: a pass for each task;
- before a section, if it had no budget at the lock. That costs a pass, and the `preempted` of a
  section for which another thread waits, because the gate's frame is on the same stack.
"""

from dataclasses import replace

from plafond.analyse.overheads import Costs, ServerCosts
from plafond.analyse.supply import Supply
from plafond.analyse.window import Arrivals, Background
from plafond.describe.server import Server
from plafond.describe.system import System


def decisions_in_period(system: System, server: Server) -> int:
    """Return how many decisions can be due in a server's time in one of its periods."""
    return sum(
        -(-server.period_ns // other.period_ns) + _is_more_urgent(other, server)
        for other in system.servers_on(server.cpu)
    )


def _is_more_urgent(other: Server, server: Server) -> bool:
    return (other.priority or 0) > (server.priority or 0)


def sure_budget_ns(system: System, server: Server, decision_ns: int) -> int:
    """Return the budget that the decisions leave in each period; it can be 0."""
    return max(server.budget_ns - decisions_in_period(system, server) * decision_ns, 0)


def with_decisions(system: System, server: Server, supply: Supply, decision_ns: int) -> Supply:
    """Return the supply without the time of the manager's decisions; some budget must be left."""
    return supply.without(server.budget_ns - sure_budget_ns(system, server, decision_ns))


def decision_ns(costs: Costs, servers: ServerCosts) -> int:
    """Return D in ns, with a piece of work that began before the decision."""
    return servers.decision_ns + costs.piece_ns


def with_passes(
    system: System, server: Server, background: Background, costs: Costs, servers: ServerCosts
) -> Background:
    """Return the background with the passes of other servers' tasks.

    It also has a pass for each task of the server, whose job may have ended before the window.
    """
    pass_ns = max(costs.interrupt_ns, servers.pass_ns)
    others = [task for task in system.tasks_on(server.cpu) if task.server != server.name]
    passes = (
        Arrivals(task.least_interval_ns, (1 + len(task.sleeps_ns)) * pass_ns) for task in others
    )
    carried_ns = sum(len(task.sleeps_ns) for task in others) * pass_ns
    carried_ns += len(system.tasks_of(server.name)) * servers.pass_ns
    return replace(
        background,
        wake_ups=(*background.wake_ups, *passes),
        carried_ns=background.carried_ns + carried_ns,
    )
