# SPDX-License-Identifier: MIT
"""The guest's initial file system: a cpio archive of format "newc", which the kernel unpacks.

Equal files give equal bytes: no dates, no owners, sorted by name.
"""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

TRAILER = "TRAILER!!!"


@dataclass(frozen=True)
class Entry:
    """A file or a folder of the guest."""

    mode: int
    content: bytes = b""


def file_entry(content: bytes, executable: bool) -> Entry:
    """Return an entry for a plain file."""
    return Entry(stat.S_IFREG | (0o755 if executable else 0o644), content)


FOLDER = Entry(stat.S_IFDIR | 0o755)


def pack(entries: Mapping[str, Entry]) -> bytes:
    """Return the archive of the entries by absolute path, with the folders that they need."""
    whole = dict.fromkeys(_folders(entries), FOLDER) | dict(entries)
    records = [
        _record(number, path.lstrip("/"), whole[path])
        for number, path in enumerate(sorted(whole), start=1)
    ]
    return b"".join([*records, _record(0, TRAILER, Entry(0))])


def _folders(entries: Mapping[str, Entry]) -> Iterator[str]:
    for path in entries:
        yield from (str(folder) for folder in list(PurePosixPath(path).parents)[:-1])


def _record(number: int, name: str, entry: Entry) -> bytes:
    encoded = name.encode() + b"\0"
    links = 2 if stat.S_ISDIR(entry.mode) else 1
    # Inode, mode, user, group, links, date, size, device and special device, length of name, sum.
    fields = (number, entry.mode, 0, 0, links, 0, len(entry.content), 0, 0, 0, 0, len(encoded), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _padded(header + encoded) + _padded(entry.content)


def _padded(content: bytes) -> bytes:
    return content + b"\0" * (-len(content) % 4)
