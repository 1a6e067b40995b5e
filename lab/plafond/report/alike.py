# SPDX-License-Identifier: MIT
"""Protocols that agree: shown once, with all their names.

In virtual time the protocols of Plafond's own kernel often lead to the same schedule.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def alike(items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Return the items in groups of the same key, in the order of the first of each."""
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def names_of(protocols: Sequence[str], count: int) -> str:
    """Name some of `count` protocols: `none`, `none and inherit`, `all 6 protocols`."""
    if len(protocols) == count > 1:
        return "both protocols" if count == 2 else f"all {count} protocols"
    return in_words(protocols)


def in_words(words: Sequence[str]) -> str:
    """Join them as a sentence does: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
