# SPDX-License-Identifier: MIT
"""Mistakes with ranges and release jitter, which must show in systems with ranges or jitter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plafond.analyse import analysis, due, response, window
from plafond.analyse.mpcp import Mpcp
from plafond.analyse.response import Bounds, WorstJob
from plafond.analyse.window import Arrivals, Effort
from plafond.analyse.workload import Sporadic, Workload
from plafond.describe.system import Task

from proof.analysis.mutants import EDF, LEVELS, MPCP, MSRP, NONE, SPIN_PRIORITY, Mutant
from proof.analysis.simulator import VARYING

# The functions without a mistake.
WORST_JOB = response.worst_job
DUE_BOUNDS = due.due_bounds
OF_MPCP = Mpcp._arrivals
IN_WINDOW = window.Arrivals.in_window
ARRIVED, DUE = Sporadic.arrived, Sporadic.due
ON_CPUS = (MPCP, MSRP, SPIN_PRIORITY)


def _without_jitter(function: Callable[[Any, int], int]) -> Callable[[Any, int], int]:
    return lambda work, window_ns: function(replace(work, jitter_ns=0), window_ns)


def _below_the_interval(arrivals: Arrivals, window_ns: int) -> int:
    jitter_ns = min(arrivals.jitter_ns, arrivals.interval_ns - 1)
    return IN_WINDOW(replace(arrivals, jitter_ns=jitter_ns), window_ns)


def _from_release(task: Task, *arguments: Any) -> WorstJob:
    worst = WORST_JOB(task, *arguments)
    return replace(worst, response_ns=worst.response_ns - task.jitter_ns)


def _due_from_release(load: Workload, task: Sporadic, busy_ns: int, effort: Effort) -> Bounds:
    bounds = DUE_BOUNDS(load, task, busy_ns, effort)
    return replace(bounds, response_ns=bounds.response_ns - task.jitter_ns)


def _steady_at_arrivals(mpcp: Mpcp, other: Task) -> Arrivals:
    found = OF_MPCP(mpcp, other)
    is_steady = not other.sleeps_ns and not mpcp._sharing.requests(other)
    return replace(found, jitter_ns=0) if is_steady else found


def _mutant(
    name: str, protocols: tuple[Any, ...], owner: object, function: str, replacement: Any
) -> Mutant:
    return Mutant(name, protocols, owner, function, replacement, VARYING)


_LEAST_RUN = property(lambda task: task.least_run_ns)

VARIED = (
    _mutant("a range counts as its least", (*LEVELS, NONE), Task, "run_ns", _LEAST_RUN),
    _mutant("the same under EDF", EDF, Task, "run_ns", _LEAST_RUN),
    _mutant("the same across CPUs", ON_CPUS, Task, "run_ns", _LEAST_RUN),
    _mutant(
        "no jitter of those that interfere",
        LEVELS,
        Arrivals,
        "in_window",
        _without_jitter(IN_WINDOW),
    ),
    _mutant(
        "no jitter in the busy period", (NONE,), Arrivals, "in_window", _without_jitter(IN_WINDOW)
    ),
    _mutant("one job at once", LEVELS, Arrivals, "in_window", _below_the_interval),
    _mutant("the same in the busy period", (NONE,), Arrivals, "in_window", _below_the_interval),
    _mutant("one job at once, beside CPUs", ON_CPUS, Arrivals, "in_window", _below_the_interval),
    _mutant("from the release, not the arrival", LEVELS, response, "worst_job", _from_release),
    _mutant("no jitter in what is released", EDF, Sporadic, "arrived", _without_jitter(ARRIVED)),
    _mutant("no jitter in what is due", EDF, Sporadic, "due", _without_jitter(DUE)),
    _mutant("from the release, under EDF", EDF, analysis, "due_bounds", _due_from_release),
    _mutant("no jitter of those that do not wait", (MPCP,), Mpcp, "_arrivals", _steady_at_arrivals),
)
