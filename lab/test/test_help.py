# SPDX-License-Identifier: MIT
"""The help of each command, which `./plafond` prints from docs/results before it is set up."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from ci_script import loaded

from plafond.cli import app, main

ROOT = Path(__file__).resolve().parents[2]
Shown = Callable[..., str]
TEXTS = sorted((ROOT / "docs/results").glob("help*.txt"))


def command_of(text: Path) -> str:
    """Return the words on the first line, without the mark of a shell."""
    return text.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("$ ./plafond ")


def of_group(group: Any, *words: str) -> list[str]:
    """Return the names of the texts of a group and of its commands."""
    inner = getattr(group, "commands", {})
    below = [name for word, command in inner.items() for name in of_group(command, *words, word)]
    return ["-".join(["help", *words]), *below]


def test_each_command_has_a_text() -> None:
    commands = of_group(typer.main.get_command(app))
    assert sorted(commands) == sorted(text.stem for text in TEXTS)
    assert set(commands) == {name for name in loaded("results").COMMANDS if name.startswith("help")}


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Return a function that gives the output of `plafond` for words that ask for help."""

    def of(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["plafond", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        return capsys.readouterr().out

    return of


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.stem)
def test_a_text_is_what_the_command_prints(text: Path, shown: Shown, tmp_path: Path) -> None:
    words = command_of(text).split()
    first, printed = text.read_text(encoding="utf-8").split("\n", 1)
    assert first == " ".join(["$ ./plafond", *words])
    assert printed.rstrip("\n") == shown(*words).rstrip("\n")
    assert not_set_up(tmp_path, *words) == (0, printed)


def not_set_up(tmp_path: Path, *words: str) -> tuple[int, str]:
    """Return exit code and output of `./plafond` with an empty build folder, which must stay
    empty."""
    build = tmp_path / "build"
    done = subprocess.run(
        [ROOT / "plafond", *words],
        env=os.environ | {"PLAFOND_BUILD": str(build)},
        capture_output=True,
        text=True,
    )
    assert not build.exists()
    return done.returncode, done.stdout


def test_without_words_it_is_a_wrong_usage(tmp_path: Path) -> None:
    code, text = not_set_up(tmp_path)
    assert code == 2
    assert text == not_set_up(tmp_path, "--help")[1] == not_set_up(tmp_path, "help")[1]
    assert not_set_up(tmp_path, "help", "check") == not_set_up(tmp_path, "check", "--help")


def test_the_word_help_asks_for_help(shown: Shown) -> None:
    assert shown("help", "bench", "locks") == shown("bench", "locks", "--help")


def test_the_demo_sets_up_what_it_runs() -> None:
    script = (ROOT / ".ci/demo").read_text(encoding="utf-8")
    commands = [line.split() for line in script.splitlines() if line.startswith("./plafond ")]
    assert [words[1] for words in commands] == ["run", "bench"]
    assert not any(words[-2] == "--help" for words in commands)  # before `>/dev/null`
