# SPDX-License-Identifier: MIT
"""Questions to herd7: threads on separate CPUs, and the results that they must not reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proof.mutation import ByHand

# With the atomic instructions of Armv8.1, and with the exclusive pairs of Armv8.0.
LSE, EXCLUSIVE = ("-march=armv8.1-a",), ("-march=armv8-a", "-mno-outline-atomics")
FORMS = {"LSE": LSE, "LL/SC": EXCLUSIVE}


@dataclass(frozen=True)
class Case:
    """A litmus test. Threads are functions of the proof's file; `n:X0` is the result of thread
    n."""

    name: str
    threads: tuple[str, ...]
    rule: str
    forbidden: str
    reached: tuple[str, ...]  # must be possible, or the rule shows nothing
    begin: Mapping[str, int | Sequence[int]] = field(default_factory=dict)
    forms: tuple[str, ...] = tuple(FORMS)
    retries: Mapping[int, int] = field(default_factory=dict)  # most retries of a thread
    tries: Mapping[int, int] = field(default_factory=dict)  # most tries in its code


@dataclass(frozen=True)
class Fault:
    """A fault of the header or of the kernel's half, and the case that must find it."""

    fault: ByHand
    case: str
    form: str = "LSE"  # the form of the code in which the case is run


@dataclass(frozen=True)
class Needless:
    """An order in the header that none of these cases needs, and the reason."""

    fault: ByHand
    cases: tuple[str, ...]
    why: str
    form: str = "LL/SC"  # the form that reorders accesses most


@dataclass(frozen=True)
class Proof:
    """All cases and faults of a protocol."""

    protocol: str
    header: str
    threads: str  # the file with the threads
    what: str  # the actors in the cases
    shared: Mapping[str, str]  # cells and types: each thread gets the addresses in this order
    cases: tuple[Case, ...]
    faults: tuple[Fault, ...]
    needless: tuple[Needless, ...] = ()
    has_halves: bool = True  # halves of a word are accessed, too: see herd.py
    in_order: bool = False  # herd7 takes the shorter way: see herd.py

    def named(self, *names: str) -> list[Case]:
        """Return the cases of these names."""
        return [case for case in self.cases if case.name in names]
