# SPDX-License-Identifier: MIT
"""Run the program `pthread`, and whole programs, plain and with the drop-in in turn."""

from collections.abc import Sequence
from pathlib import Path

from plafond.bench.again import filter_of, measure_without_stops
from plafond.bench.pthread.model import PthreadReport
from plafond.bench.pthread.preload import with_preload
from plafond.bench.pthread.programs import PROGRAMS, measure_programs
from plafond.bench.pthread.report import make_report
from plafond.bench.samples import Output
from plafond.errors import PlafondError
from plafond.preload.library import find_library
from plafond.programs import find_program, run_program
from plafond.progress import progress_by_step

# The number of times that both processes are started, and the repetitions in each process.
PROCESSES, REPETITIONS, PAIRS = 10, 5, 20
QUICK_PROCESSES, QUICK_REPETITIONS, QUICK_PAIRS = 2, 1, 2
LINES, QUICK_LINES = 600_000, 60_000
LONGEST_SECONDS = 110.0
# Filters of rows that would measure the same path twice.
NOT_PLAIN, NOT_PRELOADED = "protect-", "empty-loop"


def measure_pthread(quick: bool) -> PthreadReport:
    """Measure on this machine, with a progress bar on standard error."""
    program, drop_in = find_program("bench/pthread"), find_library()
    processes = QUICK_PROCESSES if quick else PROCESSES
    repetitions = QUICK_REPETITIONS if quick else REPETITIONS
    pairs = QUICK_PAIRS if quick else PAIRS
    plain, preloaded = [], []
    done = 0
    with progress_by_step("measuring", processes + pairs * len(PROGRAMS)) as show:

        def step(what: str) -> None:
            nonlocal done
            show(what, done)
            done += 1

        for _ in range(processes):
            step("pairs and preempted sections")
            plain.append(_run(program, None, NOT_PLAIN, repetitions))
            preloaded.append(_run(program, drop_in, NOT_PRELOADED, repetitions))
        lines = QUICK_LINES if quick else LINES
        programs = measure_programs(drop_in, pairs, lines, step)
    return make_report(plain, preloaded, programs, processes * repetitions, quick)


def _run(program: Path, drop_in: Path | None, left_out: str, repetitions: int) -> Output:
    def measure(rows: Sequence[str], count: int) -> Output:
        output = run_program(
            [
                *with_preload(drop_in),
                program,
                "--benchmark_format=json",
                f"--benchmark_filter={filter_of(rows) if rows else f'-{left_out}'}",
                f"--benchmark_repetitions={count}",
                "--benchmark_enable_random_interleaving=true",
            ],
            _refuse_complaints,
            LONGEST_SECONDS,
        )
        return Output.model_validate_json(output)

    return measure_without_stops(measure, repetitions)


def _refuse_complaints(line: str) -> None:
    """Refuse to measure something else than the report says.

    The loader continues without a library that it cannot preload. The drop-in continues in an
    expensive way if it cannot work lazily. Both print a line.
    """
    if line.startswith(("ERROR: ld.so", "plafond")):
        raise PlafondError(line)
