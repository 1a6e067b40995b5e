# SPDX-License-Identifier: MIT
"""The check of the guides: it finds the habits that the prose has left, and only those."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci/check-docs"


@pytest.fixture(scope="module")
def check_docs() -> Any:
    loader = SourceFileLoader("check_docs", str(SCRIPT))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


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
        "A whole thread, whose ceiling is untellable.",
        "```c\n/* nobody */\n```",
        "<!-- bench-locks: all -->\nnobody\n<!-- end -->",
    ],
)
def test_other_words_code_and_results_are_left_alone(check_docs: Any, text: str) -> None:
    assert check_docs.habits(text) == []


def test_a_line_after_code_keeps_its_number(check_docs: Any) -> None:
    assert check_docs.habits("```\n1\n2\n```\nnobody\n")[0][0] == 5


def test_the_guides_have_none(check_docs: Any) -> None:
    assert [problem for page in check_docs.PAGES for problem in check_docs.unplain(page)] == []
