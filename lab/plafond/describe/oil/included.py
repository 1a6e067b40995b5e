# SPDX-License-Identifier: MIT
"""The text of an OIL file, with included files inserted.

#include is the only directive of OIL (2.5, section 2.3.9). It has a line to itself, so each line of
the whole text is a line of a single file. A file with other directives is read through gcc's
preprocessor: preprocessed.py. Ours is `#pragma include "FOLDER"`, which adds a search folder.

A file <NAME> belongs to a tool, and only the tool's folders have it. So a missing one is noted, and
only a build needs it.

A file that does not lie in a search folder is read, but no message shows its text. So a wrong
#include does not print a file that is no description.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plafond.describe.file_text import LARGEST_FILE, text_of
from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.source import HIDDEN

# Comments and strings come first, because a directive or brace inside them does not count. An
# unterminated comment or string reaches to the end of the text; the grammar refuses it.
HIDING = r'//[^\n]*|/\*(?:.*?\*/|.*)|"[^"]*"?'
_PIECES = re.compile(rf"{HIDING}|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_END = r"\s*(?://.*|/\*.*\*/\s*)?"
# Trampoline has #includeifexists, too.
_INCLUDE = re.compile(rf"""#\s*include(ifexists)?\s*(?:"([^"]+)"|<([^>]+)>){_END}""")
_SEARCH = re.compile(rf"""#\s*pragma\s+include\s*"([^"]+)"{_END}""")
_OF_PREPROCESSOR = re.compile(r"#\s*(define|undef|if|ifdef|ifndef|elif|else|endif|error)\b.*")
MISSING = "an OIL file beside the one that includes it, or in a folder that -I names"


class PreprocessorNeededError(Exception):
    """A file has directives of the C preprocessor. `folders` are the search folders."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Take the search folders."""
        super().__init__()
        self.folders = list(folders)


@dataclass(frozen=True)
class Origin:
    """The origin of a line of the whole text; file None: the main file."""

    file: Path | None
    line: int


@dataclass
class Whole:
    """The lines of all files, in the order of inclusion."""

    main: Path
    folders: list[Path] = field(default_factory=list)  # to search, in this order
    lines: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    missing: list[tuple[Origin, str]] = field(default_factory=list)  # files of <NAME>
    size: int = 0

    @property
    def text(self) -> str:
        """All lines as a single text."""
        return "\n".join(self.lines)

    def origin(self, line: int) -> Origin:
        """Return the origin of a line; lines count from 1."""
        return self.origins[line - 1]

    def is_shown(self, file: Path | None) -> bool:
        """Whether messages may show the text of a file: it lies in a search folder."""
        folders = (each.resolve() for each in (self.main.parent, *self.folders))
        return file is None or any(map(file.resolve().is_relative_to, folders))

    def error(self, origin: Origin, found: str, expected: str) -> DescriptionError:
        """Return the error for a malformed line."""
        shown = found if self.is_shown(origin.file) else HIDDEN
        problem = Problem((), shown, expected, origin.file)
        return DescriptionError(self.main, [(origin.line, problem)])


def whole_text(file: Path, text: str, folders: Iterable[Path] = ()) -> Whole:
    """Return the text with included files; DescriptionError names a wrong directive.

    `folders`: search folders, after the folders of the including files. PreprocessorNeededError
    has all of them.
    """
    whole = Whole(file, list(folders))
    _add_search_folders(whole, text)
    _add(whole, file, text, (file,))
    return whole


def _add_search_folders(whole: Whole, text: str) -> None:
    """Add the folders that the main file names."""
    for line, directive in _directives(text):
        match = _SEARCH.fullmatch(directive)
        if match:
            folder = whole.main.parent / match[1]
            if not folder.is_dir():
                found = f"no folder {folder}"
                raise whole.error(Origin(None, line), found, "a folder with OIL files")
            whole.folders.append(folder)


def _add(whole: Whole, file: Path, text: str, opened: tuple[Path, ...]) -> None:
    """Add the lines of a file; `opened` are the files around it and itself, outermost first."""
    name = None if len(opened) == 1 else file
    whole.size += len(text)
    directives = dict(_directives(text))
    for number, line in enumerate(text.split("\n"), 1):
        origin = Origin(name, number)
        if number in directives:
            _obey(whole, origin, directives[number], opened)
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


def _obey(whole: Whole, origin: Origin, directive: str, opened: tuple[Path, ...]) -> None:
    if _OF_PREPROCESSOR.fullmatch(directive):
        raise PreprocessorNeededError(whole.folders)
    if origin.file is None and _SEARCH.fullmatch(directive):
        return
    match = _INCLUDE.fullmatch(directive)
    if not match:
        raise whole.error(origin, directive, '#include "FILE", the only directive of OIL')
    may_lack, quoted, bracketed = match.groups()
    file = _found(whole, quoted or bracketed, opened, is_quoted=bool(quoted))
    if not file.is_file() and (may_lack or bracketed):
        if not may_lack:
            whole.missing.append((origin, bracketed))
        return
    if not file.is_file():
        raise whole.error(origin, f"no file {file}", MISSING)
    if file.resolve() in [each.resolve() for each in opened]:
        raise whole.error(origin, f"{file}, which includes itself", "a file that does not")
    text = text_of(file, "OIL", may_be_latin_1=True)
    if whole.size + len(text) > LARGEST_FILE:
        raise whole.error(origin, "more than 1 MiB with what is included", "a description")
    _add(whole, file, text, (*opened, file))


def _found(whole: Whole, name: str, opened: tuple[Path, ...], *, is_quoted: bool) -> Path:
    """Return the first file with the name; else the file beside the including one.

    For "NAME" the folders of the including files come first, for <NAME> the search folders.
    """
    around = [file.parent for file in reversed(opened)]
    folders = [*around, *whole.folders] if is_quoted else [*whole.folders, *around]
    files = [folder / name for folder in folders]
    return next((file for file in files if file.is_file()), around[0] / name)
