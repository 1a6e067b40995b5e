# SPDX-License-Identifier: MIT
"""A phrase that several rooms use, and suggestions for misspelt words."""

from collections.abc import Sequence
from difflib import get_close_matches

# For a bound that needs an analysis that does not exist yet.
NO_BOUND_YET = "no bound yet"


MOST_TYPING_FAULTS = 2  # wrong, missing or additional letters of a misspelt name


def misspelt(word: str, known: Sequence[str]) -> str | None:
    """Return the known name that a misspelt name means: at most two letters differ.

    Upper case and underscores do not count. None: it is another name.
    """
    plain = _plain(word)
    for name in known:
        other = _plain(name)
        most = MOST_TYPING_FAULTS if min(len(plain), len(other)) > 4 else 1
        if abs(len(plain) - len(other)) <= most and _distance(plain, other) <= most:
            return name
    return None


def _plain(name: str) -> str:
    return name.replace("_", "").upper()


def _distance(one: str, other: str) -> int:
    """Return the least number of letters to replace, insert or remove (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row = row, [i]
        for j, letter_of_other in enumerate(other, 1):
            row.append(
                min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != letter_of_other))
            )
    return row[-1]


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return a suggestion to append to a message, or nothing."""
    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
