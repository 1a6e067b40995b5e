# SPDX-License-Identifier: MIT
"""Take values of the expected types, and collect mistakes."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.form import shown
from plafond.describe.problems import Problem, field_name
from plafond.describe.rt_app.json_text import Odd, Table, Value
from plafond.describe.rt_app.keys import MOST
from plafond.describe.source import Place

MOST_SHOWN = 40
REPEATED = "a key that is there twice: all are taken in order, as workgen does for rt-app"
NUMBERS = range(1, MOST + 1)
FROM_0 = range(MOST + 1)


@dataclass(frozen=True)
class Field:
    """A value and its place."""

    place: Place
    value: Value

    @property
    def key(self) -> str:
        """The key of the value in its table."""
        return str(self.place.where[-1])


class Reader:
    """After a mistake, returns a dummy value of the right type, so that reading goes on."""

    def __init__(self) -> None:
        """Begin without mistakes and notes."""
        self.problems: list[tuple[int, Problem]] = []
        self._reasons: set[str] = set()
        self._notes: list[tuple[Place, str]] = []

    def refuse_once(self, place: Place, found: str, expected: str) -> None:
        """Note a mistake, unless an earlier mistake expects the same."""
        if expected not in self._reasons:
            self._reasons.add(expected)
            self.refuse(place, found, expected)

    def note(self, place: Place, text: str) -> None:
        """Note a key whose meaning changes."""
        self._notes.append((place, text))

    def note_once(self, place: Place, text: str) -> None:
        """Note a form, unless an earlier note says the same."""
        if all(text != known for _, known in self._notes):
            self.note(place, text)

    def notes(self, file: Path) -> tuple[str, ...]:
        """Return a line for each note, in the order of the file."""
        return tuple(
            f"{file}:{place.line}: {field_name(place.where)}: {text}"
            for place, text in sorted(self._notes, key=lambda note: note[0].line)
        )

    def refuse(self, place: Place, found: str, expected: str) -> None:
        """Note a mistake."""
        self.problems.append((place.line, Problem(place.where, found, expected)))

    def table(self, field: Field, expected: str) -> dict[str, Field]:
        """Return the members of a table, in the order of the file; each key must be there once."""
        return self.once(self.members(field, expected))

    def members(self, field: Field, expected: str) -> list[Field]:
        """Return the members of a table, in the order of the file; a key may be there twice."""
        if not isinstance(field.value, Table):
            self._refuse_value(field, expected)
            return []
        return [
            Field(Place((*field.place.where, member.key), member.line), member.value)
            for member in field.value.members
        ]

    def once(self, members: Iterable[Field]) -> dict[str, Field]:
        """Return members by their keys; refuse a key that is there twice."""
        found: dict[str, Field] = {}
        for field in members:
            first = found.setdefault(field.key, field)
            if first is not field:
                self.refuse(
                    field.place,
                    f"a key that is on line {first.place.line}, too",
                    f"another one, such as {field.key}1: of equal ones rt-app keeps the last",
                )
        return found

    def note_repeated(self, members: Iterable[Field]) -> None:
        """Note a key of an event or phase that is there twice."""
        seen: set[str] = set()
        for field in members:
            if field.key in seen:
                self.note_once(field.place, REPEATED)
            seen.add(field.key)

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
