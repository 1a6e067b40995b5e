# SPDX-License-Identifier: MIT
"""Compare the kernel with the model: python -m fuzz FOLDER first|rest, or FOLDER one ...

Images are built in FOLDER. `first` is one system on sim; `rest` is all others, on both boards,
under several protocols. A program that differs is made small and printed; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.build.generate import LEVEL
from plafond.build.objects import OF_KERNEL
from plafond.errors import PlafondError

from .compare import first_difference, shrunk
from .play import build_player
from .system import draw_system


@dataclass(frozen=True)
class Row:
    """A drawn system, the build of its image, and the number of programs that it plays."""

    system: int
    board: str
    protocol: str
    programs: int

    def __str__(self) -> str:
        """Return its name."""
        return f"system {self.system} on {self.board} under {self.protocol}"

    def seeds(self, begin: int = 0) -> Iterator[str]:
        """Return the seeds of the row's programs."""
        return (f"{self.system} {number}" for number in range(begin, begin + self.programs))


# Systems 2, 5, 8, ... are in standard status, and 3 and 7 have a single hook of three. 16 has no
# events. From 32 on systems have applications, and from 128 on deadlines. From 256 on they are the
# same again with schedule tables, and from 512 on with messages.
FIRST = (Row(0, "sim", "uprio-nprio", 40),)
REST = (
    Row(1, "sim", "syscall", 80),
    Row(2, "sim", "uprio-nprio", 60),
    Row(3, "sim", "uprio-kprio", 80),
    Row(4, "sim", "lazy-ceiling", 80),
    Row(5, "sim", "syscall", 50),
    Row(6, "sim", "hardware:mask", 60),
    Row(7, "sim", "uprio-kprio-lazy", 80),
    Row(16, "sim", "lazy-ceiling-simple", 30),
    Row(32, "sim", "syscall", 30),
    Row(34, "sim", "lazy-ceiling", 50),
    Row(46, "sim", "uprio-nprio", 60),
    Row(48, "sim", "uprio-kprio", 50),
    Row(129, "sim", "deadline-floor", 40),
    Row(132, "sim", "lazy-floor", 50),
    Row(260, "sim", "uprio-nprio", 30),
    Row(300, "sim", "lazy-ceiling", 25),
    Row(388, "sim", "lazy-floor", 15),
    Row(518, "sim", "uprio-kprio", 20),
    Row(1, "a53", "syscall", 12),
    Row(2, "a53", "uprio-nprio", 8),
    Row(46, "a53", "lazy-ceiling", 8),
)


QUICKLY_BUILT = "-Og"  # images of a53 are built as images of users are


def report(row: Row, build: Path, begin: int = 0) -> bool:
    """Play the programs of a row. Returns whether all agreed."""
    system, began_s = draw_system(row.system), time.monotonic()
    name = f"system-{row.system}"
    is_quick = row.board == "sim"
    level, join = (QUICKLY_BUILT, OF_KERNEL) if is_quick else (LEVEL, ())
    player = build_player(system, name, row.board, row.protocol, build, level=level, join=join)
    found = first_difference(system, player, row.seeds(begin))
    if found is None:
        print(f"{row}: {row.programs} programs as the model, {time.monotonic() - began_s:.1f} s")
        return True
    seed, first = found
    print(f"{row}: program {seed.split()[1]} differs; {build / name}.toml; made small:")
    print("\n".join(f"  {line}" for line in shrunk(system, player, first).lines()))
    return False


def main() -> None:
    """Exit code 1: a program differs; 2: an image was not built."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=["first", "rest", "one"])
    parser.add_argument("--system", type=int, default=0)
    parser.add_argument("--program", type=int, default=0, help="the first of them")
    parser.add_argument("--programs", type=int, default=1, help="how many")
    parser.add_argument("--board", default="sim")
    parser.add_argument("--protocol", default="uprio-nprio")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    one = Row(chosen.system, chosen.board, chosen.protocol, chosen.programs)
    rows = {"first": FIRST, "rest": REST, "one": (one,)}[chosen.what]
    try:
        agreed = [report(row, chosen.folder.resolve(), chosen.program) for row in rows]
    except PlafondError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(0 if all(agreed) else 1)


if __name__ == "__main__":
    main()
