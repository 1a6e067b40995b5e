# SPDX-License-Identifier: MIT
"""The bounds under each protocol for resources across CPUs: mpcp.py, msrp.py, spin_priority.py."""

from collections.abc import Callable, Sequence
from functools import partial

from plafond.analyse import msrp, spin_priority
from plafond.analyse.across import Delays, Known, Sharing, settle
from plafond.analyse.holding import Holding, Surroundings
from plafond.analyse.line import Line
from plafond.analyse.mpcp import Mpcp
from plafond.analyse.response import Bounds
from plafond.analyse.spinning import Spinning
from plafond.analyse.window import Effort, NoWindowError
from plafond.describe.system import System, Task
from plafond.protocols import Protocol


def bounds_under(
    protocol: Protocol, system: System, tasks: Sequence[Task], around: Surroundings, effort: Effort
) -> dict[str, Bounds | NoWindowError]:
    """Return the bounds of the tasks on CPUs with global resources, or why a task has none.

    `tasks`: the covered tasks of these CPUs; every task with a request must be among them.
    """
    sharing, known = Sharing(system), Known(tasks)
    return settle(known, tasks, delays_under(protocol, sharing, around, known, effort), effort)


def delays_under(
    protocol: Protocol, sharing: Sharing, around: Surroundings, known: Known, effort: Effort
) -> Callable[[Task], Delays]:
    """Return the function that bounds a task under a protocol, from the contents of `known`."""
    if protocol is Protocol.MPCP:
        return Mpcp(sharing, around, known, effort).delays
    alone_ns = Holding(sharing, around, effort).alone_ns
    if protocol is Protocol.MSRP:
        spin_ns = partial(msrp.spin_ns, sharing, held_ns=alone_ns)
    else:
        assert protocol is Protocol.SPIN_PRIORITY
        line = Line(sharing, known, effort)
        spin_ns = partial(spin_priority.spin_ns, sharing, line, held_ns=alone_ns)
    return Spinning(sharing, around, spin_ns, effort).delays
