# SPDX-License-Identifier: MIT
"""The report as a person reads it."""

import io

import pytest
from rich.console import Console

from plafond.bench.locks import make_report
from plafond.bench.samples import Output
from plafond.bench.table import print_report


def rendered(output: Output, quick: bool, width: int = 80) -> str:
    text = io.StringIO()
    print_report(make_report(output, 3, quick), Console(file=text, width=width))
    return text.getvalue()


def test_every_table_is_there(output: Output) -> None:
    text = rendered(output, quick=False)

    for title in ("Uncontended", "nested", "Wake hook", "Preempted", "Break-even"):
        assert title in text
    for title in ("Hand-over between", "Sections from which on", "Figures"):
        assert title in text


def test_nothing_is_cut_off_in_80_columns(output: Output) -> None:
    text = rendered(output, quick=False)

    scaling = text[text.index("many threads") : text.index("Hand-over between")]
    assert "…" not in text
    assert "instructions" in scaling
    assert scaling.rstrip().endswith(" 20")


@pytest.mark.parametrize("quick", [True, False])
def test_a_quick_run_is_labelled(output: Output, quick: bool) -> None:
    assert ("QUICK RUN" in rendered(output, quick)) == quick


def test_verdicts_and_shares_in_words(output: Output) -> None:
    text = rendered(output, quick=False)

    assert " reached" in text
    assert "always" in text


def test_what_could_not_be_counted_is_named(output: Output) -> None:
    for run in output.benchmarks:
        run.instructions = None

    assert "not counted" in rendered(output, quick=False, width=120)
