# SPDX-License-Identifier: MIT
"""At most one real-time run on a CPU, because two of them would measure each other.

Each CPU has a file, and a run holds a lock on it (flock). The kernel releases the lock when the
process ends, in any way. The folder is the same for all users: the first that every user may write
to. No privilege is needed, because a file that can be read can be locked.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from plafond.errors import RefusedError

FOLDERS = (Path("/run/lock"), Path("/dev/shm"), Path("/tmp"))
SHARED = stat.S_ISVTX | stat.S_IWOTH  # every user may write, but not remove files of other users
LOCKS = Path("/proc/locks")


@contextmanager
def alone_on(cpus: Iterable[int]) -> Iterator[None]:
    """Hold the locks of these CPUs; RefusedError names the run that holds another one."""
    with ExitStack() as held:
        # In one order for all runs, so that of two runs one gets all locks.
        for cpu in sorted({*cpus}):
            held.callback(os.close, _lock(cpu))
        yield


def lock_file(cpu: int) -> Path:
    """Return the file of a CPU; RefusedError if no folder is for all users."""
    for folder in FOLDERS:
        with suppress(OSError):
            if folder.stat().st_mode & SHARED == SHARED:
                return folder / f"plafond-run-cpu{cpu}"
    listed = ", ".join(map(str, FOLDERS))
    raise RefusedError(f"found no folder that all users may write to; expected one of {listed}")


def _lock(cpu: int) -> int:
    file = lock_file(cpu)
    opened = _open(file)
    try:
        flock(opened, LOCK_EX | LOCK_NB)
    except OSError as error:
        holder = _holder(opened)
        os.close(opened)
        if not isinstance(error, BlockingIOError):
            raise RefusedError(f"{file}: {error.strerror}; expected a file to lock") from None
        raise RefusedError(
            f"CPU {cpu}: found another real-time run{holder}; expected none, because two runs on "
            "one CPU delay each other; wait for its end, or describe other CPUs"
        ) from None
    return opened


def _open(file: Path) -> int:
    """Return a descriptor. An existing file is not created again: it can be another user's."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with suppress(FileNotFoundError):
            return os.open(file, flags)
        return os.open(file, flags | os.O_CREAT, 0o644)
    except OSError as error:
        raise RefusedError(f"{file}: {error.strerror}; expected a file to lock") from None


def _holder(opened: int) -> str:
    """Name the process that holds the lock, if the kernel shows it."""
    own = os.fstat(opened)
    device = f"{os.major(own.st_dev):02x}:{os.minor(own.st_dev):02x}:{own.st_ino}"
    with suppress(OSError):
        for line in LOCKS.read_text().splitlines():
            words = line.split()
            if device in words and words[1] == "FLOCK":
                return _process(words[4])
    return ""


def _process(number: str) -> str:
    with suppress(OSError):
        command = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        return f", process {number}: {command}"
    return f", process {number}"
