# SPDX-License-Identifier: MIT
"""The suffix of --plot chooses the form of a picture, or is refused."""

from pathlib import Path

import pytest
from forked import run_forked

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
SLOTS = ["analyse", str(EXAMPLES / "kerstan-2010-boards.toml"), "--slots", "--plot"]
RATIOS = ["bench", "schedulability", "study.toml", "--jobs", "1", "--plot"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


@pytest.mark.parametrize("words", [SLOTS, pytest.param(RATIOS, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("name", "begin"),
    [("x.svg", b"<svg "), ("x", b"<svg "), ("x.pdf", b"%PDF-1."), ("two.svg.PDF", b"%PDF-1.")],
)
def test_the_suffix_chooses_the_form(
    words: list[str], name: str, begin: bytes, folder: Path
) -> None:
    result = run_forked(*words, name, folder=folder)

    assert result.returncode == 0
    assert (folder / name).read_bytes().startswith(begin)


def test_equal_reports_give_equal_documents(folder: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        run_forked(*SLOTS, name, folder=folder)
    assert (folder / "a.pdf").read_bytes() == (folder / "b.pdf").read_bytes()


@pytest.mark.parametrize("words", [SLOTS, RATIOS])
@pytest.mark.parametrize("name", ["x.png", "x.pdf.gz", "folder/x.txt"])
def test_another_suffix_is_refused_before_anything_is_measured(
    words: list[str], name: str, folder: Path
) -> None:
    result = run_forked(*words, name, folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"plafond: --plot: found {name}; expected a name that ends in .svg or .pdf\n"
    )
    assert [file.name for file in folder.iterdir()] == ["study.toml"]
