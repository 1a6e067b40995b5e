# SPDX-License-Identifier: MIT
"""Two real-time runs on one CPU: the second is refused, until the first has ended."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from run_options import OPTIONS

from plafond.board.boards import BOARDS
from plafond.describe import loads
from plafond.errors import RefusedError
from plafond.run import alone, execution
from plafond.run.alone import alone_on, lock_file

HOLD = """
import sys
from pathlib import Path
from plafond.run import alone
alone.FOLDERS = (Path(sys.argv[1]),)
with alone.alone_on(map(int, sys.argv[2:])):
    print("held", flush=True)
    sys.stdin.read()
"""
TWO_CPUS = """
cpus = 3
[task.one]
priority = 10
cpu = 1
arrival = "periodic 10ms"
body = ["run 1ms"]
[task.two]
priority = 10
cpu = 2
arrival = "periodic 10ms"
body = ["run 1ms"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the locks of a test in a folder of its own."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setattr(alone, "FOLDERS", (shared,))
    return shared


@contextmanager
def another(folder: Path, *cpus: int) -> Iterator[subprocess.Popen[str]]:
    """Hold CPUs in another process."""
    command = [sys.executable, "-c", HOLD, str(folder), *map(str, cpus)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_run_on_the_cpu_is_refused_and_names_the_first(folder: Path) -> None:
    with another(folder, 0, 1) as first:
        with pytest.raises(RefusedError) as refused, alone_on([1]):
            pytest.fail("it was not refused")
        assert str(refused.value).startswith(
            f"CPU 1: found another real-time run, process {first.pid}: {sys.executable} -c"
        )
        assert "; expected none, because" in str(refused.value)
        with alone_on([2]):
            pass


def test_a_run_that_is_refused_holds_no_cpu(folder: Path) -> None:
    with another(folder, 1):
        with pytest.raises(RefusedError, match=r"^CPU 1: "), alone_on([2, 1, 0]):
            pytest.fail("it was not refused")
        with another(folder, 0, 2):
            pass


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_lock_ends_with_its_owner(folder: Path, how: signal.Signals) -> None:
    with another(folder, 0) as first:
        first.send_signal(how)
        first.wait()
        with alone_on([0]):
            pass


def test_the_lock_ends_with_the_run(folder: Path) -> None:
    for _ in range(2):
        with alone_on([0, 0, 1]):
            pass
    with pytest.raises(ValueError, match="failed"), alone_on([0]):
        raise ValueError("failed")
    with another(folder, 0, 1):
        pass


def test_a_file_of_another_user_can_be_locked(folder: Path) -> None:
    lock_file(3).touch(0o444)
    with alone_on([3]), pytest.raises(RefusedError, match=r"^CPU 3: "), alone_on([3]):
        pytest.fail("it was not refused")


def test_a_link_is_no_lock(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").touch()
    lock_file(0).symlink_to(tmp_path / "victim")
    with pytest.raises(RefusedError, match="expected a file to lock"), alone_on([0]):
        pytest.fail("it was not refused")


def test_only_a_folder_of_all_users_has_the_locks(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private"
    private.mkdir(0o755)
    monkeypatch.setattr(alone, "FOLDERS", (tmp_path / "missing", private, folder))
    assert lock_file(4) == folder / "plafond-run-cpu4"
    monkeypatch.setattr(alone, "FOLDERS", (private,))
    with pytest.raises(RefusedError, match="found no folder that all users may write to"):
        lock_file(4)


def test_a_run_with_threads_holds_the_cpus_of_its_tasks(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is cut off as soon as it holds its CPUs, before any thread."""

    class BegunError(Exception):
        pass

    def begun(*_: object) -> None:
        raise BegunError

    monkeypatch.setattr(execution, "known_overheads", begun)
    system = loads(TWO_CPUS)
    options = replace(OPTIONS, out=tmp_path)
    with another(folder, 0), pytest.raises(BegunError):
        execution.execute(system, options)
    with another(folder, 2), pytest.raises(RefusedError, match=r"^CPU 2: "):
        execution.execute(system, options)
    with another(folder, 1, 2), pytest.raises(BegunError):  # no thread of this machine
        execution.execute(system, replace(options, board=BOARDS["sim"]))
    assert sorted(os.listdir(folder)) == [f"plafond-run-cpu{cpu}" for cpu in range(3)]
