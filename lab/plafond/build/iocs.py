# SPDX-License-Identifier: MIT
"""Memory of IOCs."""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.describe.ioc import Ioc
from plafond.describe.system import System


@dataclass(frozen=True)
class Share:
    """Memory, by its name in C, that a task may access."""

    memory: str
    task: str
    is_read_only: bool = False


def shares_of(system: System) -> Iterator[Share]:
    """Yield all accesses of tasks to memory of IOCs."""
    for ioc in system.iocs:
        if ioc.has_lanes:
            yield from _shares_of_lanes(ioc)
        else:
            for user in (*ioc.senders, ioc.receiver):
                yield Share(f"plf_ioc_{ioc.name}", user)


def _shares_of_lanes(ioc: Ioc) -> Iterator[Share]:
    """Yield the accesses to lanes. Other senders may read a lane for the stamp of its last
    value."""
    if ioc.queue:
        yield Share(f"plf_turn_of_ioc_{ioc.name}", ioc.receiver)
    for lane, sender in enumerate(ioc.senders):
        memory = f"plf_ioc_{ioc.name}[{lane}]"
        yield from (Share(memory, user) for user in (sender, ioc.receiver))
        if not ioc.queue:
            others = (other for other in ioc.senders if other != sender)
            yield from (Share(memory, other, is_read_only=True) for other in others)
