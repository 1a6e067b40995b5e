# SPDX-License-Identifier: MIT
"""Mistakes in the verdict without bounds (kept.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from plafond.analyse import kept, kept_across
from plafond.analyse.across import Known
from plafond.analyse.kept import Level
from plafond.analyse.overheads import Costs
from plafond.describe.system import System
from plafond.protocols import Protocol

from proof.analysis.mutants import LEVELS, NONE, Mutant
from proof.analysis.simulator import WITH_COSTS

ACROSS = (Protocol.MPCP, Protocol.MSRP, Protocol.SPIN_PRIORITY)
LEVELS_OF = kept._levels
IS_KEPT = Level.is_kept


def _changed(change: Callable[[Level], Level]) -> Callable[..., Iterator[Level]]:
    def levels(system: System, cpu: int, protocol: Protocol, costs: Costs) -> Iterator[Level]:
        yield from map(change, LEVELS_OF(system, cpu, protocol, costs))

    return levels


def _first_windows(level: Level) -> bool:
    """Count only the first arrivals."""
    return level.once_ns + sum(cost_ns for _, cost_ns in level.arrivals) <= level.deadline_ns


def _alone(level: Level) -> Level:
    """Count only the longest of the arriving tasks."""
    return replace(level, arrivals=(max(level.arrivals, key=lambda each: each[1]),))


def _without_piece(system: System, cpu: int, protocol: Protocol, _: Costs) -> Iterator[Level]:
    """Leave out work that has begun, and the interrupts of other tasks."""
    yield from LEVELS_OF(system, cpu, protocol, Costs())


def _most_urgent(system: System, cpu: int, protocol: Protocol, costs: Costs) -> Iterator[Level]:
    yield next(reversed([*LEVELS_OF(system, cpu, protocol, costs)]))


def _kept(
    name: str,
    protocols: tuple[Protocol, ...],
    owner: object,
    function: str,
    new: Any,
    **kind: str,
) -> Mutant:
    return Mutant(f"kept: {name}", protocols, owner, function, new, **kind)


class _Once(Known):
    """Follow the bounds for a single round."""

    def learn(self, *found: Any) -> bool:
        super().learn(*found)
        return False


KEPT = (
    _kept("bounds across CPUs followed once", ACROSS[:1], kept_across, "Known", _Once),
    _kept("CPUs that share are not asked", ACROSS, kept_across, "are_kept", lambda *_: True),
    _kept("CPUs that share are all there are", ACROSS, kept, "_levels", lambda *_: iter(())),
    _kept("no blocking", LEVELS, kept, "blocking_ns", lambda *_: 0),
    _kept("one job of each", (*LEVELS, NONE), Level, "is_kept", _first_windows),
    _kept("one task of each level", (*LEVELS, NONE), kept, "_levels", _changed(_alone)),
    _kept("the most urgent level alone", LEVELS, kept, "_levels", _most_urgent),
    _kept(
        "equal priorities do not delay",
        LEVELS,
        kept,
        "interferes",
        lambda a, b: a.priority > b.priority,
    ),
    _kept(
        "a window of its deadline is too long",
        (*LEVELS, NONE),
        Level,
        "is_kept",
        lambda level: IS_KEPT(replace(level, deadline_ns=level.deadline_ns - 1)),
    ),
    _kept(
        "no work before the window, no interrupts",
        (*LEVELS, NONE),
        kept,
        "_levels",
        _without_piece,
        kind=WITH_COSTS,
    ),
    _kept(
        "costs left out",
        (*LEVELS, NONE),
        kept,
        "inflate",
        lambda system, *_: system,
        kind=WITH_COSTS,
    ),
)
