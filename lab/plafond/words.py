# SPDX-License-Identifier: MIT
"""A phrase that several rooms use, and suggestions for misspelt words."""

from collections.abc import Sequence
from difflib import get_close_matches

# For a bound that needs an analysis that does not exist yet.
NO_BOUND_YET = "no bound yet"


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return a suggestion to append to a message, or nothing."""
    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
