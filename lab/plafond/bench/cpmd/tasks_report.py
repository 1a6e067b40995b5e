# SPDX-License-Identifier: MIT
"""The report of the schedule-sensitive method: rows by task, and Observation 5."""

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from plafond.bench.cpmd.caches import KIB, PREEMPTION, Caches, find_caches
from plafond.bench.cpmd.collect import polluter_bytes
from plafond.bench.cpmd.model import LEFT_OUT, Observation, Verdict
from plafond.bench.cpmd.numbers import Interval, numbers
from plafond.bench.cpmd.observations import CLAIMS, SUBSTANTIAL
from plafond.bench.cpmd.plan import Load
from plafond.bench.cpmd.tasks import LEAST_SAMPLES, RUNS, SetSamples, refuse_other_tasks, run_set
from plafond.bench.model import Part
from plafond.describe.system import System
from plafond.doctor.machine import Machine
from plafond.machine import cpu_model
from plafond.progress import progress_by_step
from plafond.rows import Column
from plafond.units import format_size

NOTES = [
    "Each task is a thread, SCHED_FIFO at its priority on its CPU, so all moves are preemptions. A "
    "job goes through its set twice, then through single words of it until it is preempted, and "
    "then a third time: the delay is that pass less the second.",
    "A job learns of a preemption from a restartable sequence that the kernel took away, confirmed "
    "by a gap of the clock of 1 us or more. Without that gap it is unsure, and no sample.",
    "Preempted early are jobs that were preempted in their first two passes: no samples.",
    "All rows have the same number of valid samples, the first ones of each run.",
    "Write ratio 1/4.",
]


class TaskRow(Part):
    """The delays of a task."""

    system: Annotated[str, Column("system", place=-3)]
    task_count: Annotated[int, Column("tasks of its CPU")]  # including this task
    load: Annotated[Load, Column("load", place=-2)]
    task: Annotated[str, Column("task", place=-1)]
    size_bytes: Annotated[int, Column("working set", format=format_size)]
    kind: str
    samples: int
    mean_ns: Annotated[float, Column("average", "us", ".2f")]
    deviation_ns: Annotated[float, Column("deviation", "us", ".2f")]
    largest_ns: Annotated[int, Column("largest", "us", ".2f")]
    least_ns: Annotated[int, Column("least", "us", ".2f")]


class JobsRow(Part):
    """The counts of a task's jobs."""

    system: Annotated[str, Column("system")]
    load: Annotated[Load, Column("load")]
    task: Annotated[str, Column("task")]
    jobs: Annotated[int, Column("jobs")]
    valid: Annotated[int, Column("valid")]
    early: Annotated[int, Column("early")]
    unsure: Annotated[int, Column("unsure")]
    dropped: Annotated[dict[str, int], Column(str)]
    is_left_out: Annotated[bool, LEFT_OUT]  # it has too few valid samples


class TasksReport(Part):
    """The report of `plafond bench cpmd --schedule`."""

    cpu_model: str
    kernel: str
    seconds: int  # total time of each set under each load
    runs: int  # the number of runs that share `seconds`
    samples: int  # number of valid samples in each run of each row
    sees_interrupts: bool
    polluter_bytes: int
    notes: list[str]
    rows: list[TaskRow]
    jobs: list[JobsRow]
    observation: Observation


def measure_tasks(systems: Sequence[System], loads: Sequence[Load], seconds: int) -> TasksReport:
    """Run each set under each load; ArgumentError for a wrong set, RefusedError for a privilege."""
    caches = find_caches(Machine(), sorted(os.sched_getaffinity(0)))
    for system in systems:
        refuse_other_tasks(system, caches)
    found = [SetSamples.of(system, load) for system in systems for load in loads]
    with progress_by_step("runs", RUNS * len(found)) as step:
        for number in range(RUNS):
            for place, each in enumerate(found):
                step(f"{each.system.name}, {each.load}", number * len(found) + place)
                run_set(each, caches, 1000 * seconds // RUNS)
    return make_tasks_report(found, seconds, caches)


@dataclass(frozen=True)
class _Row:
    """A row that is kept, with the mean of each of its runs."""

    row: TaskRow
    means_ns: Sequence[float]


def make_tasks_report(found: Sequence[SetSamples], seconds: int, caches: Caches) -> TasksReport:
    """Build the report from the samples."""
    fewest = [task.fewest for each in found for task in each.measured]
    samples = min((count for count in fewest if count >= LEAST_SAMPLES), default=0)
    rows = [row for each in found for row in _rows(each, samples)]
    return TasksReport(
        cpu_model=cpu_model(),
        kernel=platform.release(),
        seconds=seconds,
        runs=RUNS,
        samples=samples,
        sees_interrupts=all(each.sees_interrupts for each in found),
        polluter_bytes=polluter_bytes(caches),
        notes=NOTES,
        rows=[each.row for each in rows],
        jobs=[row for each in found for row in _jobs(each)],
        observation=_observe(rows),
    )


def _rows(found: SetSamples, samples: int) -> Iterator[_Row]:
    for each in found.measured:
        if each.fewest < LEAST_SAMPLES:
            continue
        runs = [[sample.delay_ns for sample in run[:samples]] for run in each.runs]
        delays = [delay for run in runs for delay in run]
        values = numbers(delays)
        row = TaskRow(
            system=found.system.name,
            task_count=len(found.system.tasks_on(each.task.cpu)),
            load=found.load,
            task=each.task.name,
            size_bytes=each.task.working_set or 0,
            kind=PREEMPTION,
            samples=len(delays),
            mean_ns=float(values.mean()),
            deviation_ns=float(values.std(ddof=1)),
            largest_ns=max(delays),
            least_ns=min(delays),
        )
        yield _Row(row, [float(numbers(run).mean()) for run in runs])


def _jobs(found: SetSamples) -> Iterator[JobsRow]:
    for each in found.measured:
        yield JobsRow(
            system=found.system.name,
            load=found.load,
            task=each.task.name,
            jobs=each.jobs,
            valid=each.valid,
            early=each.early,
            unsure=each.unsure,
            dropped={why.value: count for why, count in sorted(each.dropped.items())},
            is_left_out=each.fewest < LEAST_SAMPLES,
        )


def _observe(rows: Iterable[_Row]) -> Observation:
    """Compare tasks under load that have equal sets beside different numbers of tasks."""
    loaded = [each for each in rows if each.row.load is Load.POLLUTED]
    pairs = [
        (one, other)
        for one in loaded
        for other in loaded
        if one.row.size_bytes == other.row.size_bytes and one.row.task_count < other.row.task_count
    ]
    within = beyond = clear = 0
    for few, many in pairs:
        interval = _difference(few.means_ns, many.means_ns)
        margin_ns = SUBSTANTIAL * abs(few.row.mean_ns)
        clear += interval.half < margin_ns
        within += interval.is_within(margin_ns)
        beyond += interval.is_beyond(margin_ns)
    power = (
        f"a difference of {SUBSTANTIAL:.0%} of the mean beside fewer tasks could be seen with "
        f"{clear} of {len(pairs)} pairs of tasks with equal sets beside different numbers of tasks"
    )
    if not clear and not beyond:
        return _observation(f"none: {power}", "", Verdict.OPEN)
    largest = ", ".join(
        f"{each.row.largest_ns / 1000:.1f} us beside {each.row.task_count} "
        f"({each.row.size_bytes // KIB} KiB)"
        for each in loaded
    )
    finding = f"no more than that with {within}, more with {beyond}; largest: {largest}"
    if beyond:
        return _observation(power, finding, Verdict.REFUTED)
    verdict = Verdict.CONFIRMED if within == len(pairs) else Verdict.OPEN
    return _observation(power, finding, verdict)


def _difference(few_ns: Sequence[float], many_ns: Sequence[float]) -> Interval:
    """Return the interval of the difference of the medians of the runs' means.

    Its confidence is 1 - 4 / 2^RUNS (99.6 %). Each median is between the least and the largest
    mean, except with probability 2 / 2^RUNS, whatever the distribution is (Thompson 1936).
    """
    return Interval(min(many_ns) - max(few_ns), max(many_ns) - min(few_ns))


def _observation(power: str, finding: str, verdict: Verdict) -> Observation:
    return Observation(number=5, claim=CLAIMS[4], power=power, finding=finding, verdict=verdict)
