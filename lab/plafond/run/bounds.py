# SPDX-License-Identifier: MIT
"""The response bounds for the protocols of a run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport
from plafond.analyse.notes import EXCLUDED
from plafond.analyse.overheads import Overheads
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System, Task
from plafond.protocols import Protocol, analysed
from plafond.trace.model import Trace
from plafond.trace.verdicts import Bound


@dataclass(frozen=True)
class Bounds:
    """Bounds by task and protocol of the run, and the notes of the analyses."""

    of: dict[tuple[str, str], Bound]
    notes: list[str]


def bounds_of(
    system: System, traces: Mapping[str, Trace], overheads: Mapping[str, Overheads]
) -> Bounds:
    """Analyse the system as it was run, with and without the overheads of its protocols.

    A protocol whose overheads are not known has no bound with overheads. The bounds do not contain
    gaps that the host causes: a response with such a gap counts as stopped (trace/outside.py).
    """
    bounds: dict[tuple[str, str], Bound] = {}
    notes: dict[str, None] = {}  # a set that keeps the order
    for name, trace in traces.items():
        protocol = analysed(name, across_cpus=bool(system.global_resources))
        theory = analyse(system, [protocol])
        added = _of_trace(overheads[name], trace).without_host() if name in overheads else None
        real = analyse(system, [protocol], added) if added else None
        responses_ns = _responses_ns(real) if real else {}
        for row in theory.rows:
            when_away = partial(_when_away, system, row.task, protocol, added)
            bounds[row.task, name] = Bound(
                row.response_bound_ns,
                responses_ns.get(row.task),
                when_away,
                added.stolen_ns if added else _nothing_ns,
                row.no_bound_yet,
            )
        notes |= dict.fromkeys(_notes([theory, *([real] if real else [])]))
    return Bounds(bounds, list(notes))


def level_of(system: System, task: Task, protocol: str) -> int | None:
    """Return the lowest priority whose work delays a task; None: all work of the CPU does."""
    is_whole = system.scheduler is Scheduler.EDF or analysed(protocol) is Protocol.NONE
    return None if is_whole else task.priority


def _responses_ns(report: AnalysisReport) -> dict[str, int | None]:
    return {row.task: row.response_bound_ns for row in report.rows}


def _notes(reports: Iterable[AnalysisReport]) -> Iterable[str]:
    """Yield the notes of all reports, except EXCLUDED, because the column of the bound says it."""
    return (note for report in reports for note in report.notes if note != EXCLUDED)


def _when_away(
    system: System,
    task: str,
    protocol: Protocol,
    overheads: Overheads | None,
    away_ns: int,
    slower: float,
) -> int | None:
    added = overheads.slowed(slower) if overheads else None
    return _responses_ns(analyse(system, [protocol], added, away_ns))[task]


def _nothing_ns(_window_ns: int) -> int:
    return 0


def _of_trace(overheads: Overheads, trace: Trace) -> Overheads:
    """Return the overheads for the turns of this run: a run step can last a turn longer."""
    turns = [cpu.turn_ns or 0 for cpu in trace.cpus]
    return replace(overheads, step_ns=max(overheads.step_ns, *turns)) if turns else overheads
