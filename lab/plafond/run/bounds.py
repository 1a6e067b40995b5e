# SPDX-License-Identifier: MIT
"""The response bounds that belong to the protocols of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from plafond.analyse.analysis import analyse
from plafond.analyse.measure import MeasuredOverheads
from plafond.describe.system import System
from plafond.protocols import ON_LINUX
from plafond.trace.model import Trace


@dataclass(frozen=True)
class Bounds:
    """Bounds by task and protocol of the run, None where there is none; and what to know."""

    response_ns: dict[tuple[str, str], int | None]
    notes: list[str]


def bounds_of(
    system: System, traces: Mapping[str, Trace], overheads: MeasuredOverheads | None
) -> Bounds:
    """Analyse the system as it was run; with overheads, also how exact its run steps were."""
    bounds: dict[tuple[str, str], int | None] = {}
    notes: dict[str, None] = {}  # in order, each once
    for protocol, trace in traces.items():
        added = overheads.of(protocol, _calibration_ppm(trace)) if overheads else None
        report = analyse(system, [ON_LINUX[protocol]], added)
        bounds |= {(row.task, protocol): row.response_bound_ns for row in report.rows}
        notes |= dict.fromkeys(report.notes)
    return Bounds(bounds, list(notes))


def _calibration_ppm(trace: Trace) -> int:
    # The median: what made single check spins longer is part of the noise.
    return max(ceil(cpu.calibration_error_ppm.median or 0) for cpu in trace.cpus)
