# SPDX-License-Identifier: MIT
"""Arrivals at every instruction boundary, and at every pair of them; and the shortest way to fail.

From a state the running actor goes on instruction by instruction. Before each instruction, any
actor that still sleeps may arrive. So the first arrival comes at every boundary of the first actor.
The second comes at every later boundary of the running actor, in both orders. A state is not run
again if it was met before, down to the last register and byte, because its future is the same.
"""

from __future__ import annotations

import gc
import heapq
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from proof.engine.emulator import FaultError
from proof.engine.explore import Exploration, Moments, ViolationError, Way
from proof.engine.moves import Moves, State

CHAIN_LIMIT = 100_000  # instructions from one arrival to the end of everything


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one scenario."""

    scenario: str
    variant: str
    isa: str
    boundaries: int  # of the first actor alone
    pairs: int  # boundary of the first arrival, boundary of the second
    states: int  # different states
    violation: str | None
    trace: tuple[str, ...] = ()


def replayed(
    system: Moves[Any, Any], way: Way, lines: list[str], *, with_code: bool
) -> tuple[str, ...]:
    """Go the same way again and report it in `lines`; `with_code`: also its instructions."""
    system.report = lines.append
    try:
        _go(system, way, lines, with_code=with_code)
    except (ViolationError, FaultError) as error:
        lines.append(f"BROKEN: {error}")
    system.report = None
    return tuple(lines)


def _go(system: Moves[Any, Any], way: Way, lines: list[str], *, with_code: bool) -> None:
    state = system.initial
    for place, index in way:
        for _ in range(place):
            following = system.step(state, 1)
            assert following is not None
            state = following
        if with_code:
            lines.append(f"({system.describe(state)})")
        lines.append(system.arrivals[index])
        state = system.wake(state, index)
    for _ in range(CHAIN_LIMIT):
        following = system.step(state, 1)
        if following is None:
            asleep = system.asleep(state)
            if not asleep:
                system.judge_rest(state.shared, state.system)
                return
            lines.append(system.arrivals[asleep[0]])
            following = system.wake(state, asleep[0])
        state = following


class Named(Protocol):
    """A variant of the code."""

    @property
    def name(self) -> str:
        """For the table."""


class Loaded(Protocol):
    """The image that a system runs."""

    @property
    def isa(self) -> str:
        """The processor's instruction set."""


L = TypeVar("L", bound=Loaded)
C = TypeVar("C", bound=Loaded, contravariant=True)


class Swept(Protocol[C]):
    """One scenario for one variant."""

    @property
    def name(self) -> str:
        """The scenario's name."""

    @property
    def variant(self) -> Named:
        """The variant, which decides the image."""

    def system(self, image: C) -> Moves[Any, Any]:
        """Its actors, ready to be moved."""


class Stage(Generic[L]):
    """A subject in one image. A sweep leaves the followers of its moments to the next sweep."""

    def __init__(self, image: L, subject: Swept[L]) -> None:
        """Do not prepare a system yet, because that may fail, too."""
        self.subject = subject
        self._image = image
        self._known: tuple[Moves[Any, Any], Moments] | None = None

    def _prepared(self) -> tuple[Moves[Any, Any], Moments]:
        if self._known is None:
            system = self.subject.system(self._image)
            self._known = system, Moments(system)
        return self._known

    def sweep(self, arrivals: int | None = None) -> Result:
        """Explore all arrivals, or up to `arrivals`; return the result."""
        gc.disable()  # many states live to the end, and none of them in a cycle
        violation: str | None = None
        trace: tuple[str, ...] = ()
        walk: Exploration | None = None
        try:
            system, moments = self._prepared()
            walk = Exploration(moments, CHAIN_LIMIT, arrivals)
            walk.run(*system.initial)
        except (ViolationError, FaultError) as error:
            violation = str(error)
            if walk is not None:
                trace = replayed(system, walk.way, [], with_code=True)
        return Result(
            self.subject.name,
            self.subject.variant.name,
            self._image.isa,
            walk.boundaries if walk is not None else 0,
            walk.pairs if walk is not None else 0,
            walk.states if walk is not None else 0,
            violation,
            trace,
        )


def shortest(system: Moves[Any, Any]) -> Way | None:
    """The way to a violation with the fewest arrivals, then the fewest instructions.

    If there are several, prefer the way with the earliest arrivals.
    """
    # An entry's cost: arrivals, instructions, the sum of the arrivals' moments, and a number that
    # orders entries of equal cost.
    queue: list[tuple[int, int, int, int, State, Way, int]] = []
    heapq.heappush(queue, (0, 0, 0, 0, system.initial, (), 0))
    seen: set[State] = set()
    numbers = count(1)
    while queue:
        arrivals, instructions, moments, _, state, way, since = heapq.heappop(queue)
        if state in seen:
            continue
        seen.add(state)
        try:
            following = system.step(state, 1)
            if following is None and not system.asleep(state):
                system.judge_rest(state.shared, state.system)
        except (ViolationError, FaultError):
            return way
        if following is not None:
            cost = (arrivals, instructions + 1, moments, next(numbers))
            heapq.heappush(queue, (*cost, following, way, since + 1))
        for index in system.asleep(state):
            longer = (*way, (since, index))
            try:
                woken = system.wake(state, index)
            except (ViolationError, FaultError):
                return longer
            cost = (arrivals + 1, instructions, moments + instructions, next(numbers))
            heapq.heappush(queue, (*cost, woken, longer, 0))
    return None
