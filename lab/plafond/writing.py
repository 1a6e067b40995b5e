# SPDX-License-Identifier: MIT
"""Write a file as a whole or not at all, so that a full disk leaves no half of it."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


def write_whole(file: Path, content: str | bytes) -> None:
    """Write the file, which appears complete, because it is renamed into place.

    A new file has the usual rights, and an old file keeps its rights. A device, a pipe, and the
    file of standard output or error are written in place. If writing fails, the OSError names the
    file, and the old file remains.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if file.exists() and (not file.is_file() or _is_stream(file)):
            file.write_bytes(data)
        else:
            _replace(file.resolve(), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None


def _is_stream(file: Path) -> bool:
    """Return whether the file is that of our standard output or error, as /dev/stderr may be."""
    for number in (1, 2):
        with suppress(OSError):  # the stream is closed
            if os.path.samestat(file.stat(), os.fstat(number)):
                return True
    return False


def _replace(target: Path, data: bytes) -> None:
    handle, name = mkstemp(dir=target.parent, prefix=".plafond-")
    try:
        with os.fdopen(handle, "wb") as scratch:
            scratch.write(data)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(FileNotFoundError):  # a signal may come just after the renaming
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """Return the rights of the file, or of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
