# SPDX-License-Identifier: MIT
"""The phrases in which a report describes a board, its times and its memory."""

import subprocess
from collections.abc import Iterable, Iterator

from plafond.board.boards import Board
from plafond.board.qemu import find_qemu
from plafond.trace.model import Trace

TIMES = {
    "sim": "virtual: a run step takes as long as described, the kernel's own work takes none",
    "a53": "emulated, 1 instruction = 1 ns: no time of a real processor, and the same each run",
}

# Used if the cores of a board share one stream of instructions.
SHARED_TIMES = (
    "emulated: the cores share one stream of instructions, 1 ns each, so run steps are as long as "
    "the clock says; a core in the kernel makes the others wait, which their latencies contain"
)


def times_of(board: Board, cpus: int) -> str:
    """Return the description of the board's times."""
    return SHARED_TIMES if board.shares_time and cpus > 1 else TIMES[board.name]


def processor_of(board: str) -> str:
    """Return the description of the board's processor."""
    if board == "sim":
        return "a simulated processor"
    said = subprocess.run([find_qemu(), "--version"], capture_output=True, text=True, check=True)
    version = said.stdout.split("version ")[-1].split()[0]
    return f"QEMU {version}, emulated Cortex-A53"


def stack_lines(traces: Iterable[Trace]) -> Iterator[str]:
    """Yield a line with the largest use of each task's stack under any protocol, if it is known."""
    used: dict[str, int] = {}
    for trace in traces:
        for task in trace.tasks:
            if task.stack_bytes is not None:
                used[task.name] = max(used.get(task.name, 0), task.stack_bytes)
    if used:
        sizes = ", ".join(f"{task} {size}" for task, size in used.items())
        yield f"bytes of stack used at most, the notes of this run among them: {sizes}"
