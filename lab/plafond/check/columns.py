# SPDX-License-Identifier: MIT
"""Names in a column, and beside it what is said of them."""

from textwrap import fill

WIDTH = 100


def entry(name: str, text: str, column: int) -> str:
    """Return the lines of one name; one that its column has no room for has a line of its own."""
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
