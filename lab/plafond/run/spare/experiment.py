# SPDX-License-Identifier: MIT
"""The runs of the experiment (Carminati 2012, Section VI).

A measuring task below all others uses the time that they leave during the run. Runs come in pairs
with the same arrivals, one run under each protocol. The order in a pair alternates.
"""

from collections.abc import Iterator, Sequence

from plafond.analyse.overload import cpus_in_use
from plafond.describe import System
from plafond.errors import ArgumentError, PlafondError
from plafond.run.alone import alone_on
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.conditions import conditions_of
from plafond.run.job import Job, Outcome
from plafond.run.options import Options
from plafond.run.plan import SpareTask, limit_ns, plan_text
from plafond.run.spare.account import account_of, can_account, events_of
from plafond.run.spare.model import SpareReport
from plafond.run.spare.report import (
    judgements,
    occurrences_of,
    paper_of,
    paper_row,
    row_of,
)
from plafond.run.spare.statistics import FEWEST
from plafond.run.targets import run_jobs
from plafond.trace.model import Trace
from plafond.units import format_duration


def compare_spare(
    system: System, options: Options, pairs: int
) -> tuple[SpareReport, BaseException | None]:
    """Run the pairs and test the difference. Also return the exception that interrupted them."""
    if len(options.protocols) != 2:
        found = ",".join(options.protocols)
        raise ArgumentError(f"--spare-cpu compares two protocols: --protocol has {found}")
    if pairs < FEWEST:
        raise ArgumentError(f"--spare-cpu: found {pairs}; expected at least {FEWEST} pairs")
    system = with_activations(system.scaled(options.scale), options.activations)
    seed = system.seed if options.seed is None else options.seed
    _refuse_varying(system)
    spare = _spare_task(system, seed)
    samples: list[dict[str, Trace]] = []
    interrupted: BaseException | None = None
    seeds = [seed + pair for pair in range(pairs)]
    try:
        with alone_on(cpus_in_use(system) if options.target == "linux" else []):
            for sample in _samples(system, options, seeds, spare):
                samples.append(sample)
    except (PlafondError, KeyboardInterrupt, SystemExit) as error:
        interrupted = error
        if len(samples) < FEWEST:
            raise
    return _report(system, options, seed, spare, samples, interrupted is not None), interrupted


def _refuse_varying(system: System) -> None:
    """Raise ArgumentError if equal arrivals may have different work in different pairs."""
    for task in system.tasks:
        if task.has_ranges or task.jitter_ns:
            what = "a range in the body" if task.has_ranges else "release jitter"
            raise ArgumentError(
                f"--spare-cpu: found {what} of {task.name}; expected run steps of one length, and "
                "releases at arrivals"
            )


def _samples(
    system: System, options: Options, seeds: Sequence[int], spare: SpareTask
) -> Iterator[dict[str, Trace]]:
    """Yield the traces of each pair by protocol; each pair has a seed of `seeds`."""
    orders = [options.protocols[:: 1 if seed % 2 == 0 else -1] for seed in seeds]
    jobs = (
        _job(system, protocol, seed, spare, f"pair {pair} of {len(seeds)}, {protocol}")
        for pair, (seed, order) in enumerate(zip(seeds, orders, strict=True), start=1)
        for protocol in order
    )
    outcomes = run_jobs(jobs, options)
    for order in orders:
        yield {protocol: _whole(next(outcomes)) for protocol in order}


def _job(system: System, protocol: str, seed: int, spare: SpareTask, what: str) -> Job:
    drawn = draw_arrivals(system, seed)
    # Arrivals after the duration are not measured.
    arrivals = {
        name: [time_ns for time_ns in times if time_ns < spare.duration_ns]
        for name, times in drawn.items()
    }
    plan = plan_text(system, protocol, arrivals, spare)
    limit = limit_ns(system, arrivals)
    return Job(what, plan, spare.duration_ns, limit, system.reserved_interrupts)


def _whole(outcome: Outcome) -> Trace:
    if outcome.interrupted:
        raise outcome.interrupted
    if outcome.trace.cut or outcome.trace.spare_cpu_time_ns is None:
        raise PlafondError(f"a run was cut: {outcome.trace.cut}")
    return outcome.trace


def _spare_task(system: System, seed: int) -> SpareTask:
    """Return a task below the others on the busiest CPU, whose time ends before their arrivals."""
    cpu = max(range(system.cpus), key=system.utilisation)
    lowest = min(task.priority for task in system.tasks_on(cpu))
    if lowest == 1:
        raise PlafondError(
            "--spare-cpu needs a priority below all tasks: found a task of priority 1"
        )
    # Take the shortest possible run, so that all pairs measure for the same time.
    counted = [task for task in system.tasks if task.activations]
    duration_ns = min((task.activations or 0) * task.least_interval_ns for task in counted)
    return SpareTask(lowest - 1, cpu, duration_ns)


def _report(
    system: System,
    options: Options,
    seed: int,
    spare: SpareTask,
    samples: list[dict[str, Trace]],
    cut: bool,
) -> SpareReport:
    is_whole = can_account(system)
    rows = [
        row_of(name, [account_of(system, pair[name], spare) for pair in samples], is_whole)
        for name in options.protocols
    ]
    paper = paper_of(system.name, options.protocols)
    effect_ns = abs(paper.effect) * rows[0].left.average_ns if paper else None
    traces = {protocol: samples[0][protocol] for protocol in options.protocols}
    return SpareReport(
        name=system.name,
        conditions=conditions_of(options, seed, traces, "do not apply", system.cpus),
        cpu=spare.cpu,
        duration_ns=spare.duration_ns,
        pairs=len(samples),
        cut=cut,
        rows=rows,
        occurrences=[
            occurrences_of(name, [events_of(pair[name]) for pair in samples])
            for name in options.protocols
        ],
        paper=paper_row(paper) if paper else None,
        effect_to_see_ns=effect_ns,
        tests=list(judgements(rows, effect_ns)),
        notes=list(_notes(samples)),
    )


def _notes(samples: list[dict[str, Trace]]) -> Iterator[str]:
    """Yield notes on other uses of processor time, summed over all runs."""
    traces = [trace for pair in samples for trace in pair.values()]
    runtime_us, period_us = traces[0].priority_limit_us
    if runtime_us is not None and period_us is not None and 0 <= runtime_us < period_us:
        yield (
            "the measuring task leaves no processor time, so the kernel stops SCHED_FIFO after "
            f"{runtime_us // 1000} of {period_us // 1000} ms: the rest is missing in all samples"
        )
    stolen_ns = sum(cpu.steal_ns or 0 for trace in traces for cpu in trace.cpus)
    if stolen_ns:
        yield f"the host took {format_duration(stolen_ns)} in all runs"
    faults = sum(
        (task.minor_faults or 0) + (task.major_faults or 0)
        for trace in traces
        for task in trace.tasks
    )
    if faults:
        yield f"{faults} page faults in all runs"
