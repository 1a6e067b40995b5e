# SPDX-License-Identifier: MIT
"""Show progress on standard error, if that is a terminal."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

STEP_S = 0.5


@contextmanager
def progress_of(what: str, duration_ns: int) -> Iterator[None]:
    """Show the elapsed part of `duration_ns`, for work that reports no progress itself."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
    )
    over = threading.Event()
    console = Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        bar = progress.add_task(what, total=duration_ns / 1e9)
        begun_s = monotonic()

        def follow() -> None:
            while not over.wait(STEP_S):
                progress.update(bar, completed=monotonic() - begun_s)

        thread = threading.Thread(target=follow, daemon=True)
        try:
            thread.start()
            yield
        finally:
            over.set()
            if thread.is_alive():  # a signal may have come before the thread started
                thread.join()


@contextmanager
def progress_by_step(what: str, steps: int) -> Iterator[Callable[[str, int], None]]:
    """Show the current work and the number of finished steps; yield a function to set both."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        bar = progress.add_task(what, total=steps)
        yield lambda what, done: progress.update(bar, description=what, completed=done)
