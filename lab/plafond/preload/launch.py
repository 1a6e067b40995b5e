# SPDX-License-Identifier: MIT
"""Start a program as if it were run without us: become the program, or wait beside it.

A program beside us has our terminal, files and process group. It gets signals of the terminal
directly, and we pass on other signals. If we are killed, the program is killed, too.
"""

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from plafond.errors import PlafondError
from plafond.real_time import bounded_real_time, ordinary

PASSED_ON = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGTERM,
)
# Python ignores these from its start on.
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
FROM_THE_KERNEL = 0x80  # SI_KERNEL
PR_SET_PDEATHSIG = 1
# How long the program may run in real time without a sleep. A lower limit that it was given stays.
# It may raise the limit, because only the soft limit is set.
LONGEST_RUN_S = 30.0

Environment = Mapping[str, str]


class NotFoundError(PlafondError):
    """There is no such program. The exit code is that of a shell."""

    exit_code = 127


class NotExecutableError(PlafondError):
    """The program cannot be run. The exit code is that of a shell."""

    exit_code = 126


def become(command: list[str], environment: Environment) -> NoReturn:
    """Replace this process by the program."""
    sys.stdout.flush()
    sys.stderr.flush()
    _give_signals_back()
    with bounded_real_time(LONGEST_RUN_S), _reported_as_a_shell_does(command[0]):
        os.execvpe(command[0], command, environment)
    raise AssertionError("unreachable")


def run_beside(command: list[str], environment: Environment) -> int:
    """Run the program, and return its exit code, or the negative number of its signal."""
    watched = {*PASSED_ON, signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    # A process that ignores SIGCHLD never sees a child end, and we may have inherited that.
    of_children = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        with bounded_real_time(LONGEST_RUN_S), _reported_as_a_shell_does(command[0]):
            process = subprocess.Popen(
                command,
                env=environment,
                close_fds=False,  # files that we were given are for the program
                preexec_fn=_in_the_program(before, of_children),
            )
        with ordinary():
            return _wait(process, watched)
    finally:
        signal.signal(signal.SIGCHLD, of_children)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_the_program(mask: set[int], of_children: Any) -> Callable[[], None]:
    """Return the function that the new process calls before it becomes the program."""
    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        _give_signals_back()
        signal.signal(signal.SIGCHLD, of_children)
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    return prepare


def _wait(process: subprocess.Popen[bytes], watched: set[signal.Signals]) -> int:
    # sigwaitinfo() returns the smallest number first. So a signal that the terminal sent to both of
    # us comes before SIGCHLD, which it caused.
    while process.poll() is None:
        came = signal.sigwaitinfo(watched)
        if came.si_signo != signal.SIGCHLD and came.si_code != FROM_THE_KERNEL:
            process.send_signal(came.si_signo)
    return process.returncode


def _give_signals_back() -> None:
    """Undo the signal handlers of Python and of the command line, for the program."""
    for number in (*PASSED_ON, *IGNORED_BY_PYTHON):
        if callable(signal.getsignal(number)) or number in IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _reported_as_a_shell_does(program: str) -> Iterator[None]:
    if not program:
        raise NotFoundError(f"'': {os.strerror(errno.ENOENT)}")
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        missing = f"{program}: its interpreter" if shutil.which(program) else program
        raise NotFoundError(f"{missing}: {error.strerror}") from None
    except OSError as error:
        raise NotExecutableError(f"{program}: {error.strerror}") from None


def exit_code_of(ended: int) -> int:
    """Return the exit code that a shell reports."""
    return ended if ended >= 0 else 128 - ended


def signal_of(ended: int) -> str:
    """Return the name of the signal that ended the program; real-time signals have none."""
    try:
        return signal.Signals(-ended).name
    except ValueError:
        return f"signal {-ended}"
