# SPDX-License-Identifier: MIT
"""The table of the test programs, tests.txt, and where their images are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = ("sim", "a53")
STATUS = ("standard", "extended")
PROTOCOLS = (
    "syscall",
    "syscall-bare",
    "syscall-id-uprio",
    "uprio-kprio",
    "uprio-kprio-lazy",
    "uprio-nprio",
    "lazy-ceiling",
    "lazy-ceiling-simple",
)


@dataclass(frozen=True)
class Case:
    """An image, and with which code it shall end."""

    name: str
    board: str
    status: str
    protocol: str
    number: int
    code: int

    def folder(self, build: Path) -> Path:
        """Return where it is built."""
        number = f"-{self.number}" if self.number else ""
        return build / f"{self.name}-{self.board}-{self.status}-{self.protocol}{number}"


def read_table() -> list[Case]:
    """Return all images, as tests.txt has them."""
    lines = (HERE / "tests.txt").read_text().splitlines()
    return [case for line in lines if line and line[0] != "#" for case in _cases(line)]


def _cases(line: str) -> Iterator[Case]:
    name, boards, status, protocols, codes = line.split()
    for board in BOARDS if boards == "both" else [boards]:
        for one_status in STATUS if status == "both" else [status]:
            for protocol in PROTOCOLS if protocols == "all" else protocols.split(","):
                for number, code in enumerate(codes.split(",")):
                    yield Case(name, board, one_status, protocol, number, int(code))
