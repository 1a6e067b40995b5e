# SPDX-License-Identifier: MIT
"""The model's timers: what becomes due on a counter, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(eq=False, kw_only=True)
class Timer:
    """An alarm, or a schedule table."""

    counter: int
    is_set: bool = False
    left: int = 0  # ticks; 0: it is due, behind others of this tick
    order: int = 0  # in which they were set


class Timers:
    """All of them. Those of one tick are due in the order in which they were set."""

    def __init__(self) -> None:
        """There is none."""
        self.timers: list[Timer] = []
        self.orders = 0

    def set(self, timer: Timer, left: int) -> None:
        """It is due in so many ticks; 0: in this tick, which is being counted."""
        self.orders += 1
        timer.is_set, timer.left, timer.order = True, left, self.orders

    def counted(self, counter: int) -> Iterator[Timer]:
        """Return what the next tick of a counter makes due, and what that sets for this tick."""
        own = [timer for timer in self.timers if timer.counter == counter]
        for timer in own:
            if timer.is_set:
                timer.left -= 1
        while due := [timer for timer in own if timer.is_set and not timer.left]:
            first = min(due, key=lambda timer: timer.order)
            first.is_set = False
            yield first
