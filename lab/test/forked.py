# SPDX-License-Identifier: MIT
"""The command in a fork of the tests' process, which has loaded all modules.

A new Python takes 0.3 s of processor time to load a command's modules, 1.2 s for a report's. So
only tests of a process's start, and of the signals that it finds, use `python -m plafond`.
"""

import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NoReturn

from patience import HUNG_S

from plafond.cli import main

for late in (  # commands load these modules only when they need them
    "plafond.preload.ceilings",
    "plafond.preload.learning",
    "plafond.run.execution",
    "plafond.run.spare.experiment",
    "plafond.run.spare.table",
    "plafond.report.terminal",
    "plafond.report.write",
    "matplotlib.figure",  # after the report, which sets the folder of its cache
):
    import_module(late)


def run_forked(
    *arguments: str | Path,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `plafond ARGUMENTS` to its end, with empty input."""
    return Forked(*arguments, environment=environment, folder=folder).wait()


class Forked:
    """A process that runs `plafond ARGUMENTS` with empty input."""

    def __init__(
        self,
        *arguments: str | Path,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start the process."""
        self._words = ["plafond", *map(str, arguments)]
        self._out, self._err = TemporaryFile(), TemporaryFile()  # noqa: SIM115  wait() closes them
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _take_the_place(
                    self._out, self._err, dict(os.environ if environment is None else environment)
                )
                os.chdir(folder or ".")
                sys.argv = self._words
                main()
            except BaseException as end:
                _end_as(end)
            os._exit(0)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        os.kill(self.pid, number)

    def wait(self) -> subprocess.CompletedProcess[str]:
        """Wait for the end of the process. Return its exit code and its output."""
        code = _wait(self.pid)
        with self._out, self._err:
            return subprocess.CompletedProcess(
                self._words, code, _text(self._out), _text(self._err)
            )


def _take_the_place(out: IO[bytes], err: IO[bytes], environment: Mapping[str, str]) -> None:
    """Set up streams and signal handlers as in a new process, because pytest has changed them."""
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), out.fileno(), err.fileno())):
        os.dup2(file, number)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_as(end: BaseException) -> NoReturn:
    """End with the code of sys.exit(), without the exit handlers of the tests' process."""
    if isinstance(end, SystemExit) and isinstance(end.code, int | None):
        code = end.code or 0
    else:
        traceback.print_exception(end)
        code = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _wait(child: int) -> int:
    """Return the exit code. A negative number is the signal that ended the process."""
    watched = os.pidfd_open(child)
    try:
        is_over, _, _ = select.select([watched], [], [], HUNG_S)
        if not is_over:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(watched)
        _, status = os.waitpid(child, 0)
    assert is_over, f"it had not ended after {HUNG_S} s"
    return os.waitstatus_to_exitcode(status)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
