# SPDX-License-Identifier: MIT
"""Protocols that agree: shown once, with all their names.

In virtual time the protocols of Plafond's own kernel often lead to the same schedule.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeVar

from plafond.columns import Column
from plafond.rows import lines_of, with_lines

Line = Sequence[str]
Item = TypeVar("Item")


def alike(items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Return the items grouped by key, in the order of each key's first item."""
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
    """Join words as in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def once(names: Iterable[str]) -> list[str]:
    """Blank repetitions, so that a task, thread or server is named in its first line only."""
    listed = list(names)
    return [*listed[:1], *("" if name == before else name for before, name in pairwise(listed))]


def in_one_line(columns: Sequence[Column], count: int) -> list[Column]:
    """Return the columns with a single line for each name whose protocols all agree.

    The first column is the name, and the second is a protocol out of `count`.
    """
    groups = groupby(lines_of(columns), itemgetter(0))
    lines = [line for _, of_name in groups for line in _in_one(list(of_name), count)]
    name, *others = with_lines(columns, lines)
    return [replace(name, cells=once(name.cells)), *others]


def _in_one(lines: Sequence[Line], count: int) -> Iterable[Line]:
    """Return the lines of a name; if its protocols agree, the lines of the first protocol."""
    by_protocol: dict[str, list[Line]] = {}
    for name, protocol, *cells in lines:
        by_protocol.setdefault(protocol, []).append([name, *cells])
    first = next(iter(by_protocol.values()))
    if any(several != first for several in by_protocol.values()):
        return lines
    protocols = names_of(list(by_protocol), count)
    return [[name, protocols, *cells] for name, *cells in first]


def merged(columns: Sequence[Column], count: int) -> list[Column]:
    """Return the columns with a single line for protocols that agree; the first column names
    them."""
    groups = alike(lines_of(columns), lambda line: line[1:])
    lines = [[names_of([line[0] for line in group], count), *group[0][1:]] for group in groups]
    return with_lines(columns, lines)
