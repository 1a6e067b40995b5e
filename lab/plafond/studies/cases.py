# SPDX-License-Identifier: MIT
"""What varies in a report, and how it is said."""

from collections.abc import Sequence

from plafond.studies.model import BestRow, CaseRow
from plafond.units import format_duration

COLUMNS = ("cache_ns", "overhead_ns", "section_ns", "share", "budget")
NUMBERS = ("share", "budget")  # the others are times
SAID = {
    "cache_ns": "cache delay",
    "overhead_ns": "overhead",
    "section_ns": "section",
    "share": "share",
    "budget": "budget",
}


def case_of(row: CaseRow) -> CaseRow:
    """Return the case of a row, by which rows of different kinds can be compared."""
    return CaseRow(**{column: getattr(row, column) for column in COLUMNS})


def varied(rows: Sequence[CaseRow]) -> list[str]:
    """Return what differs among the rows, the slowest first."""
    found = [each for each in COLUMNS if len({getattr(row, each) for row in rows}) > 1]
    return sorted(found, key=lambda each: _first_change(rows, each), reverse=True)


def _first_change(rows: Sequence[CaseRow], column: str) -> int:
    first = getattr(rows[0], column)
    return next(place for place, row in enumerate(rows) if getattr(row, column) != first)


def said(column: str) -> str:
    """Return the name of a variable in words."""
    return SAID[column]


def with_article(name: str) -> str:
    """Return `a` or `an` before it."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def cell_of(row: CaseRow, column: str) -> str:
    """Return its value in a row."""
    value = getattr(row, column)
    return f"{value:g}" if column in NUMBERS else format_duration(value)


def best_in_words(row: BestRow) -> str:
    """Return the first of those that take most, and how many more there are."""
    first, *others = row.best
    return f"{first} and {len(others)} more" if others else first
