# SPDX-License-Identifier: MIT
"""run_program(): whenever a signal comes, no process and no thread is left behind.

own_folder(): a place to write to, even beside another user's build tree.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S

from plafond.errors import PlafondError
from plafond.programs import own_folder, run_program

UNWRITABLE = "/dev/null/nowhere"  # for root, too
ORDINARY_USER = 65534
SIGNALS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture(autouse=True)
def _as_the_command_line(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Handle signals as plafond.cli does."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Yield the list of started processes. End them if the test fails."""
    processes: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(real(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def after(function: Callable[..., Any], number: signal.Signals) -> Callable[..., Any]:
    """Return the function with a signal that comes at its end."""

    def wrapper(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        signal.raise_signal(number)
        return result

    return wrapper


def sleep(on_line: Callable[[str], None] = lambda _: None) -> str:
    return run_program(["/bin/sh", "-c", f"echo asleep >&2; exec sleep {HUNG_S}"], on_line, HUNG_S)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (subprocess, "Popen"),
        (threading, "Timer"),
        (threading.Timer, "start"),
        (threading.Timer, "cancel"),
    ],
)
def test_whenever_a_signal_comes_nothing_is_left(
    number: signal.Signals,
    owner: Any,
    name: str,
    started: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, name, after(getattr(owner, name), number))
    handlers = [signal.getsignal(number) for number in SIGNALS]
    threads = threading.active_count()

    with pytest.raises((KeyboardInterrupt, SystemExit)) as ended:
        sleep(lambda _: signal.raise_signal(number))

    assert ended.type is (KeyboardInterrupt if number == signal.SIGINT else SystemExit)
    assert [process.returncode for process in started] == [-number]
    assert threading.active_count() == threads
    assert [signal.getsignal(number) for number in SIGNALS] == handlers


def test_a_signal_that_does_not_end_the_wait_by_itself_does(
    started: list[subprocess.Popen[bytes]],
) -> None:
    """A signal to another thread is like a signal just before the wait."""
    elsewhere = threading.Timer(
        0.3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    )
    elsewhere.start()

    with pytest.raises(SystemExit):
        sleep()

    assert [process.returncode for process in started] == [-signal.SIGTERM]


@pytest.mark.parametrize(
    ("written", "lines"),
    [("one\\ntwo", ["one", "two"]), ("one\\n\\n", ["one", ""]), ("", []), ("\\377", ["\ufffd"])],
)
def test_each_line_of_standard_error_is_passed_on(written: str, lines: list[str]) -> None:
    reported: list[str] = []
    run_program(["/bin/sh", "-c", f"printf '{written}' >&2"], reported.append, HUNG_S)

    assert reported == lines


@pytest.mark.parametrize("written", ["one\\ntwo", "two\\n\\n", "two\\n \\n", "two\\n  "])
def test_the_last_words_of_a_program_that_fails_are_those_that_say_something(written: str) -> None:
    with pytest.raises(PlafondError, match=r"two$"):
        run_program(["/bin/sh", "-c", f"printf '{written}' >&2; exit 1"], lambda _: None, HUNG_S)


def test_a_signal_that_ends_nothing_is_reported_and_the_program_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: reported.append(number))
    monkeypatch.setattr(subprocess, "Popen", after(subprocess.Popen, signal.SIGTERM))

    assert run_program(["/bin/echo", "done"], lambda _: None, HUNG_S) == "done\n"
    assert reported == [signal.SIGTERM]


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    run_program(["/bin/true"], lambda _: signal.raise_signal(signal.SIGTERM), HUNG_S)

    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_it_runs_beside_the_main_thread_too() -> None:
    said: list[str] = []
    command = ["/bin/echo", "done"]
    thread = threading.Thread(
        target=lambda: said.append(run_program(command, lambda _: None, HUNG_S))
    )
    thread.start()
    thread.join()

    assert said == ["done\n"]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with places for a build tree and a home, and with a temporary folder."""
    for variable, name in (("PLAFOND_BUILD", "build"), ("HOME", "home"), ("TMPDIR", "tmp")):
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path


def test_what_a_command_keeps_is_in_the_build_tree(places: Path) -> None:
    assert own_folder("kernel") == places / "build/kernel"


def test_or_in_the_cache_where_the_tree_is_anothers(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAFOND_BUILD", UNWRITABLE)

    assert own_folder("kernel") == places / "home/.cache/plafond/kernel"


def test_or_in_a_temporary_folder_of_the_user_where_there_is_no_home(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAFOND_BUILD", UNWRITABLE)
    monkeypatch.setenv("HOME", UNWRITABLE)

    assert own_folder("kernel") == places / f"tmp/plafond-{os.getuid()}/kernel"
    assert (places / f"tmp/plafond-{os.getuid()}").stat().st_mode & 0o777 == 0o700


def be_ordinary() -> None:
    if os.getuid() == 0:
        os.setuid(ORDINARY_USER)


# sudo may keep the caller's HOME in this way.
def test_or_there_where_the_home_may_not_be_entered(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (places / "closed").mkdir(mode=0)
    monkeypatch.setenv("PLAFOND_BUILD", UNWRITABLE)
    monkeypatch.setenv("HOME", str(places / "closed/home"))
    with tempfile.TemporaryDirectory(dir="/tmp") as anyones:
        Path(anyones).chmod(0o777)
        monkeypatch.setattr(tempfile, "tempdir", anyones)
        with multiprocessing.get_context("fork").Pool(1, be_ordinary) as ordinary:
            found = ordinary.apply(own_folder, ("kernel",))

    assert found == Path(anyones) / f"plafond-{os.getuid() or ORDINARY_USER}/kernel"


def test_a_temporary_folder_that_another_made_is_refused(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAFOND_BUILD", UNWRITABLE)
    monkeypatch.setenv("HOME", UNWRITABLE)
    (places / "elsewhere").mkdir()
    (places / f"tmp/plafond-{os.getuid()}").symlink_to(places / "elsewhere")

    with pytest.raises(PlafondError, match="belongs to another user: set TMPDIR"):
        own_folder("kernel")
