# SPDX-License-Identifier: MIT
"""The tables of a description, with the place in OIL of each field."""

from typing import Any

from plafond.describe.oil.attributes import Given
from plafond.describe.problems import Problem, Where
from plafond.describe.source import Place


class Draft:
    """A description under construction."""

    def __init__(self) -> None:
        """Begin without tables."""
        self._tables: dict[str, dict[str, Any]] = {}
        self._places: dict[Where, Place] = {(): Place((), 1)}
        self.needs: list[Problem] = []

    def missing(self, where: Where, place: Place) -> None:
        """Note the place of a missing field, or of a table in a list."""
        self._places[where] = place

    def need(self, where: Where, place: Place, found: str, expected: str) -> None:
        """Note what only a build needs; the description has no such field."""
        self.missing(where, place)
        self.needs.append(Problem(where, found, expected, of_build=True))

    def table(self, where: Where, place: Place) -> None:
        """Add a table, which may stay empty."""
        self._at(where)
        self._places[where] = place

    def field(self, where: Where, value: object, place: Place) -> None:
        """Add a field to a table."""
        self._at(where[:-1])[str(where[-1])] = value
        self._places[where] = place

    def element(self, where: Where, value: object, place: Place) -> None:
        """Append to a field that is a list."""
        elements = self._at(where[:-1]).setdefault(str(where[-1]), [])
        self._places.setdefault(where, place)
        self._places[*where, len(elements)] = place
        elements.append(value)

    def names(self, where: Where, given: list[Given]) -> None:
        """Add a list of names, unless it is empty."""
        for each in given:
            self.element(where, str(each.value), each.place)

    def raw(self, name: str) -> dict[str, Any]:
        """Return the tables of a description with this name."""
        return {"name": name, **self._tables}

    def place_of(self, where: Where) -> Place:
        """Return the place of a field, or of the innermost table around it."""
        while where not in self._places:
            where = where[:-1]
        return self._places[where]

    def _at(self, where: Where) -> Any:
        table: Any = self._tables
        for part in where:
            table = table[part] if isinstance(part, int) else table.setdefault(part, {})
        return table
