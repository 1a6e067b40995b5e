# SPDX-License-Identifier: MIT
"""Collect mistakes in an OIL file, and its ignored parts."""

from plafond.describe.oil.included import Whole
from plafond.describe.problems import DescriptionError, Problem, Where, field_name
from plafond.describe.source import HIDDEN, Place


class Reader:
    """Goes on after a mistake to find all of them."""

    def __init__(self, whole: Whole) -> None:
        """Begin without mistakes."""
        self._whole = whole
        self._problems: list[tuple[int, Problem]] = []
        self._notes: dict[str, str] = {}
        self.needs: list[tuple[Place, str, str]] = []  # place, found and expected, for a build

    def place(self, where: Where, line: int) -> Place:
        """Return the place of a line of the whole text."""
        origin = self._whole.origin(line)
        return Place(where, origin.line, origin.file)

    def refuse(self, place: Place, found: str, expected: str) -> None:
        """Note a mistake."""
        shown = found if self._whole.is_shown(place.file) else HIDDEN
        self._problems.append((place.line, Problem(place.where, shown, expected, place.file)))

    def note(self, key: str, place: Place, text: str) -> None:
        """Note a remark, once for each key."""
        field = f" {field_name(place.where)}:" if place.where else ""
        where = f"{place.file or self._whole.main}:{place.line}:{field}"
        self._notes.setdefault(key, f"{where} {text}")

    def ignore(self, key: str, place: Place, why: str) -> None:
        """Note an ignored part, once for each key."""
        self.note(key, place, f"ignored: {why}")

    def end(self) -> tuple[str, ...]:
        """Return the notes; DescriptionError if there was a mistake."""
        if self._problems:
            raise DescriptionError(self._whole.main, list(dict.fromkeys(self._problems)))
        return tuple(self._notes.values())
