# SPDX-License-Identifier: MIT
"""What of a long run lies in a short time, found without a look at all of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from plafond.trace.activations import Span

Item = TypeVar("Item")


class During(Generic[Item]):
    """Items, each with a begin and an end, in the order of their begins."""

    def __init__(self, items: Sequence[Item], span_of: Callable[[Item], Span]) -> None:
        """Take the items; `span_of` says from when to when one lasts."""
        spans = [span_of(item) for item in items]
        self._items = items
        self._begins = [begin for begin, _ in spans]
        self._ends = [end for _, end in spans]
        self._latest = list(accumulate(self._ends, max))  # end of all up to here: in order

    def overlapping(self, begin: int, end: int) -> list[Item]:
        """Return those of which a part lies between the two times, in order."""
        first = bisect_right(self._latest, begin)
        last = bisect_left(self._begins, end)
        return [self._items[i] for i in range(first, last) if self._ends[i] > begin]
