# SPDX-License-Identifier: MIT
"""Run each program plain and with the drop-in, on this machine."""

import itertools
import os
import platform
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from plafond.bench.programs.ada import OPERATIONS, Controller, Operations
from plafond.bench.programs.examples import Example
from plafond.bench.programs.inversions import Inversions
from plafond.bench.programs.model import Conditions, Pair, ProgramRow, ProgramsReport
from plafond.machine import cpu_model
from plafond.progress import progress_by_step

PAIRS, SECONDS = 5, 5
QUICK_PAIRS, QUICK_SECONDS = 1, 1
RUNS, QUICK_RUNS, ROUNDS = 40, 1, 5  # of each example under each lock; a round is 100 ms

NOTES = [
    "Programs run in pairs, plain and with the drop-in; the figures are medians, the ratio is that "
    "of the pairs.",
    "pi_stress of rt-tests makes priority inversions as often as it can, in one group of three "
    "threads: plain by priority inheritance, with the drop-in under ceilings that were learned of "
    "a run before. More is better.",
    "controller, bench/ada/controller.adb, is three tasks that share protected objects with "
    "ceilings, on one CPU, for 1 s. strace counts the calls that change a priority, those of "
    "its start too. Less is better.",
    "The operations are those of bench/ada/operations.adb: system calls of a round, by kinds, and "
    "its processor time, of all tasks together.",
    "audio and executor are the programs of examples/, of pthreads alone, on one CPU; the locks "
    "take turns. Of many short runs under a lock, that of the least worst wait is shown: the "
    "machine disturbed it least.",
]


def measure_programs(quick: bool) -> ProgramsReport:
    """Measure on this machine, with a progress bar on standard error."""
    pairs, seconds, runs = (
        (QUICK_PAIRS, QUICK_SECONDS, QUICK_RUNS) if quick else (PAIRS, SECONDS, RUNS)
    )
    with tempfile.TemporaryDirectory(prefix="plafond-bench-") as name:
        folder = Path(name)
        programs = (Inversions(folder, seconds), Controller(folder))
        operations = Operations(folder)
        examples = (
            Example("audio", "ns a move", 15, folder),
            Example("executor", "ns a take", 10, folder),
        )
        steps = len(programs) * pairs + len(OPERATIONS) + len(examples) * runs
        with progress_by_step("measuring", steps) as show:
            step = itertools.count(1)

            def done(what: str) -> None:
                show(what, next(step))

            rows = []
            for program in programs:
                found = []
                for _ in range(pairs):
                    found.append(program.pair())
                    done(program.counted)
                rows.append(row_of(program.program, program.counted, found))
            measured = []
            for operation in OPERATIONS:
                measured.append(operations.measure(operation, pairs))
                done(OPERATIONS[operation])
            tables = [
                example.measure(ROUNDS, runs, partial(done, example.name)) for example in examples
            ]
    return ProgramsReport(
        conditions=_conditions(quick), programs=rows, operations=measured, examples=tables
    )


def row_of(program: str, counted: str, pairs: Sequence[Pair]) -> ProgramRow:
    """Return the row of a program from its pairs."""
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
