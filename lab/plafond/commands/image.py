# SPDX-License-Identifier: MIT
"""`plafond run --image`: start an image that was built before."""

from pathlib import Path

import typer

from plafond.output import ended_by_ctrl_c

ITS_OPTIONS = ("image", "limit", "gdb")


def run_image_here(
    context: typer.Context, image: Path, limit_s: float | None, gdb_port: int | None
) -> None:
    """Run the image at our terminal. Raise ArgumentError for options that images do not take."""
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.board.terminal import run_at_our_terminal
    from plafond.errors import ArgumentError

    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if source and source.name == "COMMANDLINE" and name not in ITS_OPTIONS:
            found = parameter.opts[0] if parameter.param_type_name == "option" else "a description"
            raise ArgumentError(f"found {found} beside --image; expected --limit or --gdb at most")
    with ended_by_ctrl_c():
        run_at_our_terminal(image, limit_s, gdb_port)
