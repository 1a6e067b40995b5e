# SPDX-License-Identifier: MIT
"""Execute a description under each protocol in turn, and make the traces a report."""

from collections.abc import Iterator, Mapping, Sequence

from plafond.bench.overheads import measure_overheads
from plafond.board.words import BOUNDS, stacks_told
from plafond.describe import System
from plafond.errors import PlafondError
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.board import run_on_board
from plafond.run.bounds import Bounds, bounds_of
from plafond.run.conditions import conditions_of, disturbances
from plafond.run.job import Job, Outcome
from plafond.run.model import Execution, RunReport
from plafond.run.options import Options
from plafond.run.plan import limit_ns, plan_text
from plafond.run.targets import run_jobs
from plafond.trace.activations import activations
from plafond.trace.measures import Measures, Verdict, measure
from plafond.trace.model import Trace
from plafond.trace.outside import DISTURBED_SHARE, Processor

DISTURBED = (
    "max*: the longest response in whose time since the CPU had nothing to do none of the tasks "
    f"ran for at most {DISTURBED_SHARE:.0%}: the kernel, interrupts, other threads or the host did"
)
OUTSIDE = (
    f"{Verdict.EXCEEDED_OUTSIDE}: within the bound of a CPU that is away for as long as it was then"
)

ROUGH = "times with two CPUs are rough: do not compare them with bounds"


def execute(system: System, options: Options) -> tuple[Execution, BaseException | None]:
    """Run under each protocol; also returns what interrupted it, if something did."""
    system = with_activations(system.scaled(options.scale), options.activations)
    seed = system.seed if options.seed is None else options.seed
    arrivals = draw_arrivals(system, seed)
    overheads = measure_overheads(system) if options.overheads else None
    traces, interrupted = _run(options, _outcomes(system, options, arrivals))
    bounds = bounds_of(system, traces, overheads)
    report = _report(system, options, seed, traces, bounds)
    return Execution(system, traces, report, options.shown), interrupted


def _outcomes(
    system: System, options: Options, arrivals: Mapping[str, Sequence[int]]
) -> Iterator[Outcome]:
    if options.board:
        return run_on_board(system, arrivals, options, options.board)
    return run_jobs(list(_jobs(system, options.protocols, arrivals)), options)


def _jobs(
    system: System, protocols: Sequence[str], arrivals: Mapping[str, Sequence[int]]
) -> Iterator[Job]:
    duration_ns = max(times[-1] for times in arrivals.values())
    for protocol in protocols:
        plan = plan_text(system, protocol, arrivals)
        yield Job(protocol, plan, duration_ns, limit_ns(system, arrivals))


def _run(
    options: Options, outcomes: Iterator[Outcome]
) -> tuple[dict[str, Trace], BaseException | None]:
    """Return the traces by protocol, and what came between; raise that if it came first."""
    traces: dict[str, Trace] = {}
    try:
        for protocol, outcome in zip(options.protocols, outcomes, strict=True):
            traces[protocol] = outcome.trace
            if outcome.interrupted:
                return traces, outcome.interrupted
    except (PlafondError, KeyboardInterrupt, SystemExit) as error:
        if not traces:
            raise
        return traces, error  # what was measured before is not lost
    return traces, None


def _report(
    system: System, options: Options, seed: int, traces: dict[str, Trace], bounds: Bounds
) -> RunReport:
    overheads = "measured, in the bounds" if options.overheads else "not in the bounds"
    missing = [protocol for protocol in options.protocols if protocol not in traces]
    return RunReport(
        name=system.name,
        target=options.target,
        conditions=conditions_of(options, seed, traces, overheads),
        rows=list(_rows(system, traces, bounds)),
        cuts={protocol: trace.cut for protocol, trace in traces.items() if trace.cut},
        notes=[
            *(f"{name}: no figures: its run did not finish" for name in missing),
            *([ROUGH] if options.guest and not options.guest.is_counting else []),
            *([BOUNDS[options.board.name]] if options.board else []),
            *bounds.notes,
            *([] if options.target == "sim" else [DISTURBED, OUTSIDE]),
            *disturbances(system, traces),
            *stacks_told(traces.values()),
        ],
    )


def _rows(system: System, traces: dict[str, Trace], bounds: Bounds) -> Iterator[Measures]:
    for protocol, trace in traces.items():
        recorded = {task.name: task for task in trace.tasks}
        for cpu in range(system.cpus):
            tasks = system.tasks_on(cpu)
            processor = Processor(
                (task.priority, activations(recorded[task.name])) for task in tasks
            )
            for task in tasks:
                bound = bounds.of[task.name, protocol]
                yield measure(recorded[task.name], task, processor, protocol, bound)
