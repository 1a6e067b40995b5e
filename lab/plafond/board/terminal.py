# SPDX-License-Identifier: MIT
"""Run an image that `plafond build` made, with our own terminal as its console."""

import contextlib
import os
import sys
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from plafond.board.boards import BOARDS, Board
from plafond.board.ending import is_for_tools, witness_of, written_ending
from plafond.board.image import SIM
from plafond.board.qemu import PROGRAM, find_qemu, qemu_command, serial_at_stdio
from plafond.board.status import TRAPPED, ending_of
from plafond.board.trap import addr2line
from plafond.errors import ArgumentError, PlafondError
from plafond.programs import Ended, run_at_terminal
from plafond.regular import open_regular

# The exit codes of timeout(1) and of shells.
TOOK_TOO_LONG = 124
BY_SIGNAL = 128


class EndedBadlyError(PlafondError):
    """An image ended with an error; its exit code is ours."""

    def __init__(self, text: str, code: int) -> None:
        """`code` must not be 0."""
        super().__init__(text)
        self.exit_code = code


def board_of_image(image: Path) -> Board:
    """Return the board that an image is for; ArgumentError if the file is not an image."""
    symbols = _symbols(image)
    for board in BOARDS.values():
        if board.symbol in symbols:
            return board
    raise _no_image(image)


def run_at_our_terminal(image: Path, limit_s: float | None, gdb_port: int | None) -> None:
    """Run an image to its end, with our terminal as its console.

    `gdb_port`: the image waits until gdb connects to this port of this machine, and prints that.
    EndedBadlyError if the image ends other than by ShutdownOS(E_OK); RefusedError: no QEMU.
    """
    board = board_of_image(image)
    of_qemu: list[str] = []
    of_sim: list[str] = []  # the phrase that describes the ending

    def pass_on(line: str) -> None:
        if (ending := written_ending(board, image, line)) is not None:
            of_sim.append(ending)
        elif line.startswith(f"{PROGRAM}:"):
            of_qemu.append(line)
        else:
            print(line, file=sys.stderr, flush=True)

    command = _command(board, image, gdb_port)
    with contextlib.ExitStack() as stack:
        witness = None
        if board.name != SIM and gdb_port is None and is_for_tools(image):
            witness = stack.enter_context(witness_of(board, image, _symbols(image)))
            command += witness.arguments
        ended = run_at_terminal(command, pass_on, limit_s)
    if ended.took_too_long:
        raise EndedBadlyError(f"{image} had not ended after {limit_s:g} s", TOOK_TOO_LONG)
    if ended.code:
        how = f"did not run: {of_qemu[-1]}" if of_qemu else _ending(ended)
        how += witness.found if witness else "".join(of_sim)
        if ended.code == TRAPPED:
            how += f"; {' '.join(addr2line(board, image, 'ELR'))} names the line"
        raise EndedBadlyError(f"{image} on {board.name} {how}", _code(ended))


def _symbols(image: Path) -> dict[str, int]:
    """Return the addresses of all symbols."""
    try:
        with open_regular(image) as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                return {}
            return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}
    except OSError as error:
        raise ArgumentError(f"--image: cannot read {image}: {error.strerror}") from None
    except (ELFError, ValueError):
        raise _no_image(image) from None


def _no_image(image: Path) -> ArgumentError:
    return ArgumentError(f"--image: found {image}; expected an image that `plafond build` made")


def _command(board: Board, image: Path, gdb_port: int | None) -> list[str]:
    if board.name != SIM:
        # Waiting must take real time, because the user types at any time.
        gdb = () if gdb_port is None else ("-S", "-gdb", f"tcp:127.0.0.1:{gdb_port}")
        return [*qemu_command(find_qemu(), image, sleeps=True), *serial_at_stdio(), *gdb]
    if gdb_port is not None:
        raise ArgumentError(f"--gdb is of a53; this is a program of this machine: gdb {image}")
    if not os.access(image, os.X_OK):
        raise ArgumentError(f"--image: {image} may not be executed: chmod +x")
    return ["setpriv", "--pdeathsig", "KILL", str(image.resolve())]


def _ending(ended: Ended) -> str:
    return f"was ended by {ended.signal}" if ended.code < 0 else ending_of(ended.code)


def _code(ended: Ended) -> int:
    return BY_SIGNAL - ended.code if ended.code < 0 else ended.code
