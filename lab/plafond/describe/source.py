# SPDX-License-Identifier: MIT
"""A description as read: its tables, and the place of each field in the file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plafond.describe.defaults import NO_DEFAULTS, Defaults
from plafond.describe.problems import DescriptionError, Problem, Where

HIDDEN = "text that is not shown, because its file lies in no search folder (-I)"


@dataclass(frozen=True)
class Place:
    """A field by its name in the file, and its line, counted from 1."""

    where: Where
    line: int
    file: Path | None = None  # an included file; None: the file that was read


def within(place: Place, name: str) -> Place:
    """Return the place of a field that its table lacks."""
    return Place((*place.where, name), place.line, place.file)


@dataclass(frozen=True)
class Source:
    """The content of a file, converted to the form of our TOML."""

    file: Path
    raw: dict[str, Any]
    place_of: Callable[[Where], Place]  # the place of a field of `raw`
    notes: tuple[str, ...] = ()  # parts of the file that a description cannot express, a line each
    # In a foreign form, a file may lack what only a build needs. From these problems to the lines
    # to add. None: such a file has a mistake.
    to_build: Callable[[list[Problem]], list[str]] | None = None
    needs: tuple[Problem, ...] = ()  # of a build; found while reading
    part: str = ""  # what an OIL file has instead of a system, for a file that includes it
    folders: tuple[Path, ...] = ()  # search folders of OIL's #include
    is_shown: Callable[[Path | None], bool] = lambda _: True  # whether messages show a file's text
    defaults: Defaults = NO_DEFAULTS  # with which the file was read

    def error(self, problems: Iterable[Problem], advice: Iterable[str] = ()) -> DescriptionError:
        """Return the error that names each problem once, in the file's terms."""
        placed = [(self.place_of(problem.where), problem) for problem in problems]
        named = (
            (place.line, replace(self._shown(problem, place.file), where=place.where))
            for place, problem in placed
        )
        return DescriptionError(self.file, list(dict.fromkeys(named)), advice)

    def _shown(self, problem: Problem, file: Path | None) -> Problem:
        found = problem.found if self.is_shown(file) else HIDDEN
        return replace(problem, found=found, file=file)
