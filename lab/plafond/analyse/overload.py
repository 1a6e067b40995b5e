# SPDX-License-Identifier: MIT
"""Processors whose tasks ask for more than all of their time."""

from fractions import Fraction

from plafond.describe.system import System, Task
from plafond.errors import PlafondError
from plafond.units import format_above, format_duration

SHOWN = 10


class OverloadedError(PlafondError):
    """The tasks of a CPU ask for too much time: no scheduler can serve them."""


def refuse_overload(system: System) -> None:
    """Raise OverloadedError for the first CPU whose tasks ask for too much."""
    for cpu in overloaded_cpus(system):
        tasks = (task for task in system.tasks_on(cpu) if not task.background)
        arriving = (task for task in tasks if task.interval)
        most_first = sorted(arriving, key=lambda task: -task.utilisation)
        asked = [_asked(task) for task in most_first[:SHOWN]]
        more = [f"{len(most_first) - SHOWN} more"] if len(most_first) > SHOWN else []
        raise OverloadedError(
            f"{system.name}: CPU {cpu} is overloaded: its tasks ask for "
            f"{format_above(system.utilisation(cpu), Fraction(1), digits=4)} of its time, "
            f"expected at most 100%: " + ", ".join([*asked, *more])
        )


def overloaded_cpus(system: System) -> list[int]:
    """CPUs with a utilisation above 1."""
    return [cpu for cpu in cpus_in_use(system) if system.utilisation(cpu) > 1]


def cpus_in_use(system: System) -> list[int]:
    """CPUs that have tasks."""
    return sorted({task.cpu for task in system.tasks})


def _asked(task: Task) -> str:
    run, least = format_duration(task.run_ns), format_duration(task.least_interval_ns)
    return f"{task.name} {float(task.utilisation):.4g} ({run} every {least})"
