# SPDX-License-Identifier: MIT
"""Run an image of the kernel to its end, and return its output."""

from pathlib import Path

from plafond.board.boards import Board
from plafond.board.ending import written_ending
from plafond.board.qemu import PROGRAM, find_qemu, qemu_command
from plafond.board.status import ending_of
from plafond.board.trap import place_of_trap
from plafond.errors import PlafondError
from plafond.programs import Ended, run_to_end

CONSOLE_LINES = 20
SIM = "sim"


def run_image(image: Path, board: Board, limit_s: float, arguments: tuple[str, ...] = ()) -> str:
    """Return the console of an image that ended well: ShutdownOS(E_OK), or the end of its run.

    `arguments`: further arguments of the simulated processor or QEMU. PlafondError says if the
    image hung, trapped or ended with an error, and has the last lines of its console. The image's
    process has ended whenever this function ends.
    """
    said: list[str] = []
    ended = run_to_end(image_command(image, board, arguments), said.append, limit_s)
    reason = _fault(ended, said, limit_s)
    if reason:
        reason += place_of_trap(board, image, ended.output)
        written = {line: written_ending(board, image, line) for line in said}
        reason += "".join(filter(None, written.values()))
        said = [line for line in said if written[line] is None]
        raise PlafondError(f"{image.name} on {board.name} {reason}{_tail(ended.output, said)}")
    return ended.output


def image_command(
    image: Path, board: Board, arguments: tuple[str, ...] = (), at_once: bool = False
) -> list[str]:
    """Return the command that runs the image and ends with it; RefusedError: no QEMU.

    `at_once`: see qemu_command().
    """
    if board.name == SIM:
        return ["setpriv", "--pdeathsig", "KILL", str(image), *arguments]
    return [*qemu_command(find_qemu(), image, at_once=at_once), *arguments]


def _fault(ended: Ended, said: list[str], limit_s: float) -> str | None:
    """Return why the image did not end well, or None."""
    if ended.took_too_long:
        return f"hung: it had not ended after {limit_s:.0f} s"
    if ended.code < 0:
        return f"was ended by {ended.signal}"
    of_qemu = [line for line in said if line.startswith(f"{PROGRAM}:")]
    if of_qemu:
        return f"did not run: {of_qemu[-1]}"
    return ending_of(ended.code) if ended.code else None


def _tail(console: str, said: list[str]) -> str:
    lines = [line for line in [*console.splitlines(), *said] if line.strip()][-CONSOLE_LINES:]
    if not lines:
        return "; it wrote nothing"
    return "".join(["; the last lines that it wrote:", *(f"\n  | {line}" for line in lines)])
