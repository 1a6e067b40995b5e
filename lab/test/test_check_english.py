# SPDX-License-Identifier: MIT
"""The checker of the English in changed lines."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ci_script import loaded

GOOD = "The kernel wakes the task, because the event is set.\n"
LONG = " ".join(["word"] * 26) + ".\n"

Check = Callable[..., int]


def git(tree: Path, *words: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *author, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return the checker of a tree whose old lines have faults. Call it after files have
    changed."""
    module: Any = loaded("check-english")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["check-english"])
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/check-english").write_text("")
    (tmp_path / "old.md").write_text(f"What is old.\n\n{LONG}")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Let the old subject be")

    def of(files: dict[str, str], subject: str = "") -> int:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        git(tmp_path, "add", ".")
        if subject:
            git(tmp_path, "commit", "-qm", subject)
        return int(module.main())

    return of


def test_old_lines_may_have_faults(check: Check) -> None:
    assert check({"new.md": GOOD, "old.md": f"What is old.\n\n{LONG}\n{GOOD}"}) == 0


def test_texts_of_programs_are_no_prose(check: Check) -> None:
    assert check({"new.py": f'A = """\n    {LONG}    """\nB = {"c + " * 30}1\n'}) == 0


@pytest.mark.parametrize(
    ("files", "place", "fault"),
    [
        ({"new.md": f"{GOOD}\nThis is what we do.\n"}, "new.md:3: This is", "what"),
        ({"new.md": f"{GOOD}{LONG}"}, "new.md:2: word", "25 words"),
        ({"new.md": f"Call. {'a' * 90} then.\n"}, "new.md:1: ", "100 characters"),
        ({"new.c": "int x; /* the one of the caller */\n"}, "new.c:1: /*", "one"),
        ({"new.h": "int x;\n/*\n * Good.\n * Those are bad.\n */\n"}, "new.h:4: *", "those"),
        ({"new.h.j2": "#define A 1 /* the one of the caller */\n"}, "new.h.j2:1: /*", "one"),
        ({"new.h": "// Where it waits\n// for the lock.\n"}, "new.h:1: //", "where"),
        ({"new.py": '"""Return what it says."""\n'}, 'new.py:1: """', "what"),
        ({"new.py": "x = 1  # the one\n"}, "new.py:1: #", "one"),
        ({".ci/new": "#!/bin/sh\n# This is what runs.\n"}, ".ci/new:1: #!", "what"),
        ({"old.md": "What is new.\n"}, "old.md:1: What", "what"),
    ],
)
def test_a_fault_in_a_changed_line_is_named(
    check: Check, capsys: pytest.CaptureFixture[str], files: dict[str, str], place: str, fault: str
) -> None:
    assert check(files) == 1
    out = capsys.readouterr().out
    assert out.startswith(place)
    assert re.search(rf"^    found .*\b{fault};", out, re.MULTILINE)


def test_code_strings_and_generated_blocks_are_no_prose(check: Check) -> None:
    block = "<!-- costs: all -->\nwhat one those where\n<!-- end -->\n"
    code = "```\nwhat one those\n```\n"
    table = f"| a | `what` | {'wide ' * 25} |\n".replace("wide " * 25, "`wide" + " x" * 90 + "`")
    program = 'what = "those"\nint one(void);\n'
    files = {"new.md": f"{GOOD}\n{block}\n{code}\n{table}", "new.c": program, "new.py": "one = 2\n"}
    assert check(files) == 0


def test_a_long_text_may_have_a_few(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD * 100  # a thousand words
    assert check({"new.md": f"{text}This is what counts.\n"}) == 0
    assert check({"new.md": text + "This is what counts.\n" * 3}) == 1
    assert capsys.readouterr().out.count("found what") == 3


@pytest.mark.parametrize(
    "subject", ["Let it be", "Fix", "Fix a; Add b", "Fixed a test", f"Fix {'a' * 69}"]
)
def test_a_subject_is_refused(
    check: Check, capsys: pytest.CaptureFixture[str], subject: str
) -> None:
    assert check({"new.md": GOOD}, subject) == 1
    assert capsys.readouterr().out.startswith(subject)


@pytest.mark.parametrize("subject", ["Fix a test", "Speed up the board", f"Add {'a' * 68}"])
def test_a_subject_is_taken(check: Check, subject: str) -> None:
    assert check({"new.md": GOOD}, subject) == 0


def test_an_unknown_commit_is_an_error(
    check: Check, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["check-english", "--since", "nonsense"])
    with pytest.raises(SystemExit) as ended:
        check({})
    assert ended.value.code == 2
    assert "found nonsense; expected a commit" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["check-english", "--since", "HEAD"])
    assert check({"new.md": "What is new.\n"}) == 1
