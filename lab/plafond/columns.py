# SPDX-License-Identifier: MIT
"""Lay out the columns of a table in a terminal without truncating a cell.

A column is at least as wide as its longest cell, or a few words if it wraps. Its heading may take
several lines. Columns that do not fit beside each other become further tables. Each of these
repeats the columns that name the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

GAP = 2  # blanks between two columns
FEW_WORDS = 12  # the least width in characters of a column that wraps


@dataclass(frozen=True)
class Column:
    """A heading and the cells below it, in rich's markup."""

    heading: str
    cells: Sequence[str]
    is_text: bool = True  # flush left, and a name of the row if it comes first; otherwise a number
    wraps: bool = False  # its cells may take several lines

    @property
    def whole(self) -> int:
        """Return the width at which neither the heading nor a cell wraps."""
        return max(len(self.heading), self._longest_cell)

    @property
    def least(self) -> int:
        """Return the least possible width."""
        word = max(map(len, self.heading.split()), default=0)
        return max(word, min(self._longest_cell, FEW_WORDS) if self.wraps else self._longest_cell)

    @property
    def _longest_cell(self) -> int:
        from rich.text import Text  # imported late: only tables need it

        cells = (Text.from_markup(cell) for cell in self.cells)
        return max((line.cell_len for cell in cells for line in cell.split()), default=0)


def split(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """Return the columns of each table; each table has as many columns as fit."""
    names = _names_of_rows(columns)
    parts = [list(names)]
    for column in columns[len(names) :]:
        if len(parts[-1]) > len(names) and _together(parts[-1], column) > width:
            parts.append(list(names))
        parts[-1].append(column)
    return parts


def widths(columns: Sequence[Column], width: int) -> list[int]:
    """Return the widths of adjacent columns; numbers get space first, the least need first."""
    found = [column.least for column in columns]
    spare = width - _total(found)
    missing = {place: column.whole - column.least for place, column in enumerate(columns)}
    for place in sorted(missing, key=lambda each: (columns[each].wraps, missing[each])):
        more = min(missing[place], max(spare, 0)) if columns[place].wraps else missing[place]
        if more <= spare:
            found[place] += more
            spare -= more
    return found


def _names_of_rows(columns: Sequence[Column]) -> Sequence[Column]:
    """Return the texts in front of the first number; if all columns are texts, the first column."""
    for place, column in enumerate(columns):
        if not column.is_text or column.wraps:
            return columns[: max(place, 1)]
    return columns[:1]


def _together(columns: Sequence[Column], another: Column) -> int:
    return _total([column.least for column in (*columns, another)])


def _total(each: Sequence[int]) -> int:
    return sum(each) + GAP * (len(each) - 1)
