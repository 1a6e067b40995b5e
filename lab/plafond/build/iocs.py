# SPDX-License-Identifier: MIT
"""Communication without the kernel, in the terms of Ioc.h and ioc.c."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.ioc import Ioc
from plafond.describe.system import System


@dataclass(frozen=True)
class Share:
    """Memory, as C names it, of a task."""

    memory: str
    task: str
    is_read_only: bool = False


@dataclass(frozen=True)
class IocTable:
    """One of them: what its services are made of."""

    name: str
    type: str
    senders: tuple[str, ...]
    receiver: str
    most: int  # messages in its queue; 0: the last value is kept
    places: int  # a power of two of them
    initial: int

    @property
    def has_lanes(self) -> bool:
        """Whether each of several senders has memory of its own."""
        return len(self.senders) > 1

    @property
    def shares(self) -> tuple[Share, ...]:
        """Which memory is of which tasks."""
        if not self.has_lanes:
            users = (*self.senders, self.receiver)
            return tuple(Share(f"plf_ioc_{self.name}", user) for user in users)
        return tuple(self._shares_of_lanes())

    def _shares_of_lanes(self) -> Iterator[Share]:
        """A lane is its sender's and the receiver's; to others it shows the stamp of a value."""
        if self.most:
            yield Share(f"plf_turn_of_ioc_{self.name}", self.receiver)
        for lane, sender in enumerate(self.senders):
            memory = f"plf_ioc_{self.name}[{lane}]"
            yield from (Share(memory, user) for user in (sender, self.receiver))
            if not self.most:
                others = (other for other in self.senders if other != sender)
                yield from (Share(memory, other, is_read_only=True) for other in others)


def ioc_tables(system: System) -> Iterator[IocTable]:
    """Return all of them, in their order."""
    for ioc in system.iocs:
        yield IocTable(
            ioc.name,
            ioc.type,
            ioc.senders,
            ioc.receiver,
            ioc.queue or 0,
            _places(ioc),
            ioc.initial,
        )


def ioc_headers(system: System) -> list[Path]:
    """Return the headers that their types are in, each once."""
    return list(dict.fromkeys(header for ioc in system.iocs for header in ioc.headers))


def _places(ioc: Ioc) -> int:
    """Return the power of two that holds its queue."""
    return 1 << ((ioc.queue or 1) - 1).bit_length()
