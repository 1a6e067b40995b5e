# SPDX-License-Identifier: MIT
"""Mistakes with tasks that are not preempted, which must show in systems with such tasks."""

from __future__ import annotations

from typing import Any

from plafond.analyse import analysis, blocking, thresholds
from plafond.analyse.response import Level
from plafond.analyse.window import Effort
from plafond.describe.system import System, Task

from proof.analysis.mutants import CEILING, Mutant
from proof.analysis.simulator import WITH_THRESHOLDS

# The function without a mistake.
JOBS = thresholds.jobs_in_busy_period


def _priority(_: System, task: Task) -> int:
    return task.priority


def _above_all(system: System, task: Task) -> int:
    has_threshold = blocking.threshold_of(system, task) > task.priority
    return 99 if has_threshold else task.priority


def _first_job(*_: object) -> int:
    return 1


def _until_it_ends(level: Level, effort: Effort) -> int:
    """Count jobs as if the window ended when no job of the task is pending."""
    alone = Level(level.task, (), level.once_ns)
    return JOBS(alone, effort)


def _mutant(name: str, owner: object, function: str, replacement: Any) -> Mutant:
    return Mutant(name, (CEILING,), owner, function, replacement, WITH_THRESHOLDS)


THRESHOLDED = (
    _mutant("sections block, bodies do not", blocking, "threshold_of", _priority),
    _mutant("no job comes at the begin", thresholds, "_up_to_begin", thresholds._arrivals),
    _mutant("first job of the period alone", thresholds, "jobs_in_busy_period", _first_job),
    _mutant("period of the own jobs alone", thresholds, "jobs_in_busy_period", _until_it_ends),
    _mutant("no task is above a threshold", analysis, "threshold_of", _above_all),
)
