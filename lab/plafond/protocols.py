# SPDX-License-Identifier: MIT
"""The names of the protocols, and lists of them as people write them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from plafond.errors import ArgumentError
from plafond.words import suggestion


class Protocol(StrEnum):
    """What a lock does to priorities or deadlines, as far as an analysis tells it apart."""

    CEILING = "ceiling"  # immediate ceilings: plafond in every form, priority protection
    INHERIT = "inherit"  # priority inheritance
    NONE = "none"  # plain mutexes
    FLOOR = "floor"  # deadline floors, under EDF; the stack resource policy has the same terms


# What runs on Linux, and which analysis it falls under.
ON_LINUX = {
    "plafond": Protocol.CEILING,
    "plafond-strict": Protocol.CEILING,
    "plafond-module": Protocol.CEILING,
    "plafond-module-strict": Protocol.CEILING,
    "plafond-syscall": Protocol.CEILING,
    "protect": Protocol.CEILING,
    "inherit": Protocol.INHERIT,
    "none": Protocol.NONE,
    # Sections run in the kernel, under mutexes for drivers.
    "immpc": Protocol.CEILING,
    "immpc-eager": Protocol.CEILING,
    "rt-mutex": Protocol.INHERIT,
}

# What runs on Plafond's own kernel, under fixed priorities.
ON_BOARD = {
    "syscall": Protocol.CEILING,
    "uprio-kprio": Protocol.CEILING,
    "uprio-kprio-lazy": Protocol.CEILING,
    "uprio-nprio": Protocol.CEILING,
    "lazy-ceiling": Protocol.CEILING,
    "lazy-ceiling-simple": Protocol.CEILING,
}

# And under EDF.
ON_BOARD_EDF = {
    "deadline-floor": Protocol.FLOOR,
    "lazy-floor": Protocol.FLOOR,
}
ANALYSED = ON_LINUX | ON_BOARD | ON_BOARD_EDF

# What runs without our kernel modules.
STOCK = frozenset(
    ("plafond", "plafond-strict", "plafond-syscall", "protect", "inherit", "none"),
)


def parse_protocols(
    text: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None
) -> list[str]:
    """Turn `inherit,none` into a list without repetitions; ArgumentError names the wrong word.

    `elsewhere`: what is known, but not here, and what it needs.
    """
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            needs = (elsewhere or {}).get(word)
            hint = f" ({word} needs {needs})" if needs else suggestion(word, list(known))
            expected = f"{', '.join(known)}{hint}"
            raise ArgumentError(f"--protocol: found {word!r}; expected some of {expected}")
    return list(dict.fromkeys(words))
