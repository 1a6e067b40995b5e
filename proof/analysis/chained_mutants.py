# SPDX-License-Identifier: MIT
"""Mistakes in the bounds of chains, and of tasks with offsets; see mutants.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plafond.analyse import offsets
from plafond.analyse.chains import Chains
from plafond.analyse.response import Level
from plafond.describe.system import Task

from proof.analysis.mutants import LEVELS, Mutant
from proof.analysis.simulator import CHAINED, PHASED

# The functions without a mistake.
STARTS = offsets._starts
FIRST_NS = offsets.first_ns


def _at_once(*_: object) -> int:
    return 0


def _always(*_: object) -> bool:
    return True


def _from_activation(_: Chains, __: Task, ___: int, response_ns: int) -> int:
    return response_ns


def _own_starts(level: Level) -> Iterator[int]:
    """Yield only the instants at which the followed task arrives."""
    for start_ns in STARTS(level):
        if not offsets.is_in_phase(level.task) or FIRST_NS(level.task, start_ns) == 0:
            yield start_ns


def _one_interval_later(task: Task, start_ns: int) -> int:
    return FIRST_NS(task, start_ns) or task.least_interval_ns


def _all_in_phase(task: Task) -> bool:
    return task.interval is not None


def _chained(name: str, function: str, replacement: Any) -> Mutant:
    return Mutant(name, LEVELS, Chains, function, replacement, CHAINED)


def _phased(name: str, function: str, replacement: Any) -> Mutant:
    return Mutant(name, LEVELS, offsets, function, replacement, PHASED)


CHAINS = (
    _chained("a link is never late", "_jitter_ns", _at_once),
    _chained("a link arrives with its chain at each level", "_is_within", _always),
    _chained("the end of a chain counts from the activation", "end_ns", _from_activation),
    _phased("windows begin only as the followed task arrives", "_starts", _own_starts),
    _phased("no task in phase arrives as a window begins", "first_ns", _one_interval_later),
    _phased("sporadic tasks are in phase", "is_in_phase", _all_in_phase),
)
