# SPDX-License-Identifier: MIT
"""The keys of rt-app's description as text, for authors of descriptions."""

from textwrap import fill

from plafond.check.schema_text import WIDTH
from plafond.describe.rt_app.keys import IGNORED, REFUSED, TAKEN

NAMES = 18  # the width of the column


def key_text() -> str:
    """Return every key: what is expected where it is taken, or why it is not."""
    taken = {f"taken, {_of(table)}": keys for table, keys in TAKEN.items()}
    refused = {f"refused, {_of(table)}; expected": keys for table, keys in REFUSED.items()}
    parts = taken | {"ignored, of global": IGNORED} | refused
    return "\n\n".join(f"{title}:\n{keys_text(keys, NAMES)}" for title, keys in parts.items())


def _of(table: str) -> str:
    return f"of {table}" if table else "of the file"


def keys_text(keys: dict[str, str], width: int) -> str:
    """Return a line for each key, and further ones for what is long; keys in so wide a column.

    A key that is wider than the column has a line of its own.
    """
    return "\n".join(_key_text(key, text, width) for key, text in keys.items())


def _key_text(key: str, text: str, width: int) -> str:
    indent = " " * width
    fits = len(key) < width
    first = f"{key:<{width}}" if fits else indent
    filled = fill(
        text, WIDTH, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )
    return filled if fits else f"{key}\n{filled}"
