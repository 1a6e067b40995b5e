# SPDX-License-Identifier: MIT
"""The argument that several commands have: a description."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plafond.describe import System
    from plafond.describe.source import Source

_HELP = "A description: TOML, or rt-app's JSON (NAME.json) or OIL (NAME.oil), which is converted."

FileArgument = Annotated[Path, typer.Argument(help=_HELP, metavar="FILE")]
# Where something else may stand in its place.
OptionalFileArgument = Annotated[Path | None, typer.Argument(help=_HELP, metavar="FILE")]


def read_with_notes(file: Path) -> "Source":
    """Return what the file says; print what it says and a description does not, a line each."""
    from plafond.describe.read import read

    source = read(file)
    for note in source.notes:
        print(note, file=sys.stderr)
    return source


def load_with_notes(file: Path) -> "System":
    """Return the system that the file describes, and print notes as above."""
    from plafond.describe.loading import system_from

    return system_from(read_with_notes(file))
