# SPDX-License-Identifier: MIT
"""Whether a description needs Plafond's own kernel, or needs Linux."""

from collections.abc import Iterator, Mapping
from itertools import chain

from plafond.describe.combine import Place, uses_refused
from plafond.describe.subject import subject_of
from plafond.describe.system import System


def needs_kernel(system: System) -> str | None:
    """Name the first part of the description that only Plafond's own kernel supports.

    Fields that only configure that kernel (its protocol, status and stacks) do not count.
    """
    uses = uses_refused(subject_of(system), Place.LINUX)
    return next(chain((use.what for use in uses), _above_bands(system)), None)


def needs_linux(system: System) -> str | None:
    """Name the first part of the description that only Linux supports."""
    return next((f"the reservation [server.{each.name}]" for each in system.reservations), None)


# From this priority on, SCHED_FIFO priorities belong to mutexes across CPUs: PLF_GLOBAL_BAND.
END_OF_BANDS = 50


def server_priorities(system: System) -> Mapping[str, int]:
    """Return the SCHED_FIFO priority of each server; its tasks count from that priority.

    Each server has a band of priorities. The bands of a CPU's servers are stacked; the least urgent
    server's band begins at 1.
    """
    found: dict[str, int] = {}
    for cpu in range(system.cpus):
        first = 1
        for server in reversed(system.servers_on(cpu)):
            found[server.name] = first
            first += _highest_in(system, server.name) + 1
    return found


def _highest_in(system: System, server: str) -> int:
    return max((task.priority for task in system.tasks_of(server)), default=0)


def _above_bands(system: System) -> Iterator[str]:
    for name, first in server_priorities(system).items():
        if first + _highest_in(system, name) >= END_OF_BANDS:
            yield (
                f"server.{name} with priorities up to {_highest_in(system, name)}, above those of "
                f"the less urgent servers ({END_OF_BANDS - 1} in all are for them)"
            )
