# SPDX-License-Identifier: MIT
"""A word that several rooms say, and help with words that are nearly right."""

from collections.abc import Sequence
from difflib import get_close_matches

# Of a bound that a later analysis will have.
NO_BOUND_YET = "no bound yet"


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return what may have been meant, to be put behind a sentence, or nothing."""
    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
