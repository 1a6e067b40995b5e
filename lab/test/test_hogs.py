# SPDX-License-Identifier: MIT
"""The threads of other programs that a run sees, while they come and go."""

import os
from collections.abc import Iterator
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

import pytest

from plafond.run import hogs
from plafond.run.hogs import Witness

scandir = os.scandir


def test_a_process_that_ends_meanwhile_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a process was listed, but is gone when it is read."""
    looked_into = []

    def without_this_process(path: Any = ".") -> Iterator[os.DirEntry[str]]:
        if str(path) == f"/proc/{os.getpid()}/task":
            looked_into.append(path)
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", without_this_process)
    witness = Witness()
    assert looked_into
    assert witness.hogs(()) == []


class Machine:
    """Threads that a test makes. `now_s` is the time of the witness."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Replace the clock and the folder /proc."""
        self.now_s = 0.0
        self.stats: dict[str, str] = {}
        monkeypatch.setattr(hogs, "monotonic", lambda: self.now_s)
        monkeypatch.setattr(hogs, "glob", SimpleNamespace(iglob=lambda _: list(self.stats)))
        monkeypatch.setattr(hogs, "Path", self.file)

    def file(self, name: str) -> Any:
        """Return a file of /proc."""
        return SimpleNamespace(
            parts=PurePath(name).parts, read_text=lambda errors: self.stats[name]
        )

    def thread(
        self,
        process: int,
        number: int,
        *times_s: float,
        name: str = "hog",
        cpu: int = 0,
        policy: int = 0,
        priority: int = 0,
        start: int = 5,
    ) -> None:
        """Set a thread. `times_s`: its user time and its system time."""
        fields = ["0"] * 52
        for place, time_s in zip((14, 15), times_s, strict=True):
            fields[place - 1] = str(round(time_s * os.sysconf("SC_CLK_TCK")))
        for place, value in ((22, start), (39, cpu), (40, priority), (41, policy)):
            fields[place - 1] = str(value)
        file = f"/proc/{process}/task/{number}/stat"
        self.stats[file] = f"{number} ({name}) R {' '.join(fields[3:])}"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_on_each_cpu_the_foreign_thread_with_the_most_time_is_named(machine: Machine) -> None:
    """User and system time since the witness was made count. The times before do not count."""
    machine.thread(10, 11, 100, 100)
    machine.thread(10, 12, 3, 4, name="a (b) c")
    machine.thread(20, 20, 0, 0, cpu=1)
    witness = Witness()
    machine.now_s = 10
    machine.thread(10, 11, 102.5, 100)
    machine.thread(10, 12, 5, 5, name="a (b) c")
    machine.thread(20, 20, 1, 0, cpu=1)
    machine.thread(21, 22, 0, 9, cpu=1, policy=1, priority=50)
    machine.thread(30, 30, 9, 9, name="plafond-run")
    machine.thread(os.getpid(), 31, 9, 9)
    machine.thread(40, 40, 9, 9, cpu=2)
    assert witness.hogs({1, 0}) == [
        "a (b) c (process 10, thread 12, SCHED_OTHER) had CPU 0 for 3s of 10s: end it, or keep it "
        "off that CPU",
        "hog (process 21, thread 22, SCHED_FIFO 50) had CPU 1 for 9s of 10s: end it, or keep it "
        "off that CPU",
    ]


def test_a_twentieth_of_the_time_is_named_and_less_is_not(machine: Machine) -> None:
    witness = Witness()
    machine.now_s = 16
    machine.thread(1, 1, 0.8, 0)
    assert len(witness.hogs({0})) == 1
    machine.thread(1, 1, 0.79, 0)
    assert witness.hogs({0}) == []


def test_a_new_thread_with_an_old_number_has_all_of_its_time(machine: Machine) -> None:
    machine.thread(1, 1, 4, 0, start=5)
    witness = Witness()
    machine.now_s = 10
    machine.thread(1, 1, 4, 0, start=6)
    assert "for 4s of 10s" in witness.hogs({0})[0]
