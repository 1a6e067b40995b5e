# SPDX-License-Identifier: MIT
"""A progress bar for something that takes a known time and says nothing meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

STEP_S = 0.5


@contextmanager
def progress_of(what: str, duration_ns: int) -> Iterator[None]:
    """Show on standard error how much of `duration_ns` is over, if that is a terminal."""
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
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
