# SPDX-License-Identifier: MIT
"""Whether all deadlines are kept on CPUs with global resources, without the final bounds.

across.py finds the bounds by an iteration from zero in which no bound falls. So as soon as a bound
exceeds its deadline, the final bound does, too.
"""

from plafond.analyse.across import Known, Sharing
from plafond.analyse.global_bounds import delays_under
from plafond.analyse.holding import Surroundings
from plafond.analyse.inflate import background_of
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.window import Effort, NoWindowError
from plafond.describe.system import System
from plafond.protocols import Protocol

FOLLOWED = (Protocol.MPCP, Protocol.MSRP, Protocol.SPIN_PRIORITY)


def are_kept(system: System, protocol: Protocol, overheads: Overheads | None) -> bool:
    """Return whether each task of these CPUs has a bound up to its deadline.

    `system` must have the overheads in its bodies (inflate.py).
    """
    tasks = [task for task in system.tasks if system.globals_on(task.cpu)]
    sharing, known, effort = Sharing(system), Known(tasks), Effort()
    costs = overheads.costs[protocol.on_one_cpu] if overheads else Costs()
    around = Surroundings(
        lambda counted, cpu: background_of(system, counted, cpu, protocol, overheads),
        costs.piece_ns,
        costs.interrupt_ns,
        is_lent=overheads is not None and overheads.global_mutex is not None,
    )
    delays_of = delays_under(protocol, sharing, around, known, effort)
    effort.begin_row(len(tasks))
    is_changing = True
    while is_changing:
        is_changing = False
        for task in tasks:
            try:
                delays = delays_of(task)
            except NoWindowError:
                return False
            if delays.bounds.response_ns > (task.deadline_ns or 0):
                return False
            is_changing |= known.learn(task, delays)
    return True
