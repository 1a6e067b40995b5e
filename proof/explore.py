# SPDX-License-Identifier: MIT
"""What the sweeps of compiled code have in common: states as numbers, and what follows each."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)


class ViolationError(Exception):
    """A rule is broken."""


class Interned(Generic[T]):
    """Values and their numbers."""

    def __init__(self) -> None:
        """Start with none."""
        self.values: list[T] = []
        self._number: dict[T, int] = {}

    def number(self, value: T) -> int:
        """Return the value's number, a new one if it has none."""
        known = self._number.setdefault(value, len(self.values))
        if known == len(self.values):
            self.values.append(value)
        return known


class Steps(Protocol[S]):
    """A system whose states can be stepped and judged."""

    def step(self, state: S, limit: int) -> S | None:
        """Go on for up to `limit` instructions; None: nobody runs."""

    def asleep(self, state: S) -> tuple[Any, ...]:
        """Who can still arrive."""

    def judge_rest(self, state: S) -> None:
        """Nobody runs and nobody is left to arrive."""


class Chains(Generic[S]):
    """The states that follow each other, an instruction apart, while nobody arrives."""

    def __init__(self, system: Steps[S], longest: int) -> None:
        """`longest`: more instructions than from one arrival to the end of everything."""
        self._system = system
        self._longest = longest
        self.length: dict[S, int] = {}  # boundaries from that state to the end

    def follow(self, state: S | None) -> list[S]:
        """Go on until all is quiet or known; return the states that are new."""
        new: dict[S, None] = {}
        rest = 0
        while state is not None:
            known = self.length.get(state)
            if known is not None:
                rest = known
                break
            if state in new or len(new) > self._longest:
                raise ViolationError("livelock: they run in circles")
            new[state] = None
            following = self._system.step(state, 1)
            if following is None and not self._system.asleep(state):
                self._system.judge_rest(state)
            state = following
        chain = list(new)
        for distance, passed in enumerate(reversed(chain), 1):
            self.length[passed] = rest + distance
        return chain
