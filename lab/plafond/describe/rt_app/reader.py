# SPDX-License-Identifier: MIT
"""Take values of the expected types, and collect mistakes."""

from collections.abc import Iterable
from dataclasses import dataclass

from plafond.describe.form import shown
from plafond.describe.problems import Problem
from plafond.describe.rt_app.json_text import Odd, Table, Value
from plafond.describe.rt_app.keys import MOST
from plafond.describe.source import Place

MOST_SHOWN = 40
NUMBERS = range(1, MOST + 1)


@dataclass(frozen=True)
class Field:
    """A value and its place."""

    place: Place
    value: Value


class Reader:
    """After a mistake, returns a dummy value of the right type, so that reading goes on."""

    def __init__(self) -> None:
        """Begin without mistakes."""
        self.problems: list[tuple[int, Problem]] = []

    def refuse(self, place: Place, found: str, expected: str) -> None:
        """Note a mistake."""
        self.problems.append((place.line, Problem(place.where, found, expected)))

    def table(self, field: Field, expected: str) -> dict[str, Field]:
        """Return the members of a table, in the order of the file."""
        if not isinstance(field.value, Table):
            self._refuse_value(field, expected)
            return {}
        members: dict[str, Field] = {}
        for member in field.value.members:
            place = Place((*field.place.where, member.key), member.line)
            first = members.setdefault(member.key, Field(place, member.value))
            if first.place is not place:
                self.refuse(
                    place,
                    f"a key that is on line {first.place.line}, too",
                    f"another one, such as {member.key}1: of equal ones rt-app keeps the last",
                )
        return members

    def whole(self, field: Field, expected: str, numbers: range) -> int:
        """Return a whole number in `numbers`."""
        value = field.value
        # In Python, True is an int.
        if isinstance(value, int) and not isinstance(value, bool) and value in numbers:
            return value
        self._refuse_value(field, expected)
        return numbers[0]

    def count(self, field: Field, expected: str) -> int | None:
        """Return a whole number from 1; None for -1, which means no limit."""
        if field.value == -1:
            return None
        return self.whole(field, expected, NUMBERS)

    def one_of(self, field: Field, expected: str, known: Iterable[str]) -> str:
        """Return a word of `known`."""
        words = list(known)
        if isinstance(field.value, str) and field.value in words:
            return field.value
        self._refuse_value(field, expected)
        return words[0]

    def text(self, field: Field, expected: str) -> str:
        """Return a text that is not empty."""
        if isinstance(field.value, str) and field.value:
            return field.value
        self._refuse_value(field, expected)
        return "nothing"

    def _refuse_value(self, field: Field, expected: str) -> None:
        self.refuse(field.place, shown_value(field.value), expected)


def shown_value(value: Value) -> str:
    """Return a value in the form for messages."""
    if isinstance(value, Table):
        return "a table"
    if isinstance(value, Odd):
        return value.written if len(value.written) <= MOST_SHOWN else "a number of many digits"
    return "nothing" if value is None else shown(value)
