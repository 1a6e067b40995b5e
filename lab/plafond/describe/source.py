# SPDX-License-Identifier: MIT
"""A description as it was read: its tables, and where in the file each field stands."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plafond.describe.problems import DescriptionError, Problem, Where


@dataclass(frozen=True)
class Place:
    """A field by the name that the file gives it, and its line, from 1."""

    where: Where
    line: int
    file: Path | None = None  # an included one; None: the one that was read


def within(place: Place, name: str) -> Place:
    """Return where a field would stand that a table does not have."""
    return Place((*place.where, name), place.line, place.file)


@dataclass(frozen=True)
class Source:
    """What a file says, in the form of our TOML, whatever its own form is."""

    file: Path
    raw: dict[str, Any]
    place_of: Callable[[Where], Place]  # of a field of `raw`
    notes: tuple[str, ...] = ()  # what the file says and no description can, a line each

    def error(self, problems: Iterable[Problem]) -> DescriptionError:
        """Return the error that names each problem once, as the file names it."""
        placed = [(self.place_of(problem.where), problem) for problem in problems]
        named = (
            (place.line, replace(problem, where=place.where, file=place.file))
            for place, problem in placed
        )
        return DescriptionError(self.file, list(dict.fromkeys(named)))
