# SPDX-License-Identifier: MIT
"""Progress without a terminal: a line now and then, and none for short work."""

import errno
import io
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from patience import until
from rich.progress import TimeElapsedColumn

from plafond import progress

QUICKLY_S = 0.01


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Print lines and look at the clock all the time."""
    monkeypatch.setattr(progress, "LINE_S", QUICKLY_S)
    monkeypatch.setattr(progress, "STEP_S", QUICKLY_S)
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def lines_until(word: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    said = ""

    def has_come() -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return word in said

    until(has_come, word)
    return said.splitlines()


@pytest.mark.usefixtures("quick")
def test_steps_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_by_step("building", 4) as step:
        assert lines_until("building", capsys)[0] == "building: 0 %, 0 s"
        step("running [bold]x[/]", 3)
        assert "running [bold]x[/]: 75 %, " in lines_until("running", capsys)[-1]


@pytest.mark.usefixtures("quick")
def test_the_elapsed_part_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_of("under protect", 100_000_000_000):
        lines = lines_until("under protect", capsys)
    assert lines[0].startswith("under protect: ")
    assert lines[0].endswith(" s")


def test_short_works_one_after_the_other_have_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """None of these lasts as long as the time between two lines."""
    monkeypatch.setattr(progress, "LINE_S", 10 * QUICKLY_S)
    monkeypatch.setattr(progress, "STEP_S", QUICKLY_S)
    said = ""
    for number in range(1000):
        with progress.progress_by_step(f"work {number}", 1):
            time.sleep(3 * QUICKLY_S)
        said += capsys.readouterr().err
        if said.count("\n") == 2:
            break
    assert said.count("\n") == 2


@pytest.mark.usefixtures("quick")
def test_a_name_between_colons_or_brackets_stays_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress.shown() as bars:
        bars.add_task("eager.c:lock: [bold]", total=None)
        lines_until("eager.c:lock: [bold]: 0 s", capsys)


@pytest.mark.usefixtures("quick")
def test_two_works_at_once_have_a_line_each_until_they_are_finished(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress.shown(TimeElapsedColumn()) as bars:
        first, _ = bars.add_task("first", total=2), bars.add_task("second", total=None)
        lines_until("second: 0 s", capsys)
        bars.update(first, completed=2)
        capsys.readouterr()
        lines_until("second", capsys)
        capsys.readouterr()
        assert "first" not in "".join(lines_until("second", capsys))


def test_short_work_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_by_step("building", 1), progress.progress_of("running", 10**9):
        pass
    assert capsys.readouterr().err == ""


class Full(io.StringIO):
    """A standard error on a full disk."""

    writes = 0

    def write(self, text: str) -> int:
        """Fail."""
        Full.writes += 1
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.usefixtures("quick")
def test_a_full_disk_below_standard_error_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Full())
    with progress.progress_by_step("building", 1):
        until(lambda: Full.writes >= 2, "two lines")
