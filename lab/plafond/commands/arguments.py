# SPDX-License-Identifier: MIT
"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

FileArgument = Annotated[Path, typer.Argument(help="A description (TOML).", metavar="FILE")]
# Where something else may stand in its place.
OptionalFileArgument = Annotated[
    Path | None, typer.Argument(help="A description (TOML).", metavar="FILE")
]
