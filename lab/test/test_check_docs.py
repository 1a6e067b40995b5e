# SPDX-License-Identifier: MIT
"""The check of the prose: it finds the habits that guides and sources have left, and only those.
The check of sizes finds pages that are too large."""

from pathlib import Path
from typing import Any

import pytest
from ci_script import loaded


@pytest.fixture(scope="module")
def check_docs() -> Any:
    return loaded("check-docs")


@pytest.mark.parametrize(
    "word",
    ["somebody", "Nobody", "anyone", "Who", "whoever", "tells", "told", "what it leads to"],
)
def test_a_habit_is_found_with_its_line(check_docs: Any, word: str) -> None:
    [(line, found, advice)] = check_docs.habits(f"A guide.\n\nThere {word} sleeps.\n")
    assert (line, found) == (3, word)
    assert advice


@pytest.mark.parametrize(
    "text",
    [
        "/* A section, which nobody may enter. */",
        "# tell the kernel\n",
        'violate("a death was told twice");',
        "static int told_of_death;",
        "def test_who_waits() -> None:",
        "#define NOBODY 8",
    ],
)
def test_it_is_found_in_comments_messages_and_names(check_docs: Any, text: str) -> None:
    assert len(check_docs.habits(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A whole thread, whose ceiling is untellable.",
        "```c\n/* nobody */\n```",
        "<!-- bench-locks: all -->\nnobody\n<!-- end -->",
    ],
)
def test_other_words_code_and_results_are_left_alone(check_docs: Any, text: str) -> None:
    assert check_docs.habits(check_docs.prose(text)) == []


def test_a_line_after_code_keeps_its_number(check_docs: Any) -> None:
    assert check_docs.habits(check_docs.prose("```\n1\n2\n```\nnobody\n"))[0][0] == 5


def test_every_language_of_the_repository_is_read(check_docs: Any) -> None:
    read = {file.relative_to(check_docs.ROOT).as_posix() for file in check_docs.sources()}
    assert {
        "CMakeLists.txt",
        "plafond",
        ".ci/venv",
        "protocol/word.h",
        "linux/core/claims.c",
        "proof/design/model.pml",
        "proof/kernel/equivalent.toml",
        "lab/test/conftest.py",
    } <= read


def test_an_exempt_file_is_there_and_has_a_reason(check_docs: Any) -> None:
    for name, reason in check_docs.EXEMPT.items():
        assert (check_docs.ROOT / name).exists()
        assert check_docs.is_exempt(name)
        assert reason
    assert not check_docs.is_exempt("LICENSES/other")


def test_guides_and_sources_have_none(check_docs: Any) -> None:
    files = [*check_docs.PAGES, *check_docs.sources()]
    assert [problem for file in files for problem in check_docs.unplain(file)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 12 instructions.", ["12 instructions"]),
        ("It takes\n1,200\ninstructions.", ["1,200\ninstructions"]),
        ("It takes 12<!-- figure bench-kernel :: T :: R :: C --> instructions.", []),
        ("It takes 6<!-- figure: counted in the disassembly --> instructions.", []),
    ],
)
def test_a_figure_without_a_reference_is_found(
    check_docs: Any, text: str, found: list[str]
) -> None:
    assert [match[0] for match in check_docs.BARE_FIGURE.finditer(text)] == found


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    script = loaded("results")
    monkeypatch.setattr(script, "RESULTS", tmp_path)
    (tmp_path / "bench.txt").write_text(TABLES)
    return script


TABLES = """\
$ ./plafond bench

Table III: sections (instructions)
                    System
section        at     Call    UPRIO NPRIO  paper: ns
────────────────────────────────────────────────────
non-nested     T*      103    12 (-88.3%)
+ medprio task T2      316   294  (-7.0%)     63,389
nested         T*      206    24 (-88.3%)
+ medprio task T2      419   306 (-27.0%)          8
"""


@pytest.mark.parametrize(
    ("figure", "row", "column", "now"),
    [
        ("7", "nested", "System Call", "206"),
        ("11", "nested", "UPRIO NPRIO", "24"),
        ("11 %", "nested", "UPRIO NPRIO", "88.3 %"),
        ("1", "+ medprio task T2", "UPRIO NPRIO", "294"),
        ("1", "nested > + medprio task T2", "UPRIO\nNPRIO", "306"),
        ("1", "+ medprio task T2", "paper: ns", "63,389"),
    ],
)
def test_a_figure_of_a_sentence_is_as_in_its_result(
    results: Any, figure: str, row: str, column: str, now: str
) -> None:
    reference = f"<!-- figure bench :: Table III :: {row} :: {column} -->"
    page = f"It takes {figure}{reference} now."
    assert results.with_figures(page) == f"It takes {now}{reference} now."


@pytest.mark.parametrize(
    ("title", "row", "column"),
    [
        ("Table IV", "nested", "UPRIO NPRIO"),
        ("Table III", "+ lowprio task", "UPRIO NPRIO"),
        ("Table III", "nested", "NPRIO"),
        ("Table III", "non-nested", "paper: ns"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(
    results: Any, title: str, row: str, column: str
) -> None:
    with pytest.raises(SystemExit):
        results.with_figures(f"12<!-- figure bench :: {title} :: {row} :: {column} -->")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a b\n" * 400, ""),
        ("a\n" * 401, "found 401 lines; expected at most 400"),
        ("a " * 4000, ""),
        ("a " * 4001, "found 4001 words; expected at most 4000"),
    ],
)
def test_a_page_has_at_most_400_lines_and_4000_words(
    check_docs: Any, text: str, fault: str
) -> None:
    assert check_docs.excess(text) == fault


def test_no_page_is_too_large(check_docs: Any) -> None:
    assert check_docs.large_pages() == []


def test_a_large_page_is_found(check_docs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_docs, "PAGE_WORDS", 100)
    assert any(problem.startswith("docs/kernel.md: found ") for problem in check_docs.large_pages())
