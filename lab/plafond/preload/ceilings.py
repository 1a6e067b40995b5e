# SPDX-License-Identifier: MIT
"""The ceilings that a file chooses, as the drop-in reads them."""

import fcntl
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from plafond.describe.loading import load_mutexes
from plafond.describe.mutex import Mutex
from plafond.errors import PlafondError

# Programs expect the numbers that they open to be the lowest; one up here disturbs none.
LEAST_NUMBER = 200


def table_of(file: Path) -> str:
    """Return the table of the mutexes that are to be used: module, offset, order, choice.

    DescriptionError names every mistake of the file; a file without any mutex is one too.
    """
    mutexes = load_mutexes(file)
    if not mutexes:
        raise PlafondError(f"{file}: found no table [mutex.NAME]; expected one")
    used = [mutex for mutex in mutexes if mutex.use]
    return "".join(dict.fromkeys(line for mutex in used for line in _lines(mutex)))


def _lines(mutex: Mutex) -> Iterator[str]:
    choice = "inherit" if mutex.inherits else mutex.ceiling
    for key in mutex.keys:
        yield f"{key} {choice}\n"


def in_memory(table: str) -> str:
    """Keep the table as long as this process and the program that it becomes; return its path.

    The path has the number of the process, so that its children find it too, those that close
    what they inherit.
    """
    memory = os.memfd_create("plafond-ceilings", os.MFD_ALLOW_SEALING)
    os.write(memory, table.encode())
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW)
    number = _far_up(memory)
    return f"/proc/{os.getpid()}/fd/{number}"


def _far_up(file: int) -> int:
    """Move a file to a number that programs do not come by."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    number = fcntl.fcntl(file, fcntl.F_DUPFD, min(LEAST_NUMBER, limit // 2))
    os.close(file)
    return number
