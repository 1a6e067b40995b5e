# SPDX-License-Identifier: MIT
"""What varies in a report, and how it is said."""

from collections.abc import Sequence

from plafond.columns import Column
from plafond.rows import columns_of
from plafond.studies.model import BestRow, CaseRow

VARIABLES = tuple(CaseRow.model_fields)


def case_of(row: CaseRow) -> CaseRow:
    """Return the case of a row, by which rows of different kinds can be compared."""
    return CaseRow(**{name: getattr(row, name) for name in VARIABLES})


def varied(rows: Sequence[CaseRow]) -> list[str]:
    """Return what differs among the rows, the slowest first."""
    found = [each for each in VARIABLES if len({getattr(row, each) for row in rows}) > 1]
    return sorted(found, key=lambda each: _first_change(rows, each), reverse=True)


def _first_change(rows: Sequence[CaseRow], column: str) -> int:
    first = getattr(rows[0], column)
    return next(place for place, row in enumerate(rows) if getattr(row, column) != first)


def columns_by_variable(rows: Sequence[CaseRow]) -> dict[str, Column]:
    """Return the column of each variable, whether it varies or not."""
    return dict(zip(VARIABLES, columns_of(CaseRow, rows), strict=True))


def with_article(name: str) -> str:
    """Return `a` or `an` before it."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def best_in_words(row: BestRow) -> str:
    """Return the first of those that take most, and how many more there are."""
    first, *others = row.best
    return f"{first} and {len(others)} more" if others else first
