# SPDX-License-Identifier: MIT
"""Arguments that several commands have."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

FileArgument = Annotated[Path, typer.Argument(help="A description (TOML).", metavar="FILE")]


class Overhead(StrEnum):
    """What bounds say of the cost of locks, switches, interrupts and unhooked threads."""

    NONE = "none"
    MEASURED = "measured"


OverheadsOption = Annotated[
    Overhead,
    typer.Option(help="Leave overheads out of the bounds, or measure them here and add them."),
]
