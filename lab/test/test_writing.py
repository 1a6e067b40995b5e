# SPDX-License-Identifier: MIT
"""Files are written as a whole or not at all, and a failure names the file."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from forked import run_forked

from plafond.describe.draw import loads_study
from plafond.errors import ArgumentError, PlafondError
from plafond.run.options import folder_for_report
from plafond.studies.checkpoint import Checkpoint
from plafond.writing import write_whole

EXAMPLES = Path(__file__).parents[2] / "examples"
STUDY = """cpus = 2
scheduler = "edf"
[draw]
sets = 1
utilisation = [1, 1.5, 0.5]
task_utilisation = "uniform 0.1 0.4"
interval = "uniform 3ms 33ms"
compare = ["partitioned", "global"]
deadlines = "hard"
"""
FULL = 4096  # bytes


@contextmanager
def full_disk(size: int = FULL) -> Iterator[None]:
    """Let the system refuse all bytes of a file behind the first `size`, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if not file.is_dir())


@pytest.mark.parametrize("size", [FULL + 1, 3 * FULL])
def test_a_file_that_does_not_fit_is_named_and_is_not_there(size: int, tmp_path: Path) -> None:
    file = tmp_path / "some.json"

    with full_disk(), pytest.raises(OSError, match="File too large") as caught:
        write_whole(file, "x" * size)
    assert caught.value.filename == str(file)
    assert names(tmp_path) == []


def test_a_file_that_fits_exactly_is_written(tmp_path: Path) -> None:
    file = tmp_path / "some.json"

    with full_disk():
        write_whole(file, "x" * FULL)
    assert file.stat().st_size == FULL
    assert names(tmp_path) == ["some.json"]


def test_the_old_file_remains_if_the_new_file_does_not_fit(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text("old")

    with full_disk(), pytest.raises(OSError, match="File too large"):
        write_whole(file, b"x" * (FULL + 1))
    write_whole(tmp_path / "another.json", "another")
    assert file.read_text() == "old"


def test_a_name_may_have_the_greatest_length(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)
    write_whole(file, "é")
    assert file.read_bytes() == "é".encode()


def test_an_old_file_keeps_its_rights_and_a_link_remains_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "some.json", tmp_path / "link"
    file.touch()
    file.chmod(0o640)
    link.symlink_to(file)

    write_whole(link, "new")

    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_device_is_written_in_place(tmp_path: Path) -> None:
    link = tmp_path / "device"
    link.symlink_to("/dev/full")

    with pytest.raises(OSError, match="No space left on device") as caught:
        write_whole(link, "x")
    assert caught.value.filename == str(link)
    assert names(tmp_path) == ["device"]


def test_the_file_of_standard_error_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "error"
    with file.open("w") as opened, monkeypatch.context() as patch:
        stream = os.stat(opened.fileno())
        patch.setattr(os, "fstat", lambda _: stream)
        write_whole(file, "first")
        opened.write("second")
    assert file.read_text() == "second"


@pytest.mark.parametrize(
    ("words", "code", "file"),
    [
        (["analyse", EXAMPLES / "kerstan-2010-boards.toml", "--slots", "--plot"], 2, "x.svg"),
        (["bench", "schedulability", "study.toml", "--jobs", "1", "--plot"], 2, "x.svg"),
        (["build", EXAMPLES / "inversion.toml", "--board", "sim", "--out"], 2, "image"),
    ],
)
def test_a_full_disk_names_the_file_and_leaves_no_half_file(
    words: list[str | Path], code: int, file: str, tmp_path: Path
) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    out = tmp_path / "out"
    out.mkdir()

    with full_disk():
        result = run_forked(*words, out / file, folder=tmp_path)

    error = result.stderr.splitlines()[-1]
    assert (result.returncode, "Traceback" in result.stderr) == (code, False)
    assert f"{out / file}" in error
    assert error.endswith(": File too large")
    assert all((path.stat().st_size < FULL) for path in out.rglob("*") if path.is_file())
    assert not any(name.startswith(".") for name in names(out))


def test_a_full_disk_leaves_no_empty_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "points"
    study = loads_study(STUDY)

    with full_disk(10), pytest.raises(PlafondError, match=f"{file}: File too large; expected a"):
        Checkpoint(file, study)
    assert names(tmp_path) == []


@pytest.mark.parametrize("words", [["run", "--on", "sim"], ["build", "--board", "sim"]])
@pytest.mark.parametrize("out", ["/proc/report", "/dev/null/report"])
def test_a_folder_that_cannot_be_written_is_a_wrong_argument(words: list[str], out: str) -> None:
    result = run_forked(*words, EXAMPLES / "inversion.toml", "--out", out)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"plafond: --out: cannot write to {out}: ")
    assert result.stderr.count("\n") == 1


def test_a_folder_that_takes_no_file_is_a_wrong_argument() -> None:
    """The folder exists, but not even root can make a file in it."""
    with (
        pytest.raises(ArgumentError, match="--out: cannot write to /proc/self/task: "),
        folder_for_report(Path("/proc/self/task")),
    ):
        raise AssertionError("it ran")
