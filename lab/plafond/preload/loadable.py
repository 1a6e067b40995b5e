# SPDX-License-Identifier: MIT
"""Whether a program takes a library by LD_PRELOAD: some programs silently do not."""

import os
import shutil
import stat
import struct
from pathlib import Path

from plafond.regular import open_regular

ELF_OF_64_BITS = b"\x7fELF\x02"
HEADER = struct.Struct("<32xQ14xHH6x")  # e_phoff, e_phentsize, e_phnum
ENTRY = struct.Struct("<I4xQ16xQ")  # p_type, p_offset, p_filesz
PT_INTERP = 3
# The loaders of glibc. As programs they have no loader, but they take libraries.
LOADERS = ("ld-linux", "ld-2", "ld64.so", "ld.so")


def why_not_loaded(program: str) -> str | None:
    """Return why the program takes no library; None if it takes libraries, or if that is not known.

    For a script the answer is about its interpreter, which nearly always takes libraries.
    """
    found = shutil.which(program)
    if found is None:
        return None
    file = Path(found).resolve()
    try:
        if file.name.startswith(LOADERS):
            return None
        loader = _loader_of(file)
        if loader == "":
            return "is static"
        if loader is not None and not Path(loader).name.startswith(LOADERS):
            return f"has the loader of another C library, {loader}"
        return "has privileges of its file" if _has_privileges(file) else None
    except (OSError, struct.error):
        return None


def _loader_of(file: Path) -> str | None:
    """Return the program's loader; "" if it is static; None if the file is no 64-bit program."""
    with open_regular(file) as opened:
        start = opened.read(HEADER.size)
        if not start.startswith(ELF_OF_64_BITS):
            return None
        offset, size, count = HEADER.unpack(start)
        opened.seek(offset)
        entries = opened.read(size * count)
        for at in range(0, len(entries), size):
            kind, place, length = ENTRY.unpack_from(entries, at)
            if kind == PT_INTERP:
                opened.seek(place)
                return os.fsdecode(opened.read(length).rstrip(b"\0"))
    return ""


def _has_privileges(file: Path) -> bool:
    """Return whether the loader must distrust the environment, as the file gives privileges."""
    if os.statvfs(file).f_flag & os.ST_NOSUID:
        return False
    status = file.stat()
    as_user = status.st_mode & stat.S_ISUID and status.st_uid != os.getuid()
    as_group = status.st_mode & stat.S_ISGID and status.st_gid != os.getgid()
    capable = os.getuid() != 0 and "security.capability" in os.listxattr(file)
    return bool(as_user or as_group or capable)
