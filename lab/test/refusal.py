# SPDX-License-Identifier: MIT
"""The message of a command that refuses its arguments."""

from collections.abc import Sequence

from typer.testing import CliRunner

from plafond.cli import app
from plafond.errors import PlafondError


def refusal(arguments: Sequence[str]) -> str:
    """Run a command, which must end with exit code 2, and return its message."""
    result = CliRunner().invoke(app, arguments)
    error = result.exception
    code, printed = (
        (error.exit_code, str(error))
        if isinstance(error, PlafondError)
        else (result.exit_code, result.output)
    )
    assert code == 2
    return printed
