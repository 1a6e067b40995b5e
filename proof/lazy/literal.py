# SPDX-License-Identifier: MIT
"""The paper's literal forms: the flat form holds, and the nested form has faults."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proof.boundary.claim import Claim
from proof.boundary.machine import words_of
from proof.boundary.subject import Driver, staged
from proof.boundary.system import Actor, Habits, Scenario, System
from proof.engine.walk import replayed, shortest
from proof.mutation import ByHand
from proof.result import ROOT

MAXIMUM, OLD_PRI, TO_RAISE = 1, 2, 4
ALL = MAXIMUM | OLD_PRI | TO_RAISE
_FIELDS = ("to_raise", "start", "level", "base_pri", "new_pri")
_PO_FIELDS = ("ceiling", "old_pri")
_PO_PLACE = 4  # its place in the driver's proof_sizes
_DRIVER, _HEADER = "proof/lazy/literal.c", "proof/lazy/literal.h"


SCOPE = "3 tasks and sections nested to 3"
_EQUIVALENT = "proof/lazy/equivalent.toml"


def _nested(repaired: int) -> Driver:
    name = "repaired" if repaired == ALL else "literal"
    defines = ("-DNESTED=1", f"-DREPAIRED={repaired}", "-DWITHOUT_START=0")
    return Driver(name, _DRIVER, defines, Habits(is_frugal=False))


def _once(name: str, priority: int, lock: int) -> Actor:
    return Actor(name, "once", priority, (lock,))


# R1/70 outside R2/65. H uses R1, M uses R2.
_FALLING = Scenario(
    "R2 inside R1", (70, 65), (Actor("L", "nested2", 10), _once("H", 70, 0), _once("M", 60, 1))
)


def _by(name: str, priority: int) -> Actor:
    return Actor(name, "bystander", priority)


_L2, _L3, _TWICE = (Actor("L", script, 10) for script in ("nested2", "nested3", "twice"))
_FLAT = (
    Scenario("flat form", (30,), (_TWICE, _once("M", 20, 0), _once("H", 30, 0))),
    Scenario("flat form, bystanders", (30,), (_TWICE, _by("M", 30), _by("H", 31))),
)
_NESTED = (
    _FALLING,
    Scenario("nested form, rising", (20, 30, 40), (_L3, _once("M", 20, 0), _once("H", 40, 2))),
    Scenario("nested form, falling", (40, 30, 20), (_L3, _once("M", 20, 2), _once("H", 40, 0))),
    Scenario("nested form, saddle", (30, 20, 40), (_L3, _once("M", 20, 1), _by("H", 30))),
    Scenario("nested form, by", (20, 30, 40), (_L3, _by("M", 30), _by("H", 41))),
)
_START = "\tset_start(t, true);\n"
_IF = "if (plf_load32(&t->to_raise))"
_DROP_START = f"{_START}\t{_IF}\n\t\tplf_store32(&t->to_raise, false);\n"

FLAT = Claim(
    "lazy-ceiling",
    SCOPE,
    staged(_FLAT, Driver("literal", _DRIVER, ("-DNESTED=0", "-DREPAIRED=0", "-DWITHOUT_START=0"))),
    _EQUIVALENT,
    by_hand=(
        ByHand(
            "flat form: start is not set",
            _HEADER,
            _DROP_START,
            _DROP_START.replace(_START, ""),
        ),
        ByHand(
            "flat form: to_raise is tested before start is set",
            _HEADER,
            _DROP_START,
            "\tbool found = plf_load32(&t->to_raise);\n\n" + _DROP_START.replace(_IF, "if (found)"),
        ),
    ),
)
REPAIRED = Claim(
    "lazy-ceiling",
    SCOPE,
    staged(_NESTED, _nested(ALL)),
    _EQUIVALENT,
    by_hand=(
        ByHand(
            "nested form: start is not set",
            _HEADER,
            f"{_START}\tif (!(REPAIRED & REPAIR_READ))",
            "\tif (!(REPAIRED & REPAIR_READ))",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the nested form. `trace`: the shortest way to it, with the other faults
    repaired."""

    name: str
    bit: int
    trace: tuple[str, ...]


def _faults() -> tuple[Fault, ...]:
    """Return the faults in the order of traces.toml."""
    file = Path(__file__).with_name("traces.toml")
    texts = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        Fault(name, bit, tuple(text.strip().splitlines()))
        for bit, (name, text) in zip((MAXIMUM, OLD_PRI, TO_RAISE), texts.items(), strict=True)
    )


FAULTS = _faults()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of the search for a fault."""

    fault: str
    isas: tuple[str, ...]
    arrivals: int
    trace: tuple[str, ...]
    is_expected: bool


def _narrator(system: System, say: Callable[[str], None]) -> Callable[[int, int, bool], None]:
    """Report stores, and tests of to_raise, in the paper's words."""
    machine = system.machine
    po = machine.image.shared[0].address + machine.constant("proof_sizes", _PO_PLACE)
    names: dict[int, str] = {}
    for i, actor in enumerate(system.scenario.actors):
        for place, field in enumerate(_FIELDS):
            names[words_of(i) + 4 * place] = f"{actor.name}: {field}"
    for lock in range(len(system.scenario.ceilings)):
        for place, field in enumerate(_PO_FIELDS):
            names[po + 8 * lock + 4 * place] = f"R{lock + 1}.{field}"

    def narrate(at: int, value: int, is_store: bool) -> None:
        name = names.get(at, "")
        if name.startswith("R") and is_store:
            runs = system.scenario.actors[machine.running].name
            name = f"{runs}: {name}"
        is_flag = name.endswith(("to_raise", "start"))
        shown = ("false", "true")[value] if is_flag and value < 2 else str(value)
        if name and is_store:
            say(f"{name} := {shown}")
        elif name.endswith("to_raise"):
            say(f"{name} is {shown}")

    return narrate


def _trace(fault: Fault, isa: str) -> tuple[int, tuple[str, ...]]:
    """Return the number of arrivals on the shortest way to a fault, and the way."""
    driver = _nested(ALL & ~fault.bit)
    image = driver.build(isa, ROOT)
    way = shortest(System(image, _FALLING, driver.habits))
    if way is None:
        return 0, ("no way leads to it",)
    narrated = System(image, _FALLING, driver.habits)
    lines: list[str] = []
    narrated.machine.watch(_narrator(narrated, lines.append))
    return len(way), replayed(narrated, way, lines, with_code=False)


def find(fault: Fault, isas: tuple[str, ...]) -> Finding:
    """Search the fault on each instruction set. The way found must be the expected text."""
    found = [_trace(fault, isa) for isa in isas]
    wrong = [each for each in found if each[1] != fault.trace]
    arrivals, trace = (wrong or found)[0]
    return Finding(fault.name, isas, arrivals, trace, is_expected=not wrong)
