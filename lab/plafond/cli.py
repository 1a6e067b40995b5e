# SPDX-License-Identifier: MIT
"""The command `plafond`."""

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from plafond.commands.analyse import analyse
from plafond.commands.bench import app as bench
from plafond.commands.build import build
from plafond.commands.check import check
from plafond.commands.doctor import doctor
from plafond.commands.preload import OWN_WORDS_FIRST, preload
from plafond.commands.prove import prove
from plafond.commands.run import run
from plafond.errors import PlafondError
from plafond.output import INTERRUPTED
from plafond.signals import end_by_signals
from plafond.version import version

app = typer.Typer(
    help="Real-time locking without system calls: the lab of Plafond.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(check)
app.command()(analyse)
app.command()(build)
app.command()(run)
app.add_typer(bench, name="bench")
app.command()(prove)
app.command()(doctor)
app.command(context_settings=OWN_WORDS_FIRST)(preload)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"plafond {version()}")
        raise typer.Exit


@app.callback()
def plafond(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Real-time locking without system calls: the lab of Plafond."""


def main() -> None:
    """Run the command line; a failure is one line on standard error and an exit code."""
    try:
        end_by_signals()
        _run()
    except KeyboardInterrupt:  # outside the commands, which handle it themselves
        sys.exit(INTERRUPTED)
    except PlafondError as error:
        print(f"{error.prefix}{error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader that has gone is no error
            print(f"plafond: {_place_of(error)}{error.strerror or error}", file=sys.stderr)
        _leave_output()
        sys.exit(1)


def _run() -> None:
    words = sys.argv[1:]
    if words[:1] == ["help"]:
        words = [*(word for word in words if word != "help"), "--help"]
    try:
        app(words, prog_name="plafond")
    finally:
        # Flush here, because a failure can still be reported.
        if sys.stdout:
            sys.stdout.flush()


def _place_of(error: OSError) -> str:
    """Return the file that could not be used, as the beginning of a message."""
    if error.filename:
        return f"{error.filename}: "
    if isinstance(error, FileNotFoundError):
        return ""  # no folder for temporary files is usable, and the reason names them
    with suppress(OSError):
        return f"standard output ({os.readlink('/proc/self/fd/1')}): "
    return "standard output: "


def _leave_output() -> None:
    """Redirect standard output to nowhere, so that Python's flush at exit does not fail again."""
    with suppress(OSError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
