# SPDX-License-Identifier: MIT
"""Open files that a command line names, without a wait for another program."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def open_regular(file: Path) -> BinaryIO:
    """Open a file to read its bytes; OSError if it is unreadable or no regular file.

    A FIFO without a writer would block a plain open() for ever.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind == stat.S_IFREG:
        return open(descriptor, "rb")
    os.close(descriptor)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
    raise OSError(errno.EINVAL, f"found {_KINDS[kind]}, which is no regular file", file)
