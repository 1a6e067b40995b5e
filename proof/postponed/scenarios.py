# SPDX-License-Identifier: MIT
"""The scenarios of postponed_ceiling.h: L runs first, and the others arrive."""

from __future__ import annotations

from proof.boundary.subject import Driver, staged
from proof.boundary.system import Actor, Scenario

DRIVER = Driver("postponed", "proof/postponed/driver.c")


def _once(name: str, priority: int, lock: int) -> Actor:
    return Actor(name, "once", priority, (lock,))


def _by(name: str, priority: int) -> Actor:
    return Actor(name, "bystander", priority)


def _sleeper(name: str, priority: int, lock: int) -> Actor:
    return Actor(name, "sleeper", priority, (lock,), suspends=True)


def _scenario(name: str, ceilings: tuple[int, ...], *actors: Actor) -> Scenario:
    return Scenario(name, ceilings, actors)


def _low(script: str) -> Actor:
    return Actor("L", script, 10)


_TWICE, _NESTED2, _NESTED3 = _low("twice"), _low("nested2"), _low("nested3")
_FIFO, _MIDDLE = _low("first_in_first_out"), _low("middle_first")
_RISING, _FALLING, _EQUAL, _SADDLE = (20, 30, 40), (40, 30, 20), (30, 30, 30), (30, 20, 40)

_SCENARIOS = (
    _scenario("flat", (30,), _TWICE, _once("M", 20, 0), _once("H", 30, 0)),
    _scenario("flat, equals", (20,), _TWICE, _once("M", 20, 0), _once("N", 20, 0)),
    _scenario("flat, bystanders", (30,), _TWICE, _by("M", 30), _by("H", 31)),
    _scenario("flat, no base", (30,), Actor("L", "twice", 0), _once("M", 1, 0), _by("H", 30)),
    _scenario("flat, at its ceiling", (20,), Actor("L", "twice", 20), _by("M", 20), _by("H", 21)),
    _scenario("sections of two", (20, 40), _once("L", 10, 0), _once("M", 30, 1), _once("H", 40, 1)),
    _scenario("nested 2, both", (30, 40), _NESTED2, Actor("M", "nested2", 20), _once("H", 30, 1)),
    _scenario("nested 3, rising", _RISING, _NESTED3, _once("M", 20, 0), _once("H", 40, 2)),
    _scenario("nested 3, falling", _FALLING, _NESTED3, _once("M", 20, 2), _once("H", 40, 0)),
    _scenario("nested 3, equal", _EQUAL, _NESTED3, _once("M", 20, 2), _once("H", 30, 0)),
    _scenario("nested 3, saddle", _SADDLE, _NESTED3, _once("M", 20, 1), _by("H", 30)),
    _scenario("nested 3, bystanders", _RISING, _NESTED3, _by("M", 30), _by("H", 41)),
    _scenario("first in, first out", _RISING, _FIFO, _once("M", 20, 0), _once("H", 40, 2)),
    _scenario("first in, falling", _FALLING, _FIFO, _once("M", 20, 2), _by("H", 35)),
    _scenario("middle first", _RISING, _MIDDLE, _once("M", 30, 1), _once("H", 40, 2)),
    _scenario("middle first, saddle", (20, 40, 30), _MIDDLE, _by("M", 30), _once("H", 40, 1)),
    _scenario("sleeps inside", (30,), _sleeper("L", 10, 0), _once("M", 20, 0), _once("H", 30, 0)),
    _scenario(
        "sleeps in an inner section",
        (20, 40),
        Actor("L", "deep_sleeper", 10, suspends=True),
        _once("M", 20, 0),
        _once("H", 40, 1),
    ),
    _scenario("sleeps above", (20, 40), _once("L", 10, 0), _sleeper("H", 40, 1), _once("M", 30, 1)),
    _scenario(
        "comer sleeps inside", (30,), _once("L", 10, 0), _sleeper("M", 20, 0), _once("H", 30, 0)
    ),
)

SUBJECTS = staged(_SCENARIOS, DRIVER)
