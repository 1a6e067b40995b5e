# SPDX-License-Identifier: MIT
"""The response bounds that belong to the protocols of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import ceil

from plafond.analyse.analysis import analyse
from plafond.analyse.overheads import Overheads
from plafond.bench.overheads import MeasuredOverheads
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System
from plafond.protocols import ANALYSED, Protocol
from plafond.trace.measures import Bound
from plafond.trace.model import Trace


@dataclass(frozen=True)
class Bounds:
    """Bounds by task and protocol of the run, None where there is none; and what to know."""

    of: dict[tuple[str, str], Bound | None]
    notes: list[str]


def bounds_of(
    system: System, traces: Mapping[str, Trace], overheads: MeasuredOverheads | None
) -> Bounds:
    """Analyse the system as it was run; with overheads, also how exact its run steps were."""
    bounds: dict[tuple[str, str], Bound | None] = {}
    priorities = {task.name: task.priority for task in system.tasks}
    is_whole = system.scheduler is Scheduler.EDF  # its busy periods are of all tasks
    notes: dict[str, None] = {}  # in order, each once
    for name, trace in traces.items():
        protocol = ANALYSED[name]
        added = overheads.of(name, _calibration_ppm(trace)) if overheads else None
        report = analyse(system, [protocol], added)
        for row in report.rows:
            when_away = partial(_when_away, system, row.task, protocol, added)
            level = None if is_whole or protocol is Protocol.NONE else priorities[row.task]
            response_ns = row.response_bound_ns
            bounds[row.task, name] = Bound(response_ns, level, when_away) if response_ns else None
        notes |= dict.fromkeys(report.notes)
    return Bounds(bounds, list(notes))


def _when_away(
    system: System, task: str, protocol: Protocol, overheads: Overheads | None, away_ns: int
) -> int | None:
    rows = analyse(system, [protocol], overheads, away_ns).rows
    return next(row.response_bound_ns for row in rows if row.task == task)


def _calibration_ppm(trace: Trace) -> int:
    # The median: what made single check spins longer is part of the noise.
    return max(ceil(cpu.calibration_error_ppm.median or 0) for cpu in trace.cpus)
