# SPDX-License-Identifier: MIT
"""Almatary, Audsley, Burns 2015, Table I, for Plafond's kernel: under fixed priorities and EDF."""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.bench.instructions.almatary import (
    DUMMY_NS,
    LAZY_NS,
    SET_PARAM_NS,
    STANDARD_NS,
    SWITCH_NS,
    WORDS,
)
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import FunctionRow, SavingRow
from plafond.bench.kernel.variants import Variant

LOCK, UNLOCK, CONTENDED = "lock", "unlock", "unlock-contended"
STANDARD, NEW, OTHER = "Standard", "New", "other"
PAPER_NS = {STANDARD: STANDARD_NS, NEW: LAZY_NS}
# The paper's ticks. glibc does not call to unlock a mutex without a waiter.
PAPER_CALLS = {STANDARD: (LOCK, CONTENDED), NEW: (CONTENDED,)}
# The paper has no such row.
ADDED = {"unlock-to-the-waiting": "unlock, until the waiter runs"}


@dataclass(frozen=True)
class Pair:
    """A protocol as the paper found it, and made lazy."""

    standard: Variant
    new: Variant


IPCP = Pair(Variant.SYSCALL, Variant.LAZY_CEILING)
DFP = Pair(Variant.DEADLINE_FLOOR, Variant.LAZY_FLOOR)


def function_rows(figures: Figures) -> list[FunctionRow]:
    """Return the rows of Table I, and what else of ours belongs beside them."""
    return [
        *_version(figures, STANDARD, IPCP.standard, DFP.standard),
        *_version(figures, NEW, IPCP.new, DFP.new),
        *_others(figures),
    ]


def _version(figures: Figures, version: str, ipcp: Variant, dfp: Variant) -> Iterator[FunctionRow]:
    for name, words in {**WORDS, **ADDED}.items():
        paper_ns = PAPER_NS[version].get(name)
        yield FunctionRow(
            version=version,
            function=words,
            ipcp=figures.count(name, ipcp),
            dfp=figures.count(name, dfp),
            system_call=figures.calls(name, ipcp) > 0,
            paper_ns=paper_ns,
            paper_system_call=None if paper_ns is None else name in PAPER_CALLS[version],
        )


def _others(figures: Figures) -> Iterator[FunctionRow]:
    def row(
        words: str, counts: tuple[int, int], paper_ns: int | None, *, system_call: bool
    ) -> FunctionRow:
        return FunctionRow(
            version=OTHER,
            function=words,
            ipcp=counts[0],
            dfp=counts[1],
            system_call=system_call,
            paper_ns=paper_ns,
            paper_system_call=None if paper_ns is None else system_call,
        )

    def count(name: str, *variants: Variant) -> tuple[int, int]:
        ipcp, dfp = (figures.count(name, variant) for variant in variants)
        return ipcp, dfp

    dummy = count("dummy-syscall", IPCP.standard, DFP.standard)
    change = _change(figures, IPCP), _change(figures, DFP)
    switch = count("context-switch", IPCP.standard, DFP.standard)
    lazy_switch = count("context-switch", IPCP.new, DFP.new)
    raised = _raise(figures, IPCP), _raise(figures, DFP)
    yield row("dummy system call", dummy, DUMMY_NS, system_call=True)
    yield row("priority or deadline change, kernel part", change, SET_PARAM_NS, system_call=False)
    yield row("context switch and scheduling", switch, SWITCH_NS, system_call=True)
    yield row("the same under New", lazy_switch, None, system_call=True)
    yield row("the raise of New, as it is", raised, None, system_call=False)


def saving_rows(figures: Figures) -> list[SavingRow]:
    """Return the paper's 86 % and ours, as they reckon and as it is."""
    lock_ns, standard_ns = LAZY_NS[LOCK], STANDARD_NS[LOCK]
    pair_ns = lock_ns + LAZY_NS[UNLOCK]

    def row(
        what: str, paper: float | None, functions: list[str], raised: tuple[int, int] = (0, 0)
    ) -> SavingRow:
        return SavingRow(
            what=what,
            paper=paper,
            ipcp=_saved(figures, IPCP, functions, raised[0]),
            dfp=_saved(figures, DFP, functions, raised[1]),
        )

    change = _change(figures, IPCP), _change(figures, DFP)
    as_it_is = _raise(figures, IPCP), _raise(figures, DFP)
    return [
        row("lock, uncontended", _share(lock_ns, standard_ns), [LOCK]),
        row(
            "lock, and the change, kernel part (the paper's 86 %)",
            _share(lock_ns + SET_PARAM_NS, standard_ns),
            [LOCK],
            change,
        ),
        row("lock, and the raise as it is", None, [LOCK], as_it_is),
        row(
            "lock and unlock, uncontended",
            _share(pair_ns, standard_ns + STANDARD_NS[UNLOCK]),
            [LOCK, UNLOCK],
        ),
        row("lock, the raise as it is, and unlock, contended", None, [LOCK, CONTENDED], as_it_is),
    ]


def _saved(figures: Figures, pair: Pair, functions: list[str], raised: int) -> float:
    def total(variant: Variant) -> int:
        return sum(figures.count(function, variant) for function in functions)

    return _share(total(pair.new) + raised, total(pair.standard))


def _share(cost: float, standard: float) -> float:
    return 1 - cost / standard


def _change(figures: Figures, pair: Pair) -> int:
    """What changing the priority or deadline is of the standard's lock."""
    dummy = figures.count("dummy-syscall", pair.standard)
    return figures.count(LOCK, pair.standard) - dummy


def _raise(figures: Figures, pair: Pair) -> int:
    """What an activation costs more that finds the running task in a section."""
    arrival = "arrival-in-section"
    return figures.count(arrival, pair.new) - figures.count(arrival, pair.standard)
