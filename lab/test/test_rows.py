# SPDX-License-Identifier: MIT
"""Rows that carry their columns."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel

from plafond.columns import Column as Shown
from plafond.rows import Column, columns_of, csv_of, lines_of, table, with_lines


class Kind(StrEnum):
    """A text."""

    FAST = "fast"


class Base(BaseModel):
    """A row with a field that no table has."""

    name: Annotated[str, Column("task")]
    kind: Annotated[Kind, Column("kind")] = Kind.FAST
    hidden: int = 3


class Row(Base):
    """A row with each kind of column."""

    response_ns: Annotated[int | None, Column("response ms", "ms", ".2f", missing="-")]
    size: Annotated[int, Column("bytes", "bytes", ",")] = 1234
    calls: Annotated[dict[str, int], Column(lambda key: f"{key}: calls")] = {"a": 1, "b": 2}
    cpu: Annotated[int, Column("cpu", place=-1)] = 0
    start: Annotated[int, Column("start", needless="0")] = 0
    is_late: Annotated[bool, Column("", format=lambda late: "late" if late else "", is_text=True)]

    @property
    def marked(self) -> Annotated[str, Column("mark", of=lambda row: f"{row.name}*", wraps=True)]:
        """Unused, because the column takes its text from the row."""
        return ""


ROWS = [
    Row(name="T1", response_ns=2_500_000, is_late=False),
    Row(name="T2", response_ns=None, is_late=True, calls={"a": 3, "b": 4}),
]


def test_columns_have_headings_units_and_formats() -> None:
    assert columns_of(Row, ROWS) == [
        Shown("cpu", ["0", "0"], False),
        Shown("task", ["T1", "T2"]),
        Shown("kind", ["fast", "fast"]),
        Shown("response ms", ["2.50", "-"], False),
        Shown("bytes", ["1,234", "1,234"], False),
        Shown("a: calls", ["1", "3"], False),
        Shown("b: calls", ["2", "4"], False),
        Shown("", ["", "late"]),
        Shown("mark", ["T1*", "T2*"], wraps=True),
    ]


def test_a_table_may_leave_out_fields_and_change_columns() -> None:
    without = ["kind", "response_ns", "calls", "is_late", "marked"]
    shown = table("Sizes", Row, ROWS, without=without, change={"size": {"heading": "a53"}})

    assert shown.title == "Sizes"
    assert [column.heading for column in shown.columns] == ["cpu", "task", "a53"]


def test_a_needless_column_is_there_if_one_row_has_more_to_say() -> None:
    late = ROWS[0].model_copy(update={"start": 5})

    assert Shown("start", ["0", "5"], False) in columns_of(Row, [ROWS[0], late])


def test_a_table_without_rows_has_its_headings() -> None:
    assert columns_of(Base, []) == [Shown("task", []), Shown("kind", [])]


def test_csv_has_all_fields_under_their_names() -> None:
    assert csv_of(Base, [Base(name="T1")]) == "name,kind,hidden\nT1,fast,3\n"


def test_a_row_that_is_not_there_has_cells_of_what_is_missing() -> None:
    without = ["cpu", "kind", "calls", "start", "is_late", "marked"]

    assert columns_of(Row, [ROWS[0], None], without=without) == [
        Shown("task", ["T1", ""]),
        Shown("response ms", ["2.50", "-"], False),
        Shown("bytes", ["1,234", ""], False),
    ]


def test_a_table_has_lines_and_lines_make_columns() -> None:
    shown = table("Kinds", Base, [Base(name="T1"), Base(name="T2")])

    assert shown.lines == [("T1", "fast"), ("T2", "fast")]
    assert lines_of(with_lines(shown.columns, [("T3", "slow")])) == [("T3", "slow")]
    assert [column.heading for column in with_lines(shown.columns, [])] == ["task", "kind"]
