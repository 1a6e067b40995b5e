# SPDX-License-Identifier: MIT
"""Run a built program that holds real-time threads, and leave none of it behind."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plafond.errors import PlafondError, RefusedError
from plafond.real_time import bounded_real_time, ordinary
from plafond.signals import HeldSignals, held_signals

# That of run_program(), and that of the programs themselves.
WATCHDOG_SIGNALS = (signal.SIGKILL, signal.SIGALRM)
TOO_LONG = "because it took too long"
# Where the Debian package has its programs, beside its Python environment.
PACKAGED = Path("/usr/lib/plafond")
# How long a program that is asked to end may take to save what it has.
GRACE_SECONDS = 5.0
# Of a program without a limit, should it be one of real time: without a sleep.
LONGEST_REAL_TIME_S = 30.0


def build_folder() -> Path:
    """Return the build tree: $PLAFOND_BUILD, else `build` beside the lab."""
    default = Path(__file__).resolve().parents[2] / "build"
    return Path(os.environ.get("PLAFOND_BUILD", default))


def own_folder(name: str) -> Path:
    """Return a folder for what a command keeps: in the build tree, such as `kernel`.

    The build tree may be another user's: then in the cache of this one, and where there is no
    home to have one in, among the temporary files. It may not exist yet.
    """
    build = build_folder()
    if _may_make(build):
        return build / name
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if _may_make(cache):
        return cache / "plafond" / name
    return _temporary() / name


def _may_make(folder: Path) -> bool:
    """Whether this user may write into the folder, or make it."""
    # Not Path.exists(): in a folder that may not be entered, it raises.
    there = next(path for path in (folder, *folder.parents) if os.path.exists(path))
    return os.access(there, os.W_OK | os.X_OK)


def _temporary() -> Path:
    """One folder for each user, of that user's own."""
    folder = Path(tempfile.gettempdir()) / f"plafond-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PlafondError(f"{folder} belongs to another user: set TMPDIR, or PLAFOND_BUILD")
    return folder


def find_program(name: str) -> Path:
    """Return the path of a built program, such as `bench/locks`: in the build tree, or packaged."""
    path = build_folder() / name
    folders = [build_folder(), *([PACKAGED] if Path(sys.prefix).parent == PACKAGED else [])]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return folder / name
    # What measures needs more packages than the rest: only `bench` builds it.
    command = "./plafond bench" if name.startswith("bench/") else "./plafond"
    raise PlafondError(f"{path} is not built: run {command} in the repository, which builds it")


@dataclass(frozen=True)
class Ended:
    """How a program ended, and what it wrote."""

    code: int  # negative: the signal that ended it
    output: str
    last_line: str  # of standard error
    took_too_long: bool

    @property
    def signal(self) -> str:
        """The name of the signal."""
        return signal.Signals(-self.code).name


def run_program(
    command: Sequence[str | Path], on_stderr_line: Callable[[str], None], longest_seconds: float
) -> str:
    """Run `command` and return its standard output; its exit code 2 means "refused".

    It is ended as run_to_end() says.
    """
    ended = run_to_end(command, on_stderr_line, longest_seconds)
    _check(Path(command[0]).name, ended)
    return ended.output


def run_to_end(
    command: Sequence[str | Path],
    on_stderr_line: Callable[[str], None],
    longest_seconds: float,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run `command`, which gets no input, in `environment` (None: in this process's own).

    However this ends (Ctrl-C too), the program and its children have ended; interrupted,
    it is asked first, by the same signal. That they die when this process is killed outright is the
    program's own doing.
    """
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        ended = _run(
            command,
            on_stderr_line,
            longest_seconds,
            stdin=subprocess.DEVNULL,
            stdout=output,
            env=environment,
        )
        output.seek(0)
        return replace(ended, output=output.read())


def run_at_terminal(
    command: Sequence[str | Path],
    on_stderr_line: Callable[[str], None],
    longest_seconds: float | None,
) -> Ended:
    """Run `command` with our own input and output; None: as long as it wants.

    It ends as run_to_end() says. What it did to the terminal is undone.
    """
    with _terminal_given_back():
        return _run(command, on_stderr_line, longest_seconds)


def _run(
    command: Sequence[str | Path],
    on_stderr_line: Callable[[str], None],
    longest_seconds: float | None,
    **streams: Any,
) -> Ended:
    # From when there is a process until there is a handler that ends it, a signal has to wait.
    with held_signals() as signals:
        with bounded_real_time(longest_seconds or LONGEST_REAL_TIME_S):
            process = subprocess.Popen(
                command, start_new_session=True, stderr=subprocess.PIPE, **streams
            )
        watchdog = Watchdog(process, longest_seconds)
        try:
            watchdog.start()
            signals.let_through()
            last_line = _follow(process, signals, on_stderr_line)
            with ordinary():
                process.wait()
        except BaseException as error:
            _ask_to_end(process, isinstance(error, KeyboardInterrupt))
            raise
        finally:
            signals.held = True
            _kill_group(process)
            watchdog.end()
            with ordinary():
                process.wait()
        return Ended(process.returncode, "", last_line, watchdog.was_needed)


@contextlib.contextmanager
def _end_of(process: subprocess.Popen[bytes]) -> Iterator[int]:
    """Yield a file that can be read when the process has ended."""
    file = os.pidfd_open(process.pid)
    try:
        yield file
    finally:
        os.close(file)


@contextlib.contextmanager
def _terminal_given_back() -> Iterator[None]:
    """Leave standard input as it was: a program that is killed cannot do that itself."""
    try:
        blocks = os.get_blocking(0)
    except OSError:  # it is closed
        yield
        return
    modes = termios.tcgetattr(0) if os.isatty(0) else None
    try:
        yield
    finally:
        os.set_blocking(0, blocks)
        if modes:
            termios.tcsetattr(0, termios.TCSADRAIN, modes)


class Watchdog:
    """Ends a process that takes too long."""

    def __init__(self, process: subprocess.Popen[bytes], longest_seconds: float | None) -> None:
        """Not started yet; None: it may take for ever."""
        self.was_needed = False
        self._process = process
        self._timer = threading.Timer(longest_seconds or 0.0, self._bite)
        self._has_limit = longest_seconds is not None

    def start(self) -> None:
        """Wait from now on."""
        if self._has_limit:
            self._timer.start()

    def end(self) -> None:
        """It is not needed any more; returns when it has ended."""
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()

    def _bite(self) -> None:
        self.was_needed = True
        _kill_group(self._process)


def _follow(
    process: subprocess.Popen[bytes], signals: HeldSignals, on_line: Callable[[str], None]
) -> str:
    """Pass on each line of standard error and return the last one that is not empty.

    A child that was killed but gets no CPU to end on may hold the other end for ever.
    """
    assert process.stderr
    last, rest = b"", b""
    with _end_of(process) as end:
        while chunk := signals.read(process.stderr.fileno(), end):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                on_line(line.decode(errors="replace"))
                last = line if line.strip() else last
    if rest:
        on_line(rest.decode(errors="replace"))
    return (rest if rest.strip() else last).decode(errors="replace").strip()


def _ask_to_end(process: subprocess.Popen[bytes], by_keyboard: bool) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired), ordinary():
        process.send_signal(signal.SIGINT if by_keyboard else signal.SIGTERM)
        process.wait(GRACE_SECONDS)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # Until it is waited for, the leader's process id cannot become another's.
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _check(name: str, ended: Ended) -> None:
    if ended.code == RefusedError.exit_code:
        raise RefusedError(ended.last_line)
    if ended.code < 0:
        hint = f" {TOO_LONG}" if -ended.code in WATCHDOG_SIGNALS else ""
        raise PlafondError(f"{name} was ended by {ended.signal}{hint}")
    if ended.code != 0:
        raise PlafondError(f"{name} failed: {ended.last_line or f'exit code {ended.code}'}")
