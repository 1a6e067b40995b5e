# SPDX-License-Identifier: MIT
"""Hash the inputs of images of kernel/test, without compiling them.

Usage: python -m proof.kernel.image_inputs TREE < CASES

A line of CASES is the name of a case, which the folder of its image has, too. Each line of the
answer is this name and a hash. The hash covers the files that the lab generates, and each file that
the compiler can read, found in the compiler's order. All conditions of the preprocessor count as
true, so every included file counts.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from described import system_of
from plafond.board.boards import board_of
from plafond.board.image import image_command
from plafond.build.configuration import Configuration, configuration_of
from plafond.build.generate import LEVEL, write_files
from plafond.build.locks import locks_of
from plafond.build.objects import Unit, include_folders, units_of
from table import Case, read_table

from proof.certificate import digest, digest_of

TREE = Path(sys.argv[1]).resolve()
# A macro may name a header, too.
_INCLUDED = re.compile(
    r"""^\s*\#\s*(?:include|define\s+\w+)\s*(?:"([^"]+)"|<([^>]+\.h)>)""", re.MULTILINE | re.VERBOSE
)


def inputs_of(case: Case) -> str:
    """A hash of everything on which a case's image and its end depend, except tools."""
    with tempfile.TemporaryDirectory(prefix="plafond-inputs-") as name:
        folder = Path(name)
        system, board = system_of(case, TREE / "kernel/test"), board_of(case.board)
        configuration = configuration_of(
            system, board, locks_of(system, board, case.protocol), None
        )
        units = units_of(system, configuration)
        write_files(system, configuration, units, folder, LEVEL)
        read = set(_read(units, configuration, (folder, *system.paths(system.kernel.include))))
        texts = {
            each.name: each.read_text(encoding="utf-8").replace(name, "").replace(str(TREE), "")
            for each in sorted(folder.iterdir())
        }
        command = " ".join(map(str, image_command(folder / "image", board))).replace(name, "")
    files = (each for each in read if each.is_relative_to(TREE))
    hashes = sorted(f"{each.relative_to(TREE)} {_hash(each)}" for each in files)
    return digest(case.number, case.code, command, *texts.items(), *hashes)


def _read(
    units: list[Unit], configuration: Configuration, more: tuple[Path, ...]
) -> Iterator[Path]:
    """All files that the compiler can read. `more`: further folders with headers.

    The first folder of `more` is the image's, with the generated files.
    """
    for part in {unit.part for unit in units}:
        sources = [more[0] / unit.source for unit in units if unit.part is part]
        yield from _reached(sources, (more[0], *include_folders(part, configuration), *more[1:]))


@cache
def _hash(file: Path) -> str:
    return digest_of(file)


def _reached(sources: Iterable[Path], folders: tuple[Path, ...]) -> set[Path]:
    """The sources and all included files, except headers of the compiler and the C library."""
    found: set[Path] = set()
    waiting = list(sources)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _included(file, folders)
    return found


def _included(file: Path, folders: tuple[Path, ...]) -> Iterator[Path]:
    for quoted, name in _names(file):
        places = (file.parent, *folders) if quoted else folders
        paths = (place / (quoted or name) for place in places)
        found = next((path for path in paths if _is_file(path)), None)
        if found is not None:
            yield found


def _names(file: Path) -> list[tuple[str, str]]:
    return _names_in(file) if file.is_relative_to(TREE) else _names_now(file)


def _names_now(file: Path) -> list[tuple[str, str]]:
    return _INCLUDED.findall(file.read_text(encoding="utf-8"))


_names_in = cache(_names_now)


def _is_file(path: Path) -> bool:
    return _is_there(path) if path.is_relative_to(TREE) else path.is_file()


@cache
def _is_there(path: Path) -> bool:
    return path.is_file()


def main() -> None:
    """Answer line by line."""
    cases = {case.label: case for case in read_table()}
    for line in sys.stdin:
        print(line.strip(), inputs_of(cases[line.strip()]), flush=True)


if __name__ == "__main__":
    main()
