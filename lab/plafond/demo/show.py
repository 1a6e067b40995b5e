# SPDX-License-Identifier: MIT
"""Show the demo: it prints one screen, and a part that fails is one line."""

import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from plafond.bench.locks import QUICK_REPETITIONS, run_locks
from plafond.bench.samples import collect
from plafond.board.boards import BOARDS, ROOT, Board
from plafond.demo.screen import PAIRS, Here, print_here, print_machine, print_next, print_virtual
from plafond.describe.loading import load
from plafond.describe.system import System
from plafond.errors import PlafondError
from plafond.output import INTERRUPTED
from plafond.report.write import write_report
from plafond.run.execution import execute
from plafond.run.model import Execution
from plafond.run.options import Options, folder_for_report
from plafond.signals import end_by_signals

EXAMPLE = ROOT / "examples/inversion.toml"
ACTIVATIONS = 25  # of each task: a second of threads under each lock
REPORTS = Path("plafond-report")
T = TypeVar("T")


class Demo:
    """The screen, and where the page of its last run is."""

    def __init__(self, console: Console) -> None:
        """Nothing is shown yet."""
        self.console = console
        self.page: Path | None = None

    def show(self) -> None:
        """Print all parts, one after the other."""
        system = load(EXAMPLE)
        virtual = self._try("virtual time", lambda: self._run(system, BOARDS["sim"]))
        if virtual:
            print_virtual(virtual, self.console)
        costs = self._try("the cost of a lock", _costs_ns)
        threads = self._try("real threads", lambda: self._run(system, None))
        if costs or threads:
            print_here(Here(virtual, threads, costs or {}), self.console)
        if threads:
            print_machine(threads, self.console)
        else:
            self.console.print()
        print_next(self.page, self.console)

    def _run(self, system: System, board: Board | None) -> Execution:
        """Run the task set on a board, or as threads, and write the page of that if it can be."""
        options = Options(
            command="make demo",
            protocols=[*(PAIRS.values() if board else PAIRS)],
            scale=Fraction(1),
            activations=ACTIVATIONS,
            seed=None,
            out=REPORTS / (f"demo-{board.name}" if board else "demo"),
            shown=None,
            overheads=board is not None,  # threads: their measurement would take ten seconds
            guest=None,
            board=board,
        )
        with folder_for_report(options.out):
            execution, interrupted = execute(system, options)
            if interrupted:
                raise interrupted
            page = self._try("the report", lambda: write_report(execution, options.out))
        self.page = page or self.page
        return execution

    def _try(self, what: str, do: Callable[[], T]) -> T | None:
        """Do it; or say in one line why it is not shown."""
        try:
            return do()
        except (PlafondError, OSError) as error:
            self.console.print(Text(f"Not shown: {what}, because: {_reason(error)}"))
            return None


def _reason(error: Exception) -> str:
    """Return a line: the first, and the second too if the first ends with a colon."""
    if isinstance(error, OSError) and error.filename is None:  # such as a full disk
        return f"{REPORTS}: {error.strerror}"
    lines = str(error).splitlines() or [""]
    return " ".join(lines[:2] if lines[0].endswith(":") else lines[:1])


def _costs_ns() -> dict[str, float]:
    """Return the time of a lock and its unlock while no other thread wants it."""
    samples = collect(run_locks(QUICK_REPETITIONS, ["pair"]).benchmarks)
    return {sample.lock: sample.ns_median for sample in samples if sample.lock in PAIRS}


def main() -> None:
    """Show the demo: exit code 0 whatever it could not show, and 130 after Ctrl-C."""
    try:
        end_by_signals()
        Demo(Console(highlight=False)).show()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
