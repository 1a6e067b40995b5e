# SPDX-License-Identifier: MIT
"""The bounds of a protocol of another package: plugin.py.

Its analysis knows the description alone. So there are no bounds beside servers, reservations, time
that the machine takes, or overheads that are not zero.
"""

from plafond.analyse.overheads import Overheads
from plafond.analyse.response import Bounds, level_bounds, level_of
from plafond.analyse.servers import Part
from plafond.analyse.window import Background, Effort, NoWindowError
from plafond.describe.system import System, Task
from plafond.errors import PlafondError
from plafond.protocols import PLUGINS, Protocol


def bounds_if_blocked(system: System, task: Task, once_ns: int) -> Bounds:
    """Return the bounds of a task that is blocked for at most `once_ns`, for the use of plug-ins.

    It is blocked once in the busy period of its level, and once after each sleep: response.py.
    NoWindowError if the level has more work than time.
    """
    effort = Effort()
    effort.begin_row()
    return level_bounds(level_of(system, task, once_ns), effort, Background())


def plugged_bounds(
    protocol: Protocol, part: Part, task: Task, overheads: Overheads | None, away_ns: int
) -> Bounds | str:
    """Return the bounds of a task under a plug-in, or the reason why there are none.

    PlafondError if the plug-in's function fails, or returns neither.
    """
    analysis = PLUGINS[protocol].analysis if protocol in PLUGINS else None
    if not callable(analysis):
        return f"no analysis is known for {protocol}"
    unknown = {
        "servers": part.server,
        "reservations": part.system.reserved_tasks,
        "overheads": overheads and not overheads.are_none,
        "the time that the machine takes": away_ns,
    }
    for words, value in unknown.items():
        if value:
            return f"the analysis of {protocol} does not know {words}"
    try:
        found = analysis(part.system, task)
    except NoWindowError as error:
        return str(error)
    except Exception as error:
        raise PlafondError(
            f"the analysis of {protocol} for {task.name}: found {type(error).__name__}: {error}; "
            "expected bounds, or a reason for none"
        ) from error
    if isinstance(found, str) or (isinstance(found, Bounds) and found.response_ns >= task.run_ns):
        return found
    raise PlafondError(
        f"the analysis of {protocol} for {task.name}: found {found!r}; expected a reason, or "
        f"Bounds with a response of {task.run_ns}ns or more, which the task runs"
    )
