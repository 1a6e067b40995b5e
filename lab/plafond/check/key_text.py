# SPDX-License-Identifier: MIT
"""The keys of rt-app's description as text, for authors of descriptions."""

from plafond.check.columns import entry
from plafond.describe.rt_app.keys import IGNORED, REFUSED, TAKEN

NAMES = 18  # the width of the column


def key_text() -> str:
    """Return all keys: the expected value of a taken key, or the reason why it is not taken."""
    taken = {f"taken, {_of(table)}": keys for table, keys in TAKEN.items()}
    refused = {f"refused, {_of(table)}; expected": keys for table, keys in REFUSED.items()}
    parts = taken | {"ignored, of global": IGNORED} | refused
    return "\n\n".join(f"{title}:\n{keys_text(keys, NAMES)}" for title, keys in parts.items())


def _of(table: str) -> str:
    return f"of {table}" if table else "of the file"


def keys_text(keys: dict[str, str], width: int) -> str:
    """Return the lines of each key; the column for keys has this width."""
    return "\n".join(entry(key, text, width) for key, text in keys.items())
