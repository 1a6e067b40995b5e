# SPDX-License-Identifier: MIT
"""The model's timers: they become due on a counter, in a defined order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(eq=False, kw_only=True)
class Timer:
    """An alarm, or a schedule table."""

    counter: int
    is_set: bool = False
    left: int = 0  # ticks; 0: due, after others of this tick
    order: int = 0  # the order in which they were set


class Timers:
    """All timers. Timers of the same tick are due in the order in which they were set."""

    def __init__(self) -> None:
        """There is no timer."""
        self.timers: list[Timer] = []
        self.orders = 0

    def set(self, timer: Timer, left: int) -> None:
        """Set the timer, due in `left` ticks; 0: in the tick that is being counted."""
        self.orders += 1
        timer.is_set, timer.left, timer.order = True, left, self.orders

    def counted(self, counter: int) -> Iterator[Timer]:
        """Return the timers that the next tick makes due, and timers that these set for it."""
        own = [timer for timer in self.timers if timer.counter == counter]
        for timer in own:
            if timer.is_set:
                timer.left -= 1
        while due := [timer for timer in own if timer.is_set and not timer.left]:
            first = min(due, key=lambda timer: timer.order)
            first.is_set = False
            yield first
