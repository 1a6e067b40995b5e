# SPDX-License-Identifier: MIT
"""Names that a description may have, made from the names of threads and functions."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count

LONGEST = 20  # leaves room for the numbers of equal names


def unique_names(wanted: Mapping[int, str]) -> dict[int, str]:
    """Return a unique name for each number; equal names get their numbers."""
    plain = {number: _plain(name) for number, name in wanted.items()}
    often = Counter(plain.values())
    names = {number: name for number, name in plain.items() if often[name] == 1}
    taken = set(names.values())
    for number, name in plain.items():
        if number not in names:
            names[number] = next(other for other in _further(name, number) if other not in taken)
            taken.add(names[number])
    return names


def _plain(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:LONGEST]
    return plain if plain[:1].isalpha() else f"T{plain}"


def _further(name: str, number: int) -> Iterator[str]:
    yield f"{name}_{number}"
    for again in count(2):
        yield f"{name}_{number}_{again}"
