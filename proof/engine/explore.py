# SPDX-License-Identifier: MIT
"""Explore compiled code: arrivals at every boundary, and at every pair of boundaries.

A state consists of a *moment* and a *place*. A moment has the own state of the running actor, the
shared state, the schedule and the notes. A place has the own states of all other actors. While the
same actor runs, the next moment does not depend on the place. So moments and places are numbered,
and each moment keeps its followers. engine/explore.c has the loops. It calls the system here once
for each moment, for the effect of an instruction or an arrival.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from proof.engine.native import prepare as prepare

T = TypeVar("T", bound=Hashable)

Moment = tuple[int, int, int]  # numbers: running actor's own state or NONE, shared state, the rest
Way = tuple[tuple[int, int], ...]  # (boundaries after the last arrival, the actor that arrives)

NONE = -1


class ViolationError(Exception):
    """A rule is broken."""


class Interned(Generic[T]):
    """Values and their numbers."""

    def __init__(self) -> None:
        """Start with no values."""
        self.values: list[T] = []
        self._number: dict[T, int] = {}

    def number(self, value: T) -> int:
        """Return the value's number, a new one if it has none."""
        known = self._number.get(value)
        if known is None:
            known = self._number[value] = len(self.values)
            self.values.append(value)
        return known


class Steps(Protocol):
    """A system whose moments can be stepped and judged."""

    leap: int  # the limit of a step from mark to mark

    def running_in(self, system: int) -> int | None:
        """The actor that has the CPU; `system`: the last number of a moment."""

    def asleep_in(self, system: int) -> tuple[int, ...]:
        """The actors that can arrive."""

    def is_open(self, system: int) -> bool:
        """Whether any actor can arrive, now or after sleeping in a section."""

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """Run for up to `limit` instructions or to a mark; return the moment after `running`."""

    def arrive(self, running: int | None, moment: Moment, index: int) -> Moment:
        """An interrupt wakes `index`; return the moment after the interrupted actor."""

    def judge_rest(self, shared: int, system: int) -> None:
        """No actor runs, and no actor can arrive any more."""


# ---- Declarations of engine/engine.h ----

_MAX_ASLEEP = 64
_EXPLORED, _STOPPED, _LIVELOCK, _CIRCLES = range(4)  # any other: out of memory
_Report = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
_Move = ctypes.CFUNCTYPE(ctypes.c_int, *5 * [ctypes.c_int])
_Judge = ctypes.CFUNCTYPE(ctypes.c_int, *2 * [ctypes.c_int])


class _Reported(ctypes.Structure):
    """`struct reported`."""

    _fields_ = (
        *(("running", ctypes.c_int32), ("is_open", ctypes.c_int32), ("count", ctypes.c_int32)),
        ("asleep", ctypes.c_int32 * _MAX_ASLEEP),
    )


class _Asked(ctypes.Structure):
    """`struct system`."""

    _fields_ = (
        *(("report", _Report), ("go", _Move), ("arrive", _Move), ("judge_rest", _Judge)),
        ("after", ctypes.POINTER(ctypes.c_int32)),
        ("reported", ctypes.POINTER(_Reported)),
    )


# ---- Exploration ------


class Moments:
    """All known moments, and the facts about each. Explorations share them."""

    def __init__(self, system: Steps) -> None:
        """Start with no moments."""
        self.problems: list[BaseException] = []  # the system's exceptions; C cannot raise them
        self._asked = _asked(system, self.problems)
        engine = prepare()
        self.handle = ctypes.c_void_p(engine.moments_create(ctypes.byref(self._asked)))
        if not self.handle:
            raise MemoryError
        weakref.finalize(self, engine.moments_destroy, self.handle)


def _asked(system: Steps, problems: list[BaseException]) -> _Asked:
    """The system as C calls it. Each call returns 1 if the system has raised an exception."""

    def guarded(call: Callable[..., None]) -> Callable[..., int]:
        def answer(*numbers: int) -> int:
            try:
                call(*numbers)
            except BaseException as problem:
                problems.append(problem)
                return 1
            return 0

        return answer

    def report(number: int) -> None:
        running, asleep = system.running_in(number), system.asleep_in(number)
        reported.running = NONE if running is None else running
        reported.is_open = system.is_open(number)
        reported.count = len(asleep)
        reported.asleep[: len(asleep)] = asleep

    def go(running: int, own: int, shared: int, number: int, leaps: int) -> None:
        after[:] = list(system.go(running, (own, shared, number), system.leap if leaps else 1))

    def arrive(running: int, own: int, shared: int, number: int, index: int) -> None:
        one = None if running == NONE else running
        after[:] = list(system.arrive(one, (own, shared, number), index))

    # These are not in the structure: it would hold its own holder, and neither would be freed.
    after, reported = (ctypes.c_int32 * 3)(), _Reported()
    return _Asked(
        _Report(guarded(report)),
        _Move(guarded(go)),
        _Move(guarded(arrive)),
        _Judge(guarded(system.judge_rest)),
        after,
        ctypes.pointer(reported),
    )


class Exploration:
    """From one state: arrivals at every boundary, and at every boundary after each.

    A state is not run again if it was met before, down to the last register and byte. Its future is
    the same.
    """

    def __init__(self, moments: Moments, longest: int, arrivals: int | None = None) -> None:
        """`longest`: more instructions than from one arrival to the end of everything.

        `arrivals`: the highest number of arrivals at chosen boundaries (None: any number).
        """
        self._moments = moments
        self._longest = longest
        self._most = NONE if arrivals is None else arrivals
        self.boundaries = self.pairs = self.states = 0
        self.way: Way = ()  # to the state in which it has stopped

    def run(self, actors: tuple[int, ...], shared: int, system: int) -> None:
        """Explore to the end; raises at the first violation."""
        engine = prepare()
        count = len(actors)
        handle = ctypes.c_void_p(
            engine.exploration_create(self._moments.handle, count, self._longest, self._most)
        )
        if not handle:
            raise MemoryError
        try:
            outcome = engine.explore(handle, (ctypes.c_int32 * count)(*actors), shared, system)
            self._take(engine, handle)
        finally:
            engine.exploration_destroy(handle)
        if outcome != _EXPLORED:
            raise self._problem(outcome)

    def _take(self, engine: ctypes.CDLL, handle: ctypes.c_void_p) -> None:
        progress = engine.exploration_progress(handle)
        self.boundaries, self.pairs = progress.boundaries, progress.pairs
        self.states = progress.states
        count = engine.exploration_way(handle, None, 0)
        arrivals = (ctypes.c_int32 * 2 * count)()
        engine.exploration_way(handle, arrivals, count)
        self.way = tuple((boundary, index) for boundary, index in reversed(arrivals))

    def _problem(self, outcome: int) -> BaseException:
        if outcome == _STOPPED:
            return self._moments.problems.pop()
        if outcome == _LIVELOCK:
            return ViolationError("livelock: they run in circles")
        if outcome == _CIRCLES:
            return ViolationError("the actors run in circles")
        return MemoryError()
