# SPDX-License-Identifier: MIT
"""The attributes of OIL as text, for authors of OIL files."""

from plafond.check.key_text import keys_text
from plafond.describe.oil.keys import (
    IGNORED,
    OF_BUILD,
    REFUSED,
    REFUSED_KINDS,
    REFUSED_VALUES,
    TAKEN,
)

NAMES = 36  # the width of the column


def attribute_text() -> str:
    """Return the taken attributes in OIL, then the ignored and refused attributes with reasons."""
    refused = REFUSED_KINDS | REFUSED | _by_name(REFUSED_VALUES)
    tables = {
        "ignored": IGNORED,
        "refused by a build; expected": _by_name(OF_BUILD),
        "refused; expected": refused,
    }
    parts = [f"{title}:\n{keys_text(keys, NAMES)}" for title, keys in tables.items()]
    return "\n\n".join([f"taken:\n{TAKEN.rstrip()}", *parts])


def _by_name(values: dict[tuple[str, object], str]) -> dict[str, str]:
    return {f"{name} = {value}": expected for (name, value), expected in values.items()}
