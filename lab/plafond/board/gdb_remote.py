# SPDX-License-Identifier: MIT
"""The part of gdb's remote protocol that is needed to examine a board that QEMU has stopped."""

import contextlib
import re
import socket
from types import TracebackType

CHUNK = 4096
SYSTEM = "system-registers.xml"
NAMED = r'<reg name="{name}"[^>]*\bregnum="(\d+)"'
LONGEST_TEXT = 64


class EndedError(Exception):
    """QEMU has ended."""


class Remote:
    """A board that waits, or runs until it stops at an address."""

    def __init__(self, connection: socket.socket) -> None:
        """Connect to a board that QEMU has stopped, or has not started yet."""
        self._connection = connection
        self._received = b""
        # first, because QEMU gives single registers only after that
        self._named = self._description()

    def __enter__(self) -> "Remote":
        """Return this object."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the board continue, whatever has happened."""
        with contextlib.suppress(EndedError, OSError):
            self.ask("D")

    def ask(self, request: str) -> str:
        """Return the answer to a request."""
        data = request.encode()
        self._connection.sendall(b"$%s#%02x" % (data, sum(data) % 256))
        return self._answer()

    def _answer(self) -> str:
        while not (found := re.search(rb"\$([^#]*)#..", self._received, re.DOTALL)):
            more = self._connection.recv(CHUNK)
            if not more:
                raise EndedError
            self._received += more
        self._received = self._received[found.end() :]
        self._connection.sendall(b"+")
        return found[1].decode("latin-1")

    def stop_at(self, address: int) -> None:
        """Stop before the instruction at this address is executed."""
        self.ask(f"Z1,{address:x},4")

    def go(self) -> int:
        """Run until the board stops; return the number of the stopped core, from 0."""
        found = re.search(r"thread:(?:p\w+\.)?(\w+);", self.ask("c"))
        return int(found[1], 16) - 1 if found else 0

    def register(self, number: int) -> int:
        """Return a register of the stopped core."""
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def system_register(self, name: str) -> int:
        """Return a register that only has a name; ValueError if QEMU does not have it."""
        found = re.search(NAMED.format(name=name), self._named)
        if not found:
            raise ValueError(f"no register {name}")
        return self.register(int(found[1]))

    def _description(self) -> str:
        text, part = "", "m"
        while part.startswith("m"):  # QEMU has more of the text
            part = self.ask(f"qXfer:features:read:{SYSTEM}:{len(text):x},{CHUNK // 4:x}")
            text += part[1:]
        return text

    def number(self, address: int, size: int) -> int:
        """Return a number in memory."""
        return int.from_bytes(self._memory(address, size), "little")

    def holds(self, address: int, number: int, size: int) -> bool:
        """Return whether readable memory at this address holds this number."""
        return self.ask(f"m{address:x},{size:x}") == number.to_bytes(size, "little").hex()

    def text(self, address: int) -> str:
        """Return the text in memory up to the first zero byte."""
        return self._memory(address, LONGEST_TEXT).partition(b"\0")[0].decode(errors="replace")

    def _memory(self, address: int, size: int) -> bytes:
        return bytes.fromhex(self.ask(f"m{address:x},{size:x}"))
