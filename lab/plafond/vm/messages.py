# SPDX-License-Identifier: MIT
"""Read the guest's messages from the file that its port writes; each has a header."""

from pathlib import Path
from typing import NamedTuple


class Message(NamedTuple):
    """A file that the guest sent under a name."""

    name: str
    content: bytes


class Mailbox:
    """Reads complete messages, each of them once."""

    def __init__(self, file: Path) -> None:
        """Read from `file`, which need not exist yet."""
        self._file = file
        self._position = 0

    def collect(self) -> list[Message]:
        """Return the messages that have arrived since the last call."""
        if not self._file.exists():
            return []
        with self._file.open("rb") as stream:
            stream.seek(self._position)
            unread = stream.read()
        messages = []
        while message := _first(unread):
            length = len(_header(message)) + len(message.content)
            unread = unread[length:]
            self._position += length
            messages.append(message)
        return messages


def _header(message: Message) -> bytes:
    return f"{message.name} {len(message.content)}\n".encode()


def _first(unread: bytes) -> Message | None:
    header, newline, rest = unread.partition(b"\n")
    if not newline:
        return None
    name, _, size = header.decode().rpartition(" ")
    return Message(name, rest[: int(size)]) if len(rest) >= int(size) else None
