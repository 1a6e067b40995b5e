# SPDX-License-Identifier: MIT
"""Communication without the kernel, in the terms of Ioc.h and ioc.c."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.ioc import Ioc
from plafond.describe.system import System


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
    def users(self) -> tuple[str, ...]:
        """The tasks that its memory is for."""
        return (*self.senders, self.receiver)


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
