# SPDX-License-Identifier: MIT
"""Run built programs that may have real-time threads, and end all of their processes."""

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

# The signals of run_program()'s watchdog, and of the programs' own watchdogs.
WATCHDOG_SIGNALS = (signal.SIGKILL, signal.SIGALRM)
TOO_LONG = "because it took too long"
# The Debian package has its programs here, beside its Python environment.
PACKAGED = Path("/usr/lib/plafond")
# The time in which a program that is asked to end may save its data.
GRACE_SECONDS = 5.0
# The limit of real time without a sleep, for a program that has no other limit.
LONGEST_REAL_TIME_S = 30.0


def build_folder() -> Path:
    """Return the build tree: $PLAFOND_BUILD, else `build` beside the lab."""
    default = Path(__file__).resolve().parents[2] / "build"
    return Path(os.environ.get("PLAFOND_BUILD", default))


def own_folder(name: str) -> Path:
    """Return a folder for the files that a command keeps: in the build tree, such as `kernel`.

    If this user may not write to the build tree, the folder is in the user's cache. If there is no
    home for a cache, it is among the temporary files. The folder may not exist yet.
    """
    build = build_folder()
    if _may_make(build):
        return build / name
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if _may_make(cache):
        return cache / "plafond" / name
    return _temporary() / name


def _may_make(folder: Path) -> bool:
    """Return whether this user may write into the folder or create it."""
    # Not Path.exists(), because it raises in a folder that this user may not enter.
    there = next(path for path in (folder, *folder.parents) if os.path.exists(path))
    return os.access(there, os.W_OK | os.X_OK)


def _temporary() -> Path:
    """Return a temporary folder that belongs to this user."""
    folder = Path(tempfile.gettempdir()) / f"plafond-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PlafondError(f"{folder} belongs to another user: set TMPDIR, or PLAFOND_BUILD")
    return folder


def find_program(name: str) -> Path:
    """Return the path of a built program, such as `bench/locks`, in the build tree or package."""
    path = build_folder() / name
    folders = [build_folder(), *([PACKAGED] if Path(sys.prefix).parent == PACKAGED else [])]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return folder / name
    # Benches need more packages than other programs, so only `bench` builds them.
    command = "./plafond bench" if name.startswith("bench/") else "./plafond"
    raise PlafondError(f"{path} is not built: run {command} in the repository, which builds it")


@dataclass(frozen=True)
class Ended:
    """The ending and the output of a program."""

    code: int  # negative: the signal that ended it
    output: str
    last_line: str  # the last line of standard error
    took_too_long: bool

    @property
    def signal(self) -> str:
        """Return the name of the signal."""
        return signal.Signals(-self.code).name


def run_program(
    command: Sequence[str | Path], on_stderr_line: Callable[[str], None], longest_seconds: float
) -> str:
    """Run `command` and return its standard output; its exit code 2 means "refused".

    The program ends as in run_to_end().
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
    """Run `command` without input, in `environment`; None: the environment of this process.

    Whenever this function ends, even by Ctrl-C, the program and its children have ended. If this
    process is interrupted, the program first gets the same signal. If this process is killed, the
    program itself must see to its end.
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
    """Run `command` with our own input and output; `longest_seconds` None: without limit.

    The program ends as in run_to_end(). Its changes to the terminal are undone.
    """
    with _terminal_given_back():
        return _run(command, on_stderr_line, longest_seconds)


def _run(
    command: Sequence[str | Path],
    on_stderr_line: Callable[[str], None],
    longest_seconds: float | None,
    **streams: Any,
) -> Ended:
    # Hold signals until the handler is ready that ends the process.
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
    """Yield a file descriptor that becomes readable when the process has ended."""
    file = os.pidfd_open(process.pid)
    try:
        yield file
    finally:
        os.close(file)


@contextlib.contextmanager
def _terminal_given_back() -> Iterator[None]:
    """Restore the modes of standard input, because a killed program cannot do that."""
    try:
        blocks = os.get_blocking(0)
    except OSError:  # standard input is closed
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
        """Prepare the timer, but do not start it; None: no limit."""
        self.was_needed = False
        self._process = process
        self._timer = threading.Timer(longest_seconds or 0.0, self._bite)
        self._has_limit = longest_seconds is not None

    def start(self) -> None:
        """Start the timer."""
        if self._has_limit:
            self._timer.start()

    def end(self) -> None:
        """Stop the timer, and return after its thread has ended."""
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()

    def _bite(self) -> None:
        self.was_needed = True
        _kill_group(self._process)


def _follow(
    process: subprocess.Popen[bytes], signals: HeldSignals, on_line: Callable[[str], None]
) -> str:
    """Pass on each line of standard error; return the last line that is not empty.

    Also stop at the program's end, because a killed child without a CPU may keep the pipe open.
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
    # The leader's process id cannot be used again until the leader is waited for.
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
