# SPDX-License-Identifier: MIT
"""The programs of the threads: thread 0 is the holder, the others arrive."""

from __future__ import annotations

from dataclasses import dataclass

from proof.aarch64.system import Program

STRENGTHS = ("robust", "strict")  # by their number in ceiling_stack.h
# Programs that leave the locks as they were. A run beforehand binds the locks.
PLAIN = (
    *("proof_once", "proof_twice", "proof_tight", "proof_recursive", "proof_nested2"),
    "proof_nested3",
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """`fresh`: the mutexes have never been locked, so that their first use is swept, too."""

    name: str
    ceilings: tuple[int, ...]
    programs: tuple[Program, ...]
    fresh: bool = False
    timing: bool = True  # no thread sleeps inside a section: the ceiling rule holds
    strengths: tuple[str, ...] = STRENGTHS


def _once(priority: int, lock: int) -> Program:
    return Program("proof_once", priority, (lock,))


def _bystander(priority: int) -> Program:
    return Program("proof_bystander", priority)


_TWICE = Program("proof_twice", 10)
_NESTED2 = Program("proof_nested2", 10)
_NESTED3 = Program("proof_nested3", 10)
_RISING, _FALLING = (20, 30, 40), (40, 30, 20)

SCENARIOS = (
    Scenario("flat", (30,), (_TWICE, _once(20, 0), _once(30, 0))),
    Scenario("flat, tight", (30,), (Program("proof_tight", 10), _once(20, 0), _once(30, 0))),
    Scenario("flat, equals", (20,), (_TWICE, _once(20, 0), _once(20, 0))),
    Scenario("flat, first use", (30,), (_TWICE, _once(20, 0), _once(30, 0)), fresh=True),
    Scenario(
        "flat, woken without the hook",
        (30,),
        (_TWICE, Program("proof_unhooked", 20, (0,)), _once(30, 0)),
    ),
    Scenario("recursive", (30,), (Program("proof_recursive", 10), _once(20, 0), _once(30, 0))),
    Scenario("flat, bystanders", (30,), (_TWICE, _bystander(30), _bystander(31))),
    Scenario(
        "nested 2, waiter nests", (30, 40), (_NESTED2, Program("proof_nested2", 20), _once(30, 1))
    ),
    Scenario("nested 3", _RISING, (_NESTED3, _once(20, 0), _once(40, 2))),
    Scenario(
        "nested 3, middle waiter",
        _RISING,
        (_NESTED3, _once(30, 1), Program("proof_once", 40, (2,))),
    ),
    Scenario("nested 3, falling ceilings", _FALLING, (_NESTED3, _once(20, 2), _once(40, 0))),
    Scenario("nested 3, bystanders", _RISING, (_NESTED3, _bystander(30), _bystander(41))),
    Scenario("nested 3, bystander and waiter", _RISING, (_NESTED3, _bystander(20), _once(40, 2))),
    Scenario("nested 3, first use", _RISING, (_NESTED3, _once(20, 0), _once(40, 2)), fresh=True),
    Scenario(
        "ceiling raised",
        (20,),
        (
            Program("proof_once", 10, (0,)),
            Program("proof_raiser", 50, (0,)),
            Program("proof_raised", 40, (0,)),
        ),
    ),
    Scenario(
        "ceiling raised, first use",
        (20,),
        (_once(10, 0), Program("proof_raiser", 50, (0,)), Program("proof_raised", 40, (0,))),
        fresh=True,
    ),
    Scenario(
        "waiter sleeps inside",
        (30,),
        (_once(10, 0), Program("proof_sleeper", 20, (0,), suspends=True), _once(30, 0)),
        timing=False,
        strengths=("robust",),
    ),
    Scenario(
        "a more urgent one sleeps inside",
        (20, 40),
        (_once(10, 0), Program("proof_sleeper", 40, (1,), suspends=True), _once(30, 1)),
        timing=False,
        strengths=("robust",),
    ),
    Scenario(
        "holder sleeps inside",
        (30,),
        (Program("proof_sleeper", 10, (0,), suspends=True), _once(20, 0), _once(30, 0)),
        timing=False,
        strengths=("robust",),
    ),
)
