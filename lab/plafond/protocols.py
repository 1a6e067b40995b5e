# SPDX-License-Identifier: MIT
"""The names of the protocols, and lists of them as people write them."""

from collections.abc import Sequence
from enum import StrEnum

from plafond.errors import ArgumentError
from plafond.words import suggestion


class Protocol(StrEnum):
    """What a lock does to priorities, as far as an analysis tells it apart."""

    CEILING = "ceiling"  # immediate ceilings: plafond in every form, priority protection
    INHERIT = "inherit"  # priority inheritance
    NONE = "none"  # plain mutexes


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

# What runs without our kernel modules.
STOCK = frozenset(
    ("plafond", "plafond-strict", "plafond-syscall", "protect", "inherit", "none"),
)


def parse_protocols(text: str, known: Sequence[str]) -> list[str]:
    """Turn `inherit,none` into a list without repetitions; ArgumentError names the wrong word."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            expected = ", ".join(known) + suggestion(word, list(known))
            raise ArgumentError(f"--protocol: found {word!r}; expected some of {expected}")
    return list(dict.fromkeys(words))
