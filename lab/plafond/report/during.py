# SPDX-License-Identifier: MIT
"""Find the items of a long run that overlap a short time, without a scan of all items."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from plafond.trace.activations import Span

Item = TypeVar("Item")


class During(Generic[Item]):
    """Items with a begin and an end, in the order of their begins."""

    def __init__(self, items: Sequence[Item], span_of: Callable[[Item], Span]) -> None:
        """Take the items; `span_of` returns the begin and end of an item."""
        spans = [span_of(item) for item in items]
        self._items = items
        self._begins = [begin for begin, _ in spans]
        self._ends = [end for _, end in spans]
        # The latest end of all items up to here; it never falls, so overlapping() can bisect it.
        self._latest = list(accumulate(self._ends, max))

    def overlapping(self, begin: int, end: int) -> list[Item]:
        """Return the items that overlap the time from `begin` to `end`, in order."""
        first = bisect_right(self._latest, begin)
        last = bisect_left(self._begins, end)
        return [self._items[i] for i in range(first, last) if self._ends[i] > begin]
