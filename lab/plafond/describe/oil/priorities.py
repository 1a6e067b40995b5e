# SPDX-License-Identifier: MIT
"""Priorities of OIL: 32-bit numbers, of which only the order matters."""

from collections.abc import Mapping

from plafond.describe.fields import HIGHEST_PRIORITY
from plafond.describe.oil.attributes import Given
from plafond.describe.oil.reader import Reader


def priorities_of(reader: Reader, key: str, given: Mapping[str, Given]) -> dict[str, int]:
    """Return the priorities unchanged if a description can hold all of them.

    Otherwise return their ranks. `key` names the attribute.
    """
    written = {name: each.value for name, each in given.items() if isinstance(each.value, int)}
    if all(1 <= priority <= HIGHEST_PRIORITY for priority in written.values()):
        return written
    ordered = sorted(set(written.values()))
    ranks = {priority: rank for rank, priority in enumerate(ordered, 1)}
    odd = next(name for name, each in written.items() if not 1 <= each <= HIGHEST_PRIORITY)
    place = given[odd].place
    if len(ranks) > HIGHEST_PRIORITY:
        found = f"{len(ranks)} different priorities"
        reader.refuse(place, found, f"at most {HIGHEST_PRIORITY}, or all from 1 to it")
    listed = ", ".join(f"{priority} becomes {rank}" for priority, rank in ranks.items())
    why = f"not from 1 to {HIGHEST_PRIORITY}, so each priority becomes its rank: {listed}"
    reader.note(key, place, f"{written[odd]} is {why}")
    return {name: ranks[priority] for name, priority in written.items()}
