# SPDX-License-Identifier: MIT
"""The cycles as copied from the paper give the percentages that it prints in braces."""

import pytest

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import Row
from plafond.bench.kernel.papers import PaperRow, papers
from plafond.bench.kernel.variants import Variant
from plafond.bench.kernel.zuepke import BOARDS, TABLE_II, TABLE_III, gain

ROWS = {row.benchmark: row for row in (*TABLE_II.rows, *TABLE_III.rows)}

# For each board: UPRIO|KPRIO, UPRIO|NPRIO. An empty cell repeats the cell above.
PRINTED = {
    "null-syscall": ("+17.8 +0.0", "+16.0 +0.0"),
    "schedule": ("+6.7 +9.1", "+12.7 +11.2"),
    "chain-task": ("+4.1 +6.5", "+10.8 +9.8"),
    "activate-low": ("+8.5 +5.8", "+9.4 +14.8"),
    "activate-high": ("+7.8 +7.8", "+9.3 +5.9"),
    "event-loop": ("+8.2 +5.0", "+12.4 +4.5"),
    "non-nested": ("-72.7 -72.7", "-91.4 -91.4"),
    "non-nested+low@T1": ("-34.8 -36.7", "-49.1 -52.5"),
    "non-nested+low@T2": ("-1.6 -36.7", "-12.9 -52.5"),
    "non-nested+medium@T1": ("-13.1 -14.0", "-19.8 -25.1"),
    "non-nested+medium@T2": ("+4.6 -1.7", "-0.6 -10.6"),
    "non-nested+high@T1": ("-13.7 -14.9", "-22.5 -25.8"),
    "non-nested+high@T2": ("+4.5 -14.9", "-1.4 -25.8"),
    "nested": ("-75.4 -75.4", "-91.1 -91.1"),
    "nested+low@T1": ("-50.3 -52.5", "-65.3 -67.5"),
    "nested+low@T2": ("-28.0 -52.5", "-41.1 -67.5"),
    "nested+low@T3": ("-6.6 -52.5", "-18.3 -67.5"),
    "nested+medium@T1": ("-28.8 -29.9", "-39.0 -41.6"),
    "nested+medium@T2": ("-14.8 -19.9", "-23.1 -30.5"),
    "nested+medium@T3": ("-2.3 -19.9", "-7.3 -30.5"),
    "nested+high@T1": ("-27.8 -28.8", "-38.8 -41.8"),
    "nested+high@T2": ("-14.4 -28.8", "-22.1 -41.8"),
    "nested+high@T3": ("-1.5 -28.8", "-7.7 -41.8"),
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("benchmark", PRINTED)
def test_percentages_are_the_papers(benchmark: str, board: str) -> None:
    printed = PRINTED[benchmark][BOARDS.index(board)].split()
    found = [gain(ROWS[benchmark], variant, board) for variant in ("uprio-kprio", "uprio-nprio")]

    assert [None if share is None else f"{share * 100:+.1f}" for share in found] == printed


def test_what_the_paper_does_not_show_is_not_there() -> None:
    assert gain(ROWS["nested+medium@T1"], "uprio-kprio-lazy", "TMS570") is None
    assert gain(ROWS["nested+between@T1"], "uprio-nprio", "TMS570") is None


COUNTS = {("a", "syscall"): 100, ("a", "uprio-nprio"): 60, ("b", "syscall"): 7}


@pytest.mark.parametrize(
    ("procedure", "cost"),
    [
        ("a", 100),
        (("a", "-b"), 93),
        (("a", "-uprio-nprio:a", "b"), 47),
        (("a", "-30"), 70),
    ],
)
def test_a_row_is_a_procedure_or_a_sum_of_several(
    procedure: str | tuple[str, ...], cost: int
) -> None:
    figures = Figures(
        Row(benchmark=name, variant=variant, instructions=count, system_calls=0)
        for (name, variant), count in COUNTS.items()
    )
    assert PaperRow(row="", procedure=procedure).cost(figures, Variant.SYSCALL) == cost


def test_a_table_without_a_figure_has_none() -> None:
    table = papers()["mueller-1-2"]
    clear, chained = (
        next(row for row in table.rows if row.procedure == name) for name in ("clear", "to-chained")
    )
    assert [table.number(clear, column) for column in table.paper] == [None, 17]
    assert table.texts(chained) == ["97", ""]
    assert table.number(clear, "cycles") is None


@pytest.mark.parametrize("name", papers())
def test_no_row_has_more_figures_than_its_table_has_columns(name: str) -> None:
    table = papers()[name]
    for row in table.rows:
        assert len(row.paper) <= len(table.paper)
        assert len(row.at_most) <= len(table.limits)
