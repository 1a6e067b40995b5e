# SPDX-License-Identifier: MIT
"""Find the place of a trap in the kernel from the image's output and debugging information."""

import re
import subprocess
from pathlib import Path

from plafond.board.boards import Board

# The line of plf_port_trapped(). This register has the address of the instruction.
SAID = re.compile(r"^plafond: trap in the kernel: .*\bELR (0x[0-9a-f]+)", re.MULTILINE)
UNKNOWN = "??"


def addr2line(board: Board, image: Path, address: str) -> list[str]:
    """Return the command that prints the function and the line of an address."""
    return [f"{board.prefix}addr2line", "-fe", str(image), address]


def place_of_trap(board: Board, image: Path, console: str) -> str:
    """Return the function and the line as a phrase to append to a message; empty: not known."""
    found = SAID.search(console)
    if not found:
        return ""
    command = addr2line(board, image, found[1])
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    function, _, line = said.stdout.strip().partition("\n")
    if not function or function == UNKNOWN:
        return ""
    known = f" ({line.split(' ')[0]})" if line and not line.startswith(UNKNOWN) else ""
    return f", in {function}{known}"
