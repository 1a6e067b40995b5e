# SPDX-License-Identifier: MIT
"""Run the program `locks` and build the report from its samples."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.progress import Progress, TextColumn, TimeElapsedColumn

from plafond.bench.again import filter_of, measure_without_stops
from plafond.bench.break_even import break_even_rows
from plafond.bench.handover import spin_limits
from plafond.bench.model import (
    Arrival,
    Conditions,
    HandoverRow,
    LocksReport,
    PreemptedRow,
    Row,
    ScalingRow,
)
from plafond.bench.samples import Output, Sample, collect
from plafond.bench.targets import targets
from plafond.machine import cpu_model
from plafond.programs import find_program, run_program
from plafond.progress import shown

REPETITIONS = 50
QUICK_REPETITIONS = 3
LONGEST_SECONDS = 110.0
EMPTY_LOOP = "empty-loop"

NOTES = [
    "One process, a second thread alive, memory locked, pinned; repetitions mixed at random.",
    "bound: store, store, load, compare. Its rounds do not depend on each other: the processor "
    "overlaps them, and they cost hardly more than the loop.",
    "Times include the loop (empty_loop_ns), instructions do not.",
    "Instructions: counted in user mode by single-stepping (PTRACE_SINGLESTEP), 16 rounds less 8, "
    "less the empty loop; a system call is one.",
    "System calls: counted by a tracer (PTRACE_SYSCALL), 128 rounds less 64.",
    "Context switches: getrusage of the process, voluntary and involuntary.",
    "Nested mutexes have the same ceiling, so protect changes the priority only once.",
    "Preempted: the holder wakes the arrival inside the section, on the same CPU; the rows no-lock "
    "are the cost of that wake alone, which is part of the other rows.",
    "Scaling rows include the choice of the next mutex.",
    "Hand-over: two threads on two CPUs take turns, both of one priority; each comes as soon as "
    "the other's section has begun. Its time is that of a round less the section. Processor time: "
    "by the kernel's account of both threads (CLOCK_THREAD_CPUTIME_ID), less sections and the "
    "wait before a thread may come. System calls of a hand-over: with sections of 0.5 ms.",
    "plafond-global-spin spins for at most 1 ms; ticket-spinlock without an end, at the ceiling.",
    "In FUTEX_LOCK_PI (plafond-global, inherit) Linux itself spins as long as the holder runs.",
]


def measure_locks(quick: bool) -> LocksReport:
    """Measure on this machine, with progress on standard error."""
    repetitions = QUICK_REPETITIONS if quick else REPETITIONS
    return make_report(run_locks(repetitions), repetitions, quick)


def run_locks(
    repetitions: int, groups: Sequence[str] = (), before: Sequence[str | Path] = ()
) -> Output:
    """Run the program, with progress on standard error; without `groups` all of its rows.

    `before`: words to put before its command.
    """
    all_rows = f"^({'|'.join(groups)})/" if groups else ""
    with shown(TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn()) as progress:

        def measure(rows: Sequence[str], count: int) -> Output:
            wanted = filter_of(rows) if rows else all_rows
            output = run_program(
                [
                    *before,
                    find_program("bench/locks"),
                    "--benchmark_format=json",
                    f"--benchmark_repetitions={count}",
                    "--benchmark_enable_random_interleaving=true",
                    *([f"--benchmark_filter={wanted}"] if wanted else []),
                ],
                _bar(progress, "measuring again" if rows else "measuring", count),
                LONGEST_SECONDS,
            )
            return Output.model_validate_json(output)

        return measure_without_stops(measure, repetitions)


def make_report(output: Output, repetitions: int, quick: bool) -> LocksReport:
    """Build the report from the program's output."""
    samples = collect(output.benchmarks)
    empty = {s.group: s for s in samples if s.lock == EMPTY_LOOP}["pair"]
    loop = empty.instructions or 0

    def rows(group: str) -> list[Row]:
        return [
            Row.model_validate({"lock": s.lock, **pair_fields(s, loop)})
            for s in samples
            if s.group == group and s.lock != EMPTY_LOOP
        ]

    scaling = [
        ScalingRow.model_validate({"lock": s.lock, "threads": s.case, **pair_fields(s, loop)})
        for s in samples
        if s.group == "scaling"
    ]
    preempted = [
        PreemptedRow.model_validate({"lock": s.lock, **preempted_fields(s)})
        for s in samples
        if s.group == "preempted"
    ]
    handover = [handover_row(s) for s in samples if s.group == "handover"]
    uncontended, nested, hook = rows("pair"), rows("nested"), rows("hook")
    return LocksReport(
        conditions=conditions([output], samples, empty, NOTES, repetitions, quick),
        uncontended=uncontended,
        nested=nested,
        hook=hook,
        preempted=preempted,
        break_even=break_even_rows(
            {row.lock: row.ns_median for row in uncontended},
            {(row.lock, row.arrival): row.ns_median for row in preempted},
        ),
        scaling=scaling,
        handover=handover,
        spin_limits=spin_limits(handover),
        targets=targets(uncontended, nested, hook, scaling),
    )


def pair_fields(sample: Sample, loop_instructions: float) -> dict[str, object]:
    """Return the fields of a pair in a report's row, except its name."""
    instructions = sample.instructions
    return {
        **_times(sample),
        "instructions": None if instructions is None else instructions - loop_instructions,
    }


def preempted_fields(sample: Sample) -> dict[str, object]:
    """Return the fields of a preempted section in a report's row, except its name."""
    return {
        "arrival": Arrival(sample.case),
        **_times(sample),
        "context_switches": sample.context_switches,
    }


def handover_row(sample: Sample) -> HandoverRow:
    """Return a row of the hand-overs; each round contains a section, which is subtracted."""
    section_ns = int(sample.case)
    return HandoverRow(
        lock=sample.lock,
        section_ns=section_ns,
        ns_median=sample.ns_median - section_ns,
        ns_min=sample.ns_min - section_ns,
        ns_max=sample.ns_max - section_ns,
        processor_ns=sample.processor_ns,
        system_calls=sample.system_calls,
        context_switches=sample.context_switches,
        with_stops=sample.with_stops,
    )


def _times(sample: Sample) -> dict[str, object]:
    return {
        "ns_median": sample.ns_median,
        "ns_min": sample.ns_min,
        "ns_max": sample.ns_max,
        "system_calls": sample.system_calls,
        "with_stops": sample.with_stops,
    }


def conditions(
    outputs: Sequence[Output],
    samples: Sequence[Sample],
    empty: Sample,
    notes: list[str],
    repetitions: int,
    quick: bool,
) -> Conditions:
    """Join the conditions that the program reports, its empty loop, and this machine's data."""
    context = outputs[0].context
    copied = (
        "cpu",
        "kernel",
        "libc",
        "compiler",
        "flags",
        "priority",
        "arrival_priority",
        "ceiling",
    )
    return Conditions.model_validate(
        {key: context[key] for key in copied}
        | {
            "cpu_model": cpu_model(),
            "governor": _governor(str(context["cpu"])),
            "repetitions": repetitions,
            "quick": quick,
            "empty_loop_ns": empty.ns_median,
            "empty_loop_instructions": empty.instructions,
            "notes": notes,
            "again": sum(output.again for output in outputs),
            "rows_with_stops": sum(sample.with_stops for sample in samples),
        }
    )


def _governor(cpu: str) -> str:
    path = Path(f"/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor")
    return path.read_text().strip() if path.exists() else "unknown"


def _bar(progress: Progress, title: str, repetitions: int) -> Callable[[str], None]:
    """Return a function for the program's lines: `rows N` once, then `run` at each repetition."""
    task = progress.add_task(title, total=None)

    def on_line(line: str) -> None:
        word, _, number = line.partition(" ")
        if word == "rows":
            progress.update(task, total=int(number) * repetitions)
        elif word == "run":
            progress.advance(task)

    return on_line
