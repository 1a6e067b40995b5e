# SPDX-License-Identifier: MIT
"""Measure the wanted cells on this machine."""

import os

from plafond.bench.cpmd.arguments import Wanted
from plafond.bench.cpmd.caches import find_caches
from plafond.bench.cpmd.collect import measure_cells
from plafond.bench.cpmd.model import CpmdReport
from plafond.bench.cpmd.report import make_report
from plafond.doctor.machine import Machine
from plafond.errors import PlafondError


def measure_cpmd(wanted: Wanted) -> tuple[CpmdReport, KeyboardInterrupt | PlafondError | None]:
    """Return the report, and the reason of an early end; RefusedError names a missing privilege."""
    caches = find_caches(Machine(), sorted(os.sched_getaffinity(0)))
    cells = wanted.cells(caches)
    outcome = measure_cells(caches, cells, wanted.samples, wanted.seed)
    report = make_report(caches, outcome, wanted.samples, wanted.seed, len(cells), wanted.is_quick)
    return report, outcome.stopped_by
