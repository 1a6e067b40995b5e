# SPDX-License-Identifier: MIT
"""No table cuts anything off, however narrow the terminal is."""

import io
from collections.abc import Collection, Sequence
from random import Random

import pytest
from rich.console import Console

from plafond.columns import Column, split, widths
from plafond.output import show
from plafond.report.cells import TIMES
from plafond.rows import Table, columns_of
from plafond.trace.measures import Measures

COUNT_COLUMNS = ["task", *(column.heading for column in columns_of(Measures, [], without=TIMES))]
TEXT_COLUMNS = ("task", "protocol")


def printed(
    width: int,
    headings: Sequence[str],
    lines: Sequence[Sequence[str]],
    texts: Collection[str],
    wrapped: Collection[str] = (),
) -> list[str]:
    console = Console(width=width, highlight=False, file=io.StringIO())
    columns = [
        Column(heading, cells, heading in texts, heading in wrapped)
        for heading, cells in zip(headings, zip(*lines, strict=True), strict=True)
    ]
    show(console, Table("Counts", columns))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 112, 300])
def test_every_number_of_the_counts_is_whole(width: int) -> None:
    numbers = range(1234500, 1234500 + len(COUNT_COLUMNS) - 2)
    cells = [["sensor", "uprio-kprio-lazy", *("0" for _ in numbers)]]
    cells += [["sensor", "none", *map(str, numbers)]]

    lines = printed(width, COUNT_COLUMNS, cells, TEXT_COLUMNS)

    words = " ".join(lines).split()
    assert words.count("0") == len(numbers)
    assert [word for word in words if word.startswith("12345")] == cells[1][2:]
    assert max(map(len, lines)) <= width


def test_a_cell_of_several_lines_is_as_wide_as_its_longest_line() -> None:
    cells = ["a [bold]b[/]\nlonger line\nc", "", "\n"]
    assert Column("name", cells).whole == len("longer line")
    assert Column("name", cells).least == len("longer line")


@pytest.mark.parametrize("seed", range(200))
def test_random_tables_lose_nothing(seed: int) -> None:
    random = Random(seed)
    names = [f"{'n' * random.randint(1, 9)} {'m' * random.randint(1, 9)}{i}" for i in range(9)]
    rows = [[f"{row}{'x' * random.randint(1, 9)}{place}" for place in range(9)] for row in range(3)]
    width = random.randint(44, 130)

    lines = printed(width, names, rows, names[: random.randint(0, 2)])

    words = " ".join(lines).split()
    assert all(cell in words for row in rows for cell in row)
    assert all(word in words for name in names for word in name.split())
    assert max(map(len, lines)) <= width


def test_texts_that_wrap_are_whole_too() -> None:
    text = "up to 4 tasks, 3 resources, any nests to 3, any number of arrivals"

    lines = printed(60, ("check", "scope", "states"), [["design", text, "1298976"]], ("check",))
    wrapped = printed(
        50, ("check", "scope", "states"), [["design", text, "1298976"]], ("check", "scope"),
        wrapped=("scope",),
    )  # fmt: skip

    for each in (lines, wrapped):
        for word in (*text.split(), "1298976"):
            assert word in " ".join(each).split()
    assert max(map(len, wrapped)) <= 50


def test_names_of_rows_stand_in_front_of_each_part() -> None:
    lock, arrival = Column("lock", ["plafond"]), Column("arrival", ["passes-by"])
    numbers = [Column(f"number {i}", ["123456789"], is_text=False) for i in range(5)]

    parts = split([lock, arrival, *numbers], 40)

    assert [part[:2] for part in parts] == [[lock, arrival]] * len(parts)
    assert [column for part in parts for column in part[2:]] == numbers
    assert all(sum(widths(part, 40)) + 2 * (len(part) - 1) <= 40 for part in parts)


def test_a_heading_takes_one_line_where_there_is_room() -> None:
    columns = [Column("lock", ["a"]), Column("system calls", ["2"], is_text=False)]

    assert widths(columns, 18) == [4, 12]
    assert widths(columns, 17) == [4, 6]
