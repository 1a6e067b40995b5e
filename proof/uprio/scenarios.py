# SPDX-License-Identifier: MIT
"""Who runs what: the first one is there from the start, the others arrive."""

from __future__ import annotations

from world import (
    R3,
    R5,
    R5B,
    R5C,
    R7,
    T1,
    T2,
    T2I,
    T2N,
    T3,
    T4,
    T5,
    T6,
    T7,
    T8,
    Actor,
    Garbage,
    Scenario,
)

ONES = 0xFFFF_FFFF


def _once(task: int, resource: int) -> Actor:
    return Actor(task, "once", resource)


def _by(task: int) -> Actor:
    return Actor(task, "bystander")


def _scenario(name: str, *actors: Actor) -> Scenario:
    return Scenario(name, actors)


# The foul one's level is between 2 and 5; what the others use is not its own.
_FOUL = (_once(T2N, R3), _by(T1), _once(T6, R7))
_SAVED = (Garbage(0, 0, R3), Garbage(0, ONES, R3))
_GARBAGE = (
    *(Garbage(1, value) for value in (0, 6, ONES)),
    *(Garbage(2, value) for value in (0, ONES)),
    Garbage(0, ONES),
    *_SAVED,
)
_GARBAGE_EXTENDED = (
    *(Garbage(3, value) for value in (1 + R7, ONES)),
    *(Garbage(place, value) for place, value in ((4, ONES), (5, 0))),
)

SCENARIOS = (
    _scenario("flat", Actor(T2, "flat"), _once(T3, R3), _once(T5, R5)),
    _scenario("rising", Actor(T2, "rising"), _once(T3, R3), _by(T8)),
    _scenario("rising, between", Actor(T2, "rising"), _once(T4, R7), _by(T6)),
    _scenario("rising, twice", Actor(T2, "nested2"), Actor(T3, "rising"), _once(T4, R5)),
    _scenario("falling", Actor(T2, "falling"), _once(T7, R7), _by(T1)),
    _scenario("falling, between", Actor(T2, "falling"), _once(T4, R5), _by(T6)),
    _scenario("saddle", Actor(T2, "saddle"), _once(T3, R3), _once(T6, R7)),
    _scenario("equal", Actor(T2, "equal"), _once(T5, R5B), _once(T4, R5C)),
    _scenario("comb", Actor(T2, "comb"), _by(T3), _once(T5, R5)),
    _scenario("from below", Actor(T1, "flat"), Actor(T2, "nested2"), _by(T4)),
    _scenario("internal", Actor(T2I, "rising"), _by(T3), _once(T5, R5)),
    Scenario("foul", _FOUL, _GARBAGE),
)
EXTENDED = (
    _scenario("rising", Actor(T2, "rising"), _once(T4, R7), _by(T8)),
    _scenario("saddle", Actor(T2, "saddle"), _once(T3, R3), _once(T6, R7)),
    Scenario("foul", _FOUL, _GARBAGE_EXTENDED),
)
