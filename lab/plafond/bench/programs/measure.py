# SPDX-License-Identifier: MIT
"""Run each program in pairs, plain and with the drop-in, on this machine."""

import os
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from plafond.bench.programs.calls import Calls
from plafond.bench.programs.inversions import Inversions
from plafond.bench.programs.model import Conditions, Pair, ProgramRow, ProgramsReport
from plafond.machine import cpu_model
from plafond.progress import progress_by_step

PAIRS, SECONDS = 5, 5
QUICK_PAIRS, QUICK_SECONDS = 1, 1

NOTES = [
    "Each program runs in pairs, plain and with the drop-in; the figures are medians, the ratio is "
    "that of the pairs.",
    "pi_stress of rt-tests makes priority inversions as often as it can, in one group of three "
    "threads: plain by priority inheritance, with the drop-in under ceilings that were learned of "
    "a run before. More is better.",
    "controller, bench/ada/controller.adb, is three periodic tasks that share protected objects "
    "with ceilings, on one CPU, for 1 s. strace counts the calls that change a priority, those of "
    "its start too. Less is better.",
]


def measure_programs(quick: bool) -> ProgramsReport:
    """Measure on this machine, with a progress bar on standard error."""
    pairs, seconds = (QUICK_PAIRS, QUICK_SECONDS) if quick else (PAIRS, SECONDS)
    rows = []
    with (
        tempfile.TemporaryDirectory(prefix="plafond-bench-") as folder,
        progress_by_step("measuring", 2 * pairs) as show,
    ):
        subjects: tuple[Inversions | Calls, ...] = (
            Inversions(Path(folder), seconds),
            Calls(Path(folder)),
        )
        for number, subject in enumerate(subjects):
            found = []
            for pair in range(pairs):
                show(subject.counted, number * pairs + pair)
                found.append(subject.pair())
            rows.append(row_of(subject.program, subject.counted, found))
    return ProgramsReport(conditions=_conditions(quick), programs=rows)


def row_of(program: str, counted: str, pairs: Sequence[Pair]) -> ProgramRow:
    """Return the row of what was counted in the pairs."""
    ratios = [pair.ratio for pair in pairs]
    return ProgramRow(
        program=program,
        counted=counted,
        pairs=len(pairs),
        plain=median(pair.plain for pair in pairs),
        drop_in=median(pair.drop_in for pair in pairs),
        ratio=median(ratios),
        ratio_min=min(ratios),
        ratio_max=max(ratios),
    )


def _conditions(quick: bool) -> Conditions:
    return Conditions(
        cpu_model=cpu_model(),
        cpus=len(os.sched_getaffinity(0)),
        kernel=platform.release(),
        libc=" ".join(platform.libc_ver()),
        quick=quick,
        notes=NOTES,
    )
