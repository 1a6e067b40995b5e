# SPDX-License-Identifier: MIT
"""Scenarios: the actors' tasks and scripts. Actor 0 is ready at the start; the others arrive."""

from __future__ import annotations

from dataclasses import replace

from proof.kernel.world import (
    E4,
    M4,
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
    Time,
)

ONES, LONG_ONES = 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF


def _once(task: int, resource: int, times: int = 1) -> Actor:
    return Actor(task, "once", resource, times)


def _by(task: int, times: int = 1) -> Actor:
    return Actor(task, "bystander", times=times)


def _scenario(name: str, *actors: Actor) -> Scenario:
    return Scenario(name, actors)


# ---- Resources, under fixed priorities -----------------------------------------------------

_FLAT = _scenario("flat", Actor(T2, "flat"), _once(T3, R3), _once(T5, R5))
_RISING = _scenario("rising", Actor(T2, "rising"), _once(T3, R3), _by(T8))
_BETWEEN = _scenario("rising, between", Actor(T2, "rising"), _once(T4, R7), _by(T6))
_TWICE = _scenario("rising, twice", Actor(T2, "nested2"), Actor(T3, "rising"), _once(T4, R5))
_FALLING = _scenario("falling", Actor(T2, "falling"), _once(T7, R7), _by(T1))
_FALLING_BETWEEN = _scenario("falling, between", Actor(T2, "falling"), _once(T4, R5), _by(T6))
_SADDLE = _scenario("saddle", Actor(T2, "saddle"), _once(T3, R3), _once(T6, R7))
_EQUAL = _scenario("equal", Actor(T2, "equal"), _once(T5, R5B), _once(T4, R5C))
_COMB = _scenario("comb", Actor(T2, "comb"), _by(T3), _once(T5, R5))
_BELOW = _scenario("from below", Actor(T1, "flat"), Actor(T2, "nested2"), _by(T4))
_INTERNAL = _scenario("internal", Actor(T2I, "rising"), _by(T3), _once(T5, R5))
RESOURCES = (
    *(_FLAT, _RISING, _BETWEEN, _TWICE, _FALLING, _FALLING_BETWEEN, _SADDLE, _EQUAL, _COMB),
    *(_BELOW, _INTERNAL),
)
EXTENDED = (
    _scenario("rising", Actor(T2, "rising"), _once(T4, R7), _by(T8)),
    _SADDLE,
)

# ---- Spoilt words ----------------------------------------------------------------------------

# The foul task's urgency stays between 2 and 5. T6 uses R7, which the foul task does not use.
_FOUL = (_once(T2N, R3), _by(T1), _once(T6, R7))


_FOUL_AGAIN = (_once(T2N, R3, 2), _once(T6, R7))


def _foul(*garbage: Garbage, at: tuple[int, ...] = (), late: int = 0) -> tuple[Scenario, ...]:
    """Two scenarios. In the second the foul task has another activation, with right words."""
    return (
        Scenario("foul", _FOUL, garbage, time=Time(at, late)),
        Scenario("foul, again", _FOUL_AGAIN, garbage, time=Time(at and (0, 6), late)),
    )


def _each(place: int, *values: int, size: int = 4, resource: int | None = None) -> list[Garbage]:
    return [Garbage(place, value, size, resource) for value in values]


_TASK_WORD = _each(0, ONES)
FOUL_UPRIO = _foul(
    *_each(4, 0, 6, ONES), *_each(8, 0, ONES), *_TASK_WORD, *_each(0, 0, ONES, resource=R3)
)
# Words of extended status: the section entered last, the mask, the resources.
FOUL_UPRIO_X = _foul(*_each(16, 1 + R7, ONES), *_each(20, ONES), *_each(24, 0, ONES))
FOUL_CLAIM = _foul(
    *_each(4, 0, 6, ONES), *_each(8, 0, 6, ONES), *_TASK_WORD, *_each(0, 0, ONES, resource=R3)
)
FOUL_CLAIM_X = FOUL_UPRIO_X
FOUL_CALLED = _foul(*_TASK_WORD)

# ---- The rest of the kernel ------------------------------------------------------------------

_STARTED = (
    *(_once(T3, R3, 0), _once(M4, R5, 0), _once(T5, R5, 0), _once(T4, R5, 0)),
    *(Actor(E4, "waiter", R5, 0), _once(T6, R7, 0)),
)
CORE = (
    Scenario("starter", (Actor(T2, "starter"), *_STARTED, _by(T1)), signals=1),
    _scenario(
        "activator", Actor(T2, "activator"), _once(M4, R5), _once(T5, R5, 0), _once(T1, R3, 0)
    ),
    _scenario("chain", Actor(T2, "chainer", T4), _once(T4, R5, 0), _once(T3, R3)),
    _scenario("chain, again", Actor(T2, "chainer", T4, 2), _once(T4, R5, 0)),
    Scenario("event chain", (Actor(E4, "waiter_chainer", E4), _by(T3)), signals=2),
    _scenario("chain to itself", Actor(M4, "chainer", M4, 2), _by(T3)),
    _scenario("activations", _once(M4, R5, 2), _once(T4, R5), _by(T5)),
    _scenario("again", _once(T2, R3, 2), _once(T3, R3, 2)),
    Scenario("waiter", (Actor(E4, "waiter", R5), Actor(T3, "setter", R3), _by(T4))),
    Scenario("signal", (Actor(E4, "waiter", R5), _by(T6)), signals=1),
    Scenario("signal twice", (Actor(E4, "waiter_again"), _by(T3)), signals=2),
    Scenario("signal again", (Actor(E4, "waiter", R5, 2), _by(T4)), signals=2),
    _scenario("riser", Actor(T2, "riser"), _by(T5, 0), _by(T6, 0), _by(T8, 0), _once(T4, R5)),
    _scenario("masker", Actor(T2, "masker"), _once(T5, R5)),
    _scenario(
        "activator, equal", Actor(T4, "activator"), _once(M4, R5), _once(T5, R5, 0), _by(T1, 0)
    ),
    # M4 is as urgent as the ceiling of the internal resource.
    _scenario(
        "activator, internal", Actor(T2I, "activator"), _once(M4, R5), _once(T5, R5, 0), _by(T1, 0)
    ),
    Scenario("both events", (Actor(E4, "waiter_both"), Actor(T3, "setter", R3)), signals=1),
    Scenario("event in a section", (Actor(T2, "setter", R5), Actor(E4, "waiter", R5)), signals=1),
)
# The foul task may omit a call that it owes. Earlier arrivals must still come first: T5, which is
# more urgent than T4, and T4, which is as urgent as M4.
FOUL_ACTIVATORS = (
    Scenario(
        "foul activator",
        (Actor(T2N, "late_activator", T4), _once(T5, R5), _once(T4, R5, 0)),
        tuple(_each(8, 0)),
    ),
    Scenario(
        "foul activator, equal",
        (Actor(T2N, "late_activator", M4), _once(T4, R5), _once(M4, R5, 0)),
        tuple(_each(8, 0)),
    ),
)
# T3 uses a resource of the yielder. T4 is above that resource's ceiling, but not above the ceiling
# of the internal resource.
YIELDERS = (
    _scenario("yielder", Actor(T2I, "yielder"), _once(T3, R3), _by(T4)),
    _scenario("yielder, preempted", Actor(T2I, "yielder"), _by(T4), _once(T5, R5)),
    _scenario("nested yielder", Actor(T2I, "nested_yielder"), _once(T3, R3), _once(T4, R5)),
)

# ---- Under EDF -------------------------------------------------------------------------------

_LAST = (1 << 64) - 60  # so deadlines wrap, but the clock does not


def _timed(scenario: Scenario, name: str, time: Time) -> Scenario:
    return replace(scenario, name=f"{scenario.name}{name}", time=time)


FLOORS = (
    _timed(_FLAT, "", Time((0, 1, 2))),
    _timed(_FLAT, ", late", Time((0, 1, 2), late=9, step=3)),
    _timed(_FLAT, ", overdue", Time((3, 0, 0), late=1, step=1)),
    _timed(_FLAT, ", ties", Time((0, 10, 30))),
    _timed(_RISING, "", Time((0, 2, 8), step=1)),
    _timed(_RISING, ", late", Time((0, 3, 0), late=4)),
    _timed(_BETWEEN, "", Time((0, 5, 1), late=2)),
    _timed(_TWICE, "", Time((0, 2, 4), step=1)),
    _timed(_FALLING, "", Time((0, 4, 0))),
    _timed(_FALLING_BETWEEN, ", late", Time((0, 4, 2), late=3, step=1)),
    _timed(_SADDLE, "", Time((0, 6, 3), late=1)),
    _timed(_EQUAL, "", Time((0, 10, 20))),
    _timed(_COMB, "", Time((0, 9, 2), step=2)),
    _timed(_COMB, ", wrapping", Time((0, 9, 2), step=2, start=_LAST)),
    _timed(_scenario("sequel", Actor(T2, "sequel"), _by(T6), _by(T8)), "", Time((0, 1, 2), late=3)),
    _timed(_BELOW, ", ties", Time((0, 10, 20), late=5)),
)
FLOORS_EXTENDED = tuple(_timed(s, "", Time((0, 3, 1), late=2)) for s in EXTENDED)
FOUL_FLOOR = _foul(
    *_each(8, 0, 49, LONG_ONES, LONG_ONES // 4, size=8),
    *_each(16, 0, LONG_ONES, size=8),
    *_TASK_WORD,
    *_each(0, 0, LONG_ONES, size=8, resource=R3),
    at=(0, 1, 2),
    late=3,
)
FOUL_FLOOR_X = _foul(
    *_each(24, 1 + R7, ONES),
    *_each(28, ONES),
    *_each(32, 0, LONG_ONES, size=8),
    at=(0, 1, 2),
)
FOUL_CALLED_FLOOR = _foul(*_TASK_WORD, at=(0, 1, 2))
CORE_FLOORS = (
    *(
        _timed(s, "", Time(tuple(2 * i for i in range(len(s.actors))), late=1, step=1))
        for s in CORE
    ),
    *(
        _timed(s, ", at once", Time(tuple(0 for _ in s.actors)))
        for s in CORE
        if s.name in ("starter", "activations", "again", "waiter")
    ),
    *(
        _timed(s, ", late", Time((0, 2), step=1, signal=30))
        for s in CORE
        if s.signals and len(s.actors) == 2
    ),
    _timed(CORE[1], ", overdue", Time((0, 0, 0, 0), step=7)),
    _timed(CORE[0], ", wrapping", Time(tuple(0 for _ in CORE[0].actors), step=1, start=_LAST)),
)
YIELDERS_FLOORS = tuple(_timed(each, "", Time((0, 3, 1), late=1, step=1)) for each in YIELDERS)

# ---- Servers -----------------------------------------------------------------------------------


def _served(name: str, *actors: Actor, timers: int = 2, step: int = 0) -> Scenario:
    return Scenario(name, actors, time=Time(step=step), timers=timers)


# T3, T6 and T8 belong to the less urgent server. No resource has users in both servers.
SERVED = (
    _served("flat", Actor(T2, "flat"), _once(T3, R7)),
    _served("stopped", _by(T2), _once(T6, R7), _by(T8)),
    _served("given", Actor(T2, "late_activator", T6), _once(T6, R7, 0), _once(T3, R7)),
    _served("given back", Actor(T3, "late_activator", T4), _once(T4, R7, 0), _once(T2, R7)),
    _served("late", Actor(T2, "late_activator", T6), _once(T6, R7, 0), _by(T3), step=3),
)
# Both servers have sections. A server may be stopped at any two of their instructions.
SERVED_SECTIONS = (
    _served("stopped, kept out", _once(T3, R7), _once(T6, R7), _by(T2)),
    _served("nested", Actor(T2, "nested2"), _once(T4, R5), _once(T3, R7), timers=1),
    _served("twice", _once(T2, R5, 2), _once(T3, R7), step=1),
)

# ---- Resources of several servers ---------------------------------------------------------------


def _shared(name: str, *actors: Actor, timers: int = 2, at: int = 0) -> Scenario:
    return Scenario(name, actors, time=Time((at,)), timers=timers)


# The first task arrives when its server has a budget of 1 left, or X (which is 2), or just enough
# for a section.
_AT_END, _AT_X, _AT_LAST = 5, 4, 3
_SHARER, _OTHER = _once(T3, R3), _once(T2, R3)

# The holder belongs to the less urgent server. Its budget ends in the section, or it skips.
_ALONE = _shared("alone", _SHARER, timers=4, at=_AT_END)
_NESTED = _shared("nested, kept out", Actor(T3, "nested2"), _once(T2, R5), timers=1, at=_AT_LAST)
# T6 is above the local ceiling under skipping.
_LOCAL = _shared("local", _SHARER, _once(T6, R5), _by(T2), timers=1, at=_AT_LAST)
# The holder belongs to the more urgent server.
_HOLDER = _shared("holder", _OTHER, _SHARER, timers=3)
OVERRUN = (_ALONE, _shared("kept out", _SHARER, _OTHER, at=_AT_END), _HOLDER, _LOCAL)
# Both the budget and the period end during a system call.
LATE = replace(_shared("late sharer", _SHARER, timers=1), time=Time((_AT_END,), step=3))
SKIP = (
    _shared("at the last", _SHARER, _by(T2), at=_AT_LAST),
    _shared("kept out", _SHARER, _OTHER, at=_AT_X),
    _HOLDER,
    _NESTED,
    _LOCAL,
    # T5 is at the ceiling at which T2 waits.
    _shared("at a ceiling", _once(T2, R5), _by(T5), _by(T3), timers=1),
    # A replenishment comes between the clock and the timer.
    _shared("flat sharer", Actor(T2, "flat"), at=5),
)

# Spoilt words: the words that the kernel publishes, the claim, and the claim that a section saved.
_WORDS = 32  # the first of these words, in bytes


def _foul_sharer(row: int) -> Scenario:
    """`row`: the wrong row."""
    garbage = (
        *_each(_WORDS, 0, LONG_ONES, size=8),
        *_each(_WORDS + 8, 0, ONES),
        *_each(_WORDS + 12, row),
        *_each(_WORDS + 16, 0, ONES),
        *_each(12, ONES, resource=R3),
    )
    actors = (_SHARER, _once(T2, R5))
    return Scenario("foul sharer", actors, garbage, time=Time((_AT_LAST,)), timers=2)


FOUL_OVERRUN, FOUL_SKIP = _foul_sharer(1), _foul_sharer(0)

# Four servers: claims nest; servers above a claim preempt its holder and claim more.
FOUR = (
    _shared("four, rising", Actor(T2, "rising"), _once(T4, R3), _once(T5, R5), timers=0),
    _shared("four, falling", Actor(T2, "falling"), _once(T7, R7), _once(T5, R5), timers=0),
    _shared("four, at the end", Actor(T2, "nested2"), _once(T5, R5), timers=1, at=_AT_END),
    _shared("four, again", _once(T2, R3, 2), _by(T7), timers=0),
    _shared("four, replenished", _once(T2, R3), _by(T5), _by(T4), timers=1, at=_AT_END),
)
IN_TURN = (
    _shared("in turn", _once(T2, R3), _once(T5, R5), _by(T7), _once(T4, R3), timers=0),
    _shared("on a stack", _once(T2, R3), _once(T6, R5), _by(T7), _once(T4, R3), timers=0),
)
