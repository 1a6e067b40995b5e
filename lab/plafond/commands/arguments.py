# SPDX-License-Identifier: MIT
"""The FILE argument of several commands: a description."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plafond.describe import System
    from plafond.describe.source import Source

_HELP = "A description: TOML, or rt-app's JSON (NAME.json) or OIL (NAME.oil), which is converted."

FileArgument = Annotated[Path, typer.Argument(help=_HELP, metavar="FILE")]
# For a command that also runs without a description.
OptionalFileArgument = Annotated[Path | None, typer.Argument(help=_HELP, metavar="FILE")]


def read_with_notes(file: Path) -> "Source":
    """Read the file. Print a note for each item that a description cannot express."""
    from plafond.describe.read import read

    source = read(file)
    for note in source.notes:
        print(note, file=sys.stderr)
    return source


def load_with_notes(file: Path) -> "System":
    """Return the system that the file describes. Print notes as read_with_notes() does."""
    from plafond.describe.loading import system_from

    return system_from(read_with_notes(file))
