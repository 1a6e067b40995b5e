# SPDX-License-Identifier: MIT
"""Show progress on standard error: a bar on a terminal, or else a line now and then."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)

STEP_S = 0.5
LINE_S = 5.0  # between two lines, and before the first line of a process


@contextmanager
def shown(*columns: ProgressColumn) -> Iterator[Progress]:
    """Yield a progress for tasks: bars with these columns behind them, or lines."""
    console = Console(stderr=True)
    bars = TextColumn("{task.description}", markup=False), BarColumn(), *columns
    if console.is_terminal:
        with Progress(*bars, console=console, transient=True) as progress:
            yield progress
        return
    progress = Progress(*bars, console=console, disable=True)
    with _repeated(STEP_S, lambda: _LINES.print_if_due(console, progress)):
        yield progress


@contextmanager
def progress_of(what: str, duration_ns: int) -> Iterator[None]:
    """Show the elapsed part of `duration_ns`, for work that reports no progress itself."""
    with shown(TextColumn("{task.completed:.0f} of {task.total:.0f} s")) as progress:
        bar = progress.add_task(what, total=duration_ns / 1e9)
        begun_s = monotonic()
        with _repeated(STEP_S, lambda: progress.update(bar, completed=monotonic() - begun_s)):
            yield


@contextmanager
def progress_by_step(what: str, steps: int) -> Iterator[Callable[[str, int], None]]:
    """Show the current work and the number of finished steps; yield a function to set both."""
    columns = TextColumn("{task.completed:.0f} of {task.total:.0f}"), TimeElapsedColumn()
    with shown(*columns) as progress:
        bar = progress.add_task(what, total=steps)
        yield lambda what, done: progress.update(bar, description=what, completed=done)


@contextmanager
def _repeated(period_s: float, act: Callable[[], None]) -> Iterator[None]:
    """Call `act` in a thread after each period."""
    over = threading.Event()

    def follow() -> None:
        while not over.wait(period_s):
            act()

    thread = threading.Thread(target=follow, daemon=True)
    try:
        thread.start()
        yield
    finally:
        over.set()
        if thread.is_alive():  # a signal may have come before the thread started
            thread.join()


class _Lines:
    """The lines of a process: many short works, one after the other, have lines, too."""

    def __init__(self) -> None:
        self._last_s = monotonic()

    def print_if_due(self, console: Console, progress: Progress) -> None:
        """Print a line for each task that is not finished, unless it is too early."""
        if monotonic() - self._last_s < LINE_S:
            return
        self._last_s = monotonic()
        for task in progress.tasks:
            if not task.finished:
                with suppress(OSError):  # progress is not worth a failure
                    print(_line_of(task), file=console.file, flush=True)


_LINES = _Lines()


def _line_of(task: Task) -> str:
    share = f"{100 * task.completed / task.total:.0f} %, " if task.total else ""
    return f"{task.description}: {share}{task.elapsed or 0:.0f} s"
