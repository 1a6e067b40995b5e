# SPDX-License-Identifier: MIT
"""Text in two columns: a name, and its explanation."""

from textwrap import fill

WIDTH = 100


def entry(name: str, text: str, column: int) -> str:
    """Return the lines of a name; a name that is too long for its column gets a separate line."""
    indent = " " * column
    fits = len(name) < column
    filled = fill(
        text,
        WIDTH,
        initial_indent=f"{name:<{column}}" if fits else indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return filled if fits else f"{name}\n{filled}"
