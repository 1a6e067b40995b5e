# SPDX-License-Identifier: MIT
"""As much of gdb's remote protocol as a look at a board that QEMU has stopped takes."""

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
    """A board that waits, or runs to the next place where it stops."""

    def __init__(self, connection: socket.socket) -> None:
        """QEMU has stopped the board for this connection, or has not begun."""
        self._connection = connection
        self._received = b""
        self._named = self._description()  # QEMU gives single registers only after that

    def __enter__(self) -> "Remote":
        """Return this."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the board run on, whatever has happened."""
        with contextlib.suppress(EndedError, OSError):
            self.ask("D")

    def ask(self, request: str) -> str:
        """Return the answer to one request."""
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
        """Stop where an instruction of this address would be executed."""
        self.ask(f"Z1,{address:x},4")

    def go(self) -> int:
        """Run to the next such place; return the number of the core that is there, from 0 on."""
        found = re.search(r"thread:(?:p\w+\.)?(\w+);", self.ask("c"))
        return int(found[1], 16) - 1 if found else 0

    def register(self, number: int) -> int:
        """Return a register of the core that is there."""
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def system_register(self, name: str) -> int:
        """Return one that has a name alone."""
        found = re.search(NAMED.format(name=name), self._named)
        if not found:
            raise ValueError(f"no register {name}")
        return self.register(int(found[1]))

    def _description(self) -> str:
        text, part = "", "m"
        while part.startswith("m"):  # there is more
            part = self.ask(f"qXfer:features:read:{SYSTEM}:{len(text):x},{CHUNK // 4:x}")
            text += part[1:]
        return text

    def number(self, address: int, size: int) -> int:
        """Return what lies in memory."""
        return int.from_bytes(self._memory(address, size), "little")

    def holds(self, address: int, number: int, size: int) -> bool:
        """Whether that lies in memory, if there is some."""
        return self.ask(f"m{address:x},{size:x}") == number.to_bytes(size, "little").hex()

    def text(self, address: int) -> str:
        """Return what lies there up to a zero."""
        return self._memory(address, LONGEST_TEXT).partition(b"\0")[0].decode(errors="replace")

    def _memory(self, address: int, size: int) -> bytes:
        return bytes.fromhex(self.ask(f"m{address:x},{size:x}"))
