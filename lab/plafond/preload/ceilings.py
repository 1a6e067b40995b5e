# SPDX-License-Identifier: MIT
"""The ceilings that a file chooses, in the form that the drop-in reads."""

import fcntl
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from plafond.describe.loading import load_mutexes
from plafond.describe.mutex import Mutex
from plafond.errors import PlafondError

# Programs expect the lowest free numbers for their files. A number from here on disturbs none.
LEAST_NUMBER = 200


def table_of(file: Path) -> str:
    """Return the table of the mutexes to use: module, offset, order and choice.

    DescriptionError names every mistake of the file. PlafondError if the file has no mutex.
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
    """Keep the table in memory, and return its path.

    It lives as long as this process and the program that the process becomes. The path has the
    number of the process, so that children find it even if they close all inherited files.
    """
    memory = os.memfd_create("plafond-ceilings", os.MFD_ALLOW_SEALING)
    os.write(memory, table.encode())
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW)
    number = _far_up(memory)
    return f"/proc/{os.getpid()}/fd/{number}"


def _far_up(file: int) -> int:
    """Move a file to a number that programs do not use."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    number = fcntl.fcntl(file, fcntl.F_DUPFD, min(LEAST_NUMBER, limit // 2))
    os.close(file)
    return number
