# SPDX-License-Identifier: MIT
"""What the manager of servers on Linux takes of their time, and what others of the CPU do.

Which server has the CPU is a function of time (linux/core/budget.h): the *plan*, whose instants are
absolute. In the plan a server has its budget as servers.py says, exactly. A *decision* is due at
each instant of the plan: a replenishment, or the end of a budget. Let D be the longest time from
when one is due until a thread of the server which has the CPU from then on runs: the timer is late,
the manager parks threads and has others come back, the kernel switches. So from D after each
decision, and until the next is due, that server's threads have what the plan says. One that is
handled together with a later one is no exception: the later one is done D after it was due.

So of the time that a server has in the plan it loses at most D for each decision that is due in it.
A switch away from it that comes late takes nothing from it: so the replenishment of a more urgent
one does not, which has the CPU from then on. In one period P of the server there are

- its own replenishment, and those of less urgent servers j: at most ceil(P / P_j);
- ends of budgets of more urgent ones, after which it has the CPU again: at most one in each of
  their periods, of which P meets ceil(P / P_j) + 1.

Each period supplies Q less that, wherever it comes. That is all that the bounds of supply.py ask
of a period: what is left after y of it is at least that less y.

A thread that is on its way to sleep when its server loses the CPU, or is in the kernel, ends that
at its own priority: a piece of work more for each decision.

A thread that wakes up without the CPU runs up to its server's gate, at its own priority: a *pass*,
which takes time from whichever server has the CPU. So every wake-up of a task of another server
counts as an interrupt of that length. A task of its own may come to the gate

- as it wakes up, and goes on from there in its server's time: a pass for each wake-up;
- before it sleeps, where it had no budget at the end of its job: another one for each wake-up. One
  job of each task may have ended so before the window: a pass for each task;
- before a section, where it came to the lock without a budget: a pass, and what a wait for another
  thread's section costs that thread (`preempted`), since the gate's frame is one of the stack.
"""

from dataclasses import replace

from plafond.analyse.overheads import Costs, ServerCosts
from plafond.analyse.supply import Supply
from plafond.analyse.window import Arrivals, Background
from plafond.describe.server import Server
from plafond.describe.system import System


def decisions_in_period(system: System, server: Server) -> int:
    """Return how many decisions can be due in a period of a server, in time that is its own."""
    return sum(
        -(-server.period_ns // other.period_ns) + _is_more_urgent(other, server)
        for other in system.servers_on(server.cpu)
    )


def _is_more_urgent(other: Server, server: Server) -> bool:
    return (other.priority or 0) > (server.priority or 0)


def sure_budget_ns(system: System, server: Server, decision_ns: int) -> int:
    """Return what is left of its budget if each decision takes so much; perhaps nothing."""
    return max(server.budget_ns - decisions_in_period(system, server) * decision_ns, 0)


def with_decisions(system: System, server: Server, supply: Supply, decision_ns: int) -> Supply:
    """Return the supply without what the manager's decisions take; some budget must be left."""
    if decision_ns == 0:
        return supply
    budget_ns = sure_budget_ns(system, server, decision_ns)
    rest_ns = server.period_ns - budget_ns
    return replace(supply, budget_ns=budget_ns, lost_ns=rest_ns, delay_ns=rest_ns)


def decision_ns(costs: Costs, servers: ServerCosts) -> int:
    """Return what a decision takes at most: with a piece of work that was begun before."""
    return servers.decision_ns + costs.piece_ns


def with_passes(
    system: System, server: Server, background: Background, costs: Costs, servers: ServerCosts
) -> Background:
    """Return it with the wake-ups of the tasks of other servers, and what is left of its own."""
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
