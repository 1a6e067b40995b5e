# SPDX-License-Identifier: MIT
"""Mistakes in a description: place, found value and expected value."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import PlafondError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
Where = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """A mistake. `where` is the path to the field, such as ("task", "T1", "body", 2)."""

    where: Where
    found: str
    expected: str
    file: Path | None = None  # an included file; None: the file that was read
    of_build: bool = False  # only a build needs the expected value


class DescriptionError(PlafondError):
    """All mistakes of a file and its included files, each on a line, in the order of the file."""

    prefix = ""  # no prefix: each line begins with the file, as in messages of compilers

    def __init__(
        self, file: Path, problems: list[tuple[int, Problem]], advice: Iterable[str] = ()
    ) -> None:
        """Take each problem with its line; the lines of `advice` end the message."""
        self.file = file
        self.problems = sorted(problems, key=lambda pair: (str(pair[1].file or ""), pair[0]))
        super().__init__("\n".join([*map(self._line, self.problems), *advice]))

    def _line(self, located: tuple[int, Problem]) -> str:
        line, problem = located
        field = f" {field_name(problem.where)}:" if problem.where else ""
        file = problem.file or self.file
        return f"{file}:{line}:{field} found {problem.found}; expected {problem.expected}"


def field_name(where: Where) -> str:
    """Return a path in TOML's notation: `task.T1.body[2]`."""
    name = ""
    for part in where:
        if isinstance(part, int):
            name += f"[{part}]"
        else:
            name += ("." if name else "") + (part if _BARE.fullmatch(part) else json.dumps(part))
    return name
