# SPDX-License-Identifier: MIT
"""The attributes of OIL as text, for authors of OIL files."""

from plafond.check.key_text import keys_text
from plafond.describe.oil.keys import IGNORED, IGNORED_KINDS, REFUSED, REFUSED_KINDS, TAKEN

NAMES = 36  # the width of the column


def attribute_text() -> str:
    """Return what is taken, as OIL writes it, and why all else is not."""
    tables = {
        "ignored": IGNORED_KINDS | IGNORED,
        "refused; expected": REFUSED_KINDS | REFUSED,
    }
    parts = [f"{title}:\n{keys_text(keys, NAMES)}" for title, keys in tables.items()]
    return "\n\n".join([f"taken:\n{TAKEN.rstrip()}", *parts])
