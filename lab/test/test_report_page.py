# SPDX-License-Identifier: MIT
"""The page: one file that stands for itself."""

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from report_fakes import carminati, damaged, pathfinder

from plafond.report.html import make_page
from plafond.run.model import Execution

EVIL = '<script>alert("&")</script>'


class Checker(HTMLParser):
    """Keeps what is open, and complains where tags do not match."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember it, unless it has no end."""
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Expect that it ends what was begun last."""
        assert self.open.pop() == tag


def page(execution: Execution) -> str:
    return make_page(execution, "<svg></svg>", ["<svg></svg>"] * 3)


@pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])
def test_it_is_whole_and_needs_no_script(executed: Callable[[], Execution]) -> None:
    checker = Checker()
    checker.feed(page(executed()))

    assert checker.open == []
    assert page(executed()).count("<figure><svg></svg></figure>") == 4
    assert checker.tags.isdisjoint({"script", "link", "img", "iframe"})
    assert not re.search(r"https?://", page(executed()))


def test_everything_is_escaped() -> None:
    execution = damaged()
    report = execution.report
    evil = report.model_copy(
        update={
            "name": EVIL,
            "target": EVIL,
            "notes": [EVIL],
            "cuts": {EVIL: EVIL},
            "conditions": report.conditions.model_copy(
                update={"command": EVIL, "cpu_model": EVIL, "kernel": EVIL, "date": EVIL}
            ),
            "rows": [row.model_copy(update={"protocol": EVIL}) for row in report.rows],
        }
    )
    text = page(replace(execution, report=evil))

    assert "<script" not in text
    assert text.count("&lt;script&gt;") > 10


def test_command_conditions_definitions_and_all_figures_are_there() -> None:
    text = page(carminati())

    for words in (
        "plafond run system.toml",
        "6.12.9-rt",
        "limited to 950ms",
        "not the",
        "EXCEEDED",
    ):
        assert (words in text) == (words != "not the")
    for row in carminati().report.rows:
        assert f">{row.task} <small>" in text
        assert f">{row.protocol}</td>" in text
    assert "from the requests for resources to the grants" in text


def test_cut_runs_and_exceeded_bounds_are_marked() -> None:
    assert page(damaged()).count('<p class="alarm">CUT SHORT') == 2
    assert page(carminati()).count('<p class="alarm">EXCEEDED: T0 under plafond-strict') == 1
    assert '<p class="alarm">' not in page(pathfinder())


def test_equal_runs_give_equal_pages() -> None:
    assert page(carminati()) == page(carminati())
