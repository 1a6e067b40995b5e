# SPDX-License-Identifier: MIT
"""Help with words that are nearly right."""

from collections.abc import Sequence
from difflib import get_close_matches


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return what may have been meant, to be put behind a sentence, or nothing."""
    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
