# SPDX-License-Identifier: MIT
"""Arguments that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

FileArgument = Annotated[Path, typer.Argument(help="A description (TOML).", metavar="FILE")]
