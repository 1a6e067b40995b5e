# SPDX-License-Identifier: MIT
"""The names of the protocols, and lists of them as people write them."""

from collections.abc import Sequence

from plafond.describe.lock_order import find_deadlock
from plafond.describe.problems import suggestion
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError

# What the analysis tells apart.
ANALYSED = ("ceiling", "inherit", "none")

# What runs on Linux, and which analysis it falls under.
ON_LINUX = {
    "plafond": "ceiling",
    "plafond-strict": "ceiling",
    "plafond-syscall": "ceiling",
    "protect": "ceiling",
    "inherit": "inherit",
    "none": "none",
}


def parse_protocols(text: str, known: Sequence[str]) -> list[str]:
    """Turn `inherit,none` into a list without repetitions; ArgumentError names the wrong word."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            expected = ", ".join(known) + suggestion(word, list(known))
            raise ArgumentError(f"--protocol: found {word!r}; expected some of {expected}")
    return list(dict.fromkeys(words))


def refuse_deadlock(system: System, protocols: Sequence[str]) -> None:
    """Raise PlafondError if tasks can deadlock under one of the (analysed) protocols."""
    affected = [protocol for protocol in protocols if protocol != "ceiling"]
    deadlock = find_deadlock(system) if affected else None
    if deadlock:
        raise PlafondError(
            f"under {' and '.join(affected)} tasks can deadlock: {'; '.join(map(str, deadlock))}; "
            "expected one order of locking for all tasks, or a protocol with ceilings"
        )
