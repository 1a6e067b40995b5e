# SPDX-License-Identifier: MIT
"""What is asked of herd7: threads on CPUs of their own, and the ends that they must not come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proof.mutation import ByHand

# With the atomic instructions of Armv8.1, and with pairs of exclusive ones, as Armv8.0 has them.
LSE, EXCLUSIVE = ("-march=armv8.1-a",), ("-march=armv8-a", "-mno-outline-atomics")
FORMS = {"LSE": LSE, "LL/SC": EXCLUSIVE}


@dataclass(frozen=True)
class Case:
    """A litmus test. Threads are functions of the proof's file; `n:X0` is what the nth returns."""

    name: str
    threads: tuple[str, ...]
    rule: str
    forbidden: str
    reached: tuple[str, ...]  # else it shows nothing
    begin: Mapping[str, int | Sequence[int]] = field(default_factory=dict)
    forms: tuple[str, ...] = tuple(FORMS)
    retries: Mapping[int, int] = field(default_factory=dict)  # of threads: see litmus.py
    tries: Mapping[int, int] = field(default_factory=dict)  # at most: see there, too


@dataclass(frozen=True)
class Fault:
    """A fault of the header, or of the kernel's half, and the case that must find it."""

    fault: ByHand
    case: str
    form: str = "LSE"  # of the code in which it is looked for


@dataclass(frozen=True)
class Needless:
    """An order that the header has, which none of these cases needs; and why that must be so."""

    fault: ByHand
    cases: tuple[str, ...]
    why: str
    form: str = "LL/SC"  # where accesses move most freely


@dataclass(frozen=True)
class Proof:
    """What there is to ask of one protocol."""

    protocol: str
    header: str
    threads: str  # the file with the threads
    what: str  # the cases are of that
    shared: Mapping[str, str]  # what each thread gets the addresses of, in order: cells, and types
    cases: tuple[Case, ...]
    faults: tuple[Fault, ...]
    needless: tuple[Needless, ...] = ()
    has_halves: bool = True  # accessed beside the whole of a word: see herd.py
    in_order: bool = False  # herd7 takes the shorter way: see herd.py

    def named(self, *names: str) -> list[Case]:
        """The cases of these names."""
        return [case for case in self.cases if case.name in names]
