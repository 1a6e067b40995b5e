# SPDX-License-Identifier: MIT
"""Build the report from the outputs of the processes."""

from collections.abc import Iterable

from plafond.bench.break_even import break_even_rows
from plafond.bench.locks import conditions, pair_fields, preempted_fields
from plafond.bench.pthread.model import PathRow, PreemptedRow, ProgramRow, PthreadReport
from plafond.bench.pthread.targets import (
    CROSS_CPU,
    DROP_IN,
    INHERIT,
    PINNED,
    PLAIN,
    PROTECT,
    THROUGH,
    UNPINNED,
    targets,
)
from plafond.bench.samples import Output, Sample, collect

EMPTY_LOOP = "empty-loop"
NO_LOCK = "no-lock"
# In the order of the tables: libc first, then the drop-in.
PAIRS = [PLAIN, INHERIT, PROTECT, PINNED, CROSS_CPU, UNPINNED, *THROUGH]
PREEMPTED = [NO_LOCK, PROTECT, f"{DROP_IN}{NO_LOCK}", PINNED]

NOTES = [
    "One program that knows pthreads only, as two processes in turn, plain and with the drop-in "
    "preloaded; a second thread alive, memory locked, repetitions mixed at random.",
    f"{PLAIN}, {INHERIT}, {PROTECT}: without the drop-in. {DROP_IN}*: the same with it.",
    f"{PINNED}: a mutex that only the measured CPU used; {CROSS_CPU}: a thread of another CPU has "
    f"locked it once; {UNPINNED}: the measured thread is not pinned.",
    f"{', '.join(THROUGH)}: mutexes without a ceiling, which pass to libc.",
    "Times include the loop (empty_loop_ns), instructions do not.",
    "Instructions: counted in user mode by single-stepping (PTRACE_SINGLESTEP), 16 rounds less 8; "
    "not for mutexes with a ceiling, for restartable sequences cannot be single-stepped.",
    "System calls: counted by a tracer (PTRACE_SYSCALL), 128 rounds less 64.",
    "Preempted: the holder wakes the arrival, which sleeps in sem_wait(), inside the section, on "
    "the same CPU; the rows no-lock are the cost of that wake alone, part of the other rows.",
    "Programs: plain and preloaded in turn, processes from start to end; the interval is that of "
    "the median ratio, with 95 % confidence or, of fewer than 6 pairs, all. It is within the noise "
    "if the interval holds 1.",
]


def make_report(
    plain: list[Output],
    preloaded: list[Output],
    programs: list[ProgramRow],
    repetitions: int,
    quick: bool,
) -> PthreadReport:
    """Build the tables of a run."""
    by_libc, by_drop_in = _samples(plain), _samples(preloaded)
    empty = next(sample for sample in by_libc if sample.lock == EMPTY_LOOP)
    loop = empty.instructions or 0
    both = [(sample.lock, sample) for sample in by_libc]
    both += [(DROP_IN + sample.lock, sample) for sample in by_drop_in]
    rows = [
        PathRow.model_validate({"path": path, **pair_fields(sample, loop)})
        for path, sample in _of_group("pair", both, PAIRS)
    ]
    preempted = [
        PreemptedRow.model_validate({"path": path, **preempted_fields(sample)})
        for path, sample in _of_group("preempted", both, PREEMPTED)
    ]
    return PthreadReport(
        conditions=conditions(
            [*plain, *preloaded], [*by_libc, *by_drop_in], empty, NOTES, repetitions, quick
        ),
        rows=rows,
        preempted=preempted,
        break_even=break_even_rows(
            {row.path: row.ns_median for row in rows},
            {(row.path, row.arrival): row.ns_median for row in preempted},
            [PINNED],
            [PROTECT],
        ),
        programs=programs,
        targets=targets(rows, preempted, programs),
    )


def _samples(outputs: Iterable[Output]) -> list[Sample]:
    return collect(run for output in outputs for run in output.benchmarks)


def _of_group(
    group: str, samples: Iterable[tuple[str, Sample]], paths: list[str]
) -> list[tuple[str, Sample]]:
    """Return the samples of a group on these paths, in the order of the paths."""
    found = [(path, sample) for path, sample in samples if sample.group == group and path in paths]
    return sorted(found, key=lambda each: paths.index(each[0]))
