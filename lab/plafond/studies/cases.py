# SPDX-License-Identifier: MIT
"""The variables of a report, and their wording."""

from collections.abc import Sequence

from plafond.columns import Column
from plafond.rows import columns_of
from plafond.studies.model import BestRow, CaseRow

VARIABLES = tuple(CaseRow.model_fields)


def case_of(row: CaseRow) -> CaseRow:
    """Return the case of a row, to compare rows of different kinds."""
    return CaseRow(**{name: getattr(row, name) for name in VARIABLES})


def varied(rows: Sequence[CaseRow]) -> list[str]:
    """Return the variables that differ among the rows, the slowest first."""
    found = [each for each in VARIABLES if len({getattr(row, each) for row in rows}) > 1]
    return sorted(found, key=lambda each: _first_change(rows, each), reverse=True)


def _first_change(rows: Sequence[CaseRow], column: str) -> int:
    first = getattr(rows[0], column)
    return next(place for place, row in enumerate(rows) if getattr(row, column) != first)


def columns_by_variable(rows: Sequence[CaseRow]) -> dict[str, Column]:
    """Return the column of each variable, even if it does not vary."""
    return dict(zip(VARIABLES, columns_of(CaseRow, rows), strict=True))


def with_article(name: str) -> str:
    """Return the name with `a` or `an`."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def best_in_words(row: BestRow) -> str:
    """Return the first of the best, and the number of others that are equal."""
    first, *others = row.best
    return f"{first} and {len(others)} more" if others else first
