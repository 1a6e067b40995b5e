# SPDX-License-Identifier: MIT
"""Usages that are wrong in a way that newcomers meet: a message names the right usage."""

import json
from pathlib import Path

import pytest
from forked import run_forked

from plafond.describe import loads
from plafond.describe.draw import loads_study
from plafond.describe.problems import DescriptionError

EXAMPLES = Path(__file__).parents[2] / "examples"
STUDY = EXAMPLES / "studies/bastoni-2010-figure-5.toml"
SYSTEM = EXAMPLES / "inversion.toml"
IS_STUDY = (
    f"{STUDY}:8: draw: found a table of task sets to draw; "
    "expected tables [task.NAME]: this is a study, for bench schedulability\n"
)
IS_SYSTEM = "expected a table [draw]: this is a description, for check, analyse, run and build\n"


@pytest.mark.parametrize(
    "words",
    [
        ["check", STUDY],
        ["analyse", STUDY],
        ["run", STUDY, "--on", "sim"],
        ["build", STUDY, "--board", "sim"],
        ["doctor", STUDY],
        ["preload", "--ceilings", STUDY, "--", "true"],
    ],
)
def test_a_study_is_for_another_command(words: list[str]) -> None:
    result = run_forked(*words)

    assert (result.returncode, result.stdout, result.stderr) == (1, "", IS_STUDY)


def test_the_report_of_check_says_that_too() -> None:
    result = run_forked("check", STUDY, "--format", "json")

    assert result.returncode == 1
    assert "this is a study" in json.loads(result.stdout)["problems"][0]["expected"]


@pytest.mark.parametrize("name", ["inversion.toml", "rt-app-inversion.json", "osek-console.oil"])
def test_a_description_of_any_form_is_no_study(name: str) -> None:
    result = run_forked("bench", "schedulability", EXAMPLES / name)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.endswith(IS_SYSTEM)
    assert result.stderr.count("\n") == 1


def test_a_file_of_both_kinds_is_neither() -> None:
    """Such a file has the mistakes of its fields, and no command takes it."""
    text = STUDY.read_text() + SYSTEM.read_text().replace("seed", "# seed", 1)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("name"))
    for read in (loads, loads_study):
        with pytest.raises(DescriptionError, match="unknown key"):
            read(text)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "-"],
        ["analyse", "-"],
        ["run", "-", "--on", "sim"],
        ["build", "-", "--board", "sim"],
        ["bench", "schedulability", "-"],
    ],
)
def test_standard_input_is_refused_with_the_reason(words: list[str], tmp_path: Path) -> None:
    result = run_forked(*words, folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "plafond: found - for standard input; expected the name of a file, because its suffix "
        "gives the form and its folder the included files\n"
    )


def test_a_file_may_have_that_name(tmp_path: Path) -> None:
    (tmp_path / "-").write_text(SYSTEM.read_text())

    assert run_forked("check", "-", folder=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["help"], "Usage: plafond [OPTIONS] COMMAND [ARGS]..."),
        (["help", "help"], "Usage: plafond [OPTIONS] COMMAND [ARGS]..."),
        (["help", "check"], "Usage: plafond check [OPTIONS] {FILE}"),
        (["help", "bench", "locks"], "Usage: plafond bench locks [OPTIONS]"),
    ],
)
def test_help_is_a_verb(words: list[str], first: str) -> None:
    result = run_forked(*words)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == first


@pytest.mark.parametrize("words", [["chek"], ["help", "chek"]])
def test_a_misspelt_verb_is_suggested(words: list[str]) -> None:
    result = run_forked(*words)

    assert (result.returncode, result.stdout) == (2, "")
    assert "No such command 'chek'. Did you mean 'check'?" in result.stderr
