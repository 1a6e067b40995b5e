# SPDX-License-Identifier: MIT
"""The files of the report."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_fakes import damaged, pathfinder

from plafond.errors import PlafondError, RefusedError
from plafond.report.drawing import themed
from plafond.report.write import write_report
from plafond.run.model import RunReport


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_all_files_are_written_and_the_page_is_returned(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    page = write_report(pathfinder(), folder)
    traces = [
        f"{protocol}{kind}"
        for protocol in pathfinder().traces
        for kind in (".perfetto-trace", ".trace.json")
    ]

    assert page == folder / "report.html"
    assert names(folder) == sorted(["report.html", "report.json", "gantt.svg", *traces])


def test_the_data_is_the_report(tmp_path: Path) -> None:
    write_report(damaged(), tmp_path)
    read = RunReport.model_validate_json((tmp_path / "report.json").read_bytes())

    assert read == damaged().report


def test_the_page_holds_the_picture(tmp_path: Path) -> None:
    page = write_report(damaged(), tmp_path).read_text()

    assert themed((tmp_path / "gantt.svg").read_text()) in page


def test_equal_runs_give_equal_files(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        write_report(damaged(), tmp_path / folder)

    for name in names(tmp_path / "first"):
        first, second = (tmp_path / folder / name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_an_old_report_is_replaced_with_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("old")
    page = write_report(damaged(), tmp_path)
    usual = tmp_path / "usual"
    usual.touch()

    assert page.read_text() != "old"
    assert page.stat().st_mode == usual.stat().st_mode


def test_where_no_folder_can_be_the_error_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(PlafondError, match=r"the report cannot be written to .*file"):
        write_report(damaged(), tmp_path / "file")


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)

    with pytest.raises(RefusedError, match=f"to {tmp_path}/report.json: No space left on device"):
        write_report(damaged(), tmp_path)
    assert names(tmp_path) == []


def test_matplotlib_and_perfetto_are_loaded_only_to_draw() -> None:
    modules = "plafond.report.write, plafond.report.terminal"
    check = f"import sys, {modules}; print({{'matplotlib', 'perfetto'}} & set(sys.modules))"
    output = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True
    )

    assert output.stdout.strip() == "set()"
