# SPDX-License-Identifier: MIT
"""The text of an OIL file, with included files inserted.

#include is the only directive of OIL (2.5, section 2.3.9). It has a line to itself, so each line of
the whole text is a line of a single file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plafond.describe.file_text import LARGEST_FILE, text_of
from plafond.describe.problems import DescriptionError, Problem

# Comments and strings come first, because a directive or brace inside them does not count. An
# unterminated comment or string reaches to the end of the text; the grammar refuses it.
HIDING = r'//[^\n]*|/\*(?:.*?\*/|.*)|"[^"]*"?'
_PIECES = re.compile(rf"{HIDING}|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_INCLUDE = re.compile(r"""#\s*include\s*(?:"([^"]+)"|<([^>]+)>)\s*(?://.*|/\*.*\*/\s*)?""")


@dataclass(frozen=True)
class Origin:
    """The origin of a line of the whole text; file None: the main file."""

    file: Path | None
    line: int


@dataclass
class Whole:
    """The lines of all files, in the order of inclusion."""

    main: Path
    lines: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    size: int = 0

    @property
    def text(self) -> str:
        """All lines as a single text."""
        return "\n".join(self.lines)

    def origin(self, line: int) -> Origin:
        """Return the origin of a line; lines count from 1."""
        return self.origins[line - 1]

    def error(self, origin: Origin, found: str, expected: str) -> DescriptionError:
        """Return the error for a malformed line."""
        problem = Problem((), found, expected, origin.file)
        return DescriptionError(self.main, [(origin.line, problem)])


def whole_text(file: Path, text: str) -> Whole:
    """Return the text with included files; DescriptionError names a wrong directive."""
    whole = Whole(file)
    _add(whole, file, text, (file.resolve(),))
    return whole


def _add(whole: Whole, file: Path, text: str, opened: tuple[Path, ...]) -> None:
    """Add the lines of a file; `opened` are the files around it and itself, outermost first."""
    name = None if len(opened) == 1 else file
    whole.size += len(text)
    directives = dict(_directives(text))
    for number, line in enumerate(text.split("\n"), 1):
        origin = Origin(name, number)
        if number in directives:
            _include(whole, origin, directives[number], file.parent, opened)
        else:
            whole.lines.append(line)
            whole.origins.append(origin)


def _directives(text: str) -> Iterator[tuple[int, str]]:
    """Yield each directive with its line."""
    line, counted = 1, 0
    for piece in _PIECES.finditer(text):
        if piece[0].lstrip().startswith("#"):
            line += text.count("\n", counted, piece.start())
            counted = piece.start()
            yield line, piece[0].strip()


def _include(
    whole: Whole, origin: Origin, directive: str, folder: Path, opened: tuple[Path, ...]
) -> None:
    match = _INCLUDE.fullmatch(directive)
    if not match:
        raise whole.error(origin, directive, '#include "FILE", the only directive of OIL')
    file = folder / (match[1] or match[2])
    if not file.is_file():
        raise whole.error(origin, f"no file {file}", "an OIL file, beside the one that includes it")
    if file.resolve() in opened:
        raise whole.error(origin, f"{file}, which includes itself", "a file that does not")
    text = text_of(file, "OIL")
    if whole.size + len(text) > LARGEST_FILE:
        raise whole.error(origin, "more than 1 MiB with what is included", "a description")
    _add(whole, file, text, (*opened, file.resolve()))
