# SPDX-License-Identifier: MIT
"""Execute a description under each protocol in turn, and make the traces a report."""

from collections.abc import Iterator, Mapping, Sequence

from plafond.board.words import stack_lines
from plafond.describe import System
from plafond.errors import PlafondError
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.board import run_on_board
from plafond.run.bounds import Bounds, bounds_of, level_of
from plafond.run.conditions import conditions_of, disturbances
from plafond.run.job import Job, Outcome
from plafond.run.known_overheads import KnownOverheads, known_overheads
from plafond.run.model import Execution, RunReport
from plafond.run.options import Options
from plafond.run.plan import limit_ns, plan_text
from plafond.run.recorded import Recorded, notes_of, read_recorded, threads_of, worst_parts
from plafond.run.releases import Times, draw_releases, with_arrivals
from plafond.run.targets import run_jobs
from plafond.run.worst import worst_arrivals
from plafond.trace.activations import activations
from plafond.trace.excess import Jobs
from plafond.trace.measures import Disturbance, Measures, Place, Verdict, measure
from plafond.trace.model import Trace
from plafond.trace.outside import LONGEST_OWN_NS, Processor, Served
from plafond.trace.served import held_spans
from plafond.trace.sharing import measure_sharing
from plafond.units import format_duration

OUTSIDE = (
    f"{Verdict.EXCEEDED_OUTSIDE}: only disturbed responses were above the bound, and within that "
    "of a CPU that is away for as long as it was then"
)
LATE = "release jitter: responses and deadlines count from arrivals, latencies from releases"
ROUGH = "times with two CPUs are rough: do not compare them with bounds"


def execute(system: System, options: Options) -> tuple[Execution, BaseException | None]:
    """Run under each protocol; also returns what interrupted it, if something did."""
    system = with_activations(system.scaled(options.scale), options.activations)
    seed = system.seed if options.seed is None else options.seed
    # The worst is that of the longest bodies.
    system = system.at_longest() if options.worst else system.seeded(seed)
    arrivals = worst_arrivals(system, options) if options.worst else draw_arrivals(system, seed)
    releases = arrivals if options.worst else draw_releases(system, arrivals, seed)
    overheads = known_overheads(system, options)
    outcomes, interrupted = _run(options, _outcomes(system, options, releases))
    traces = {
        protocol: with_arrivals(outcome.trace, arrivals, releases)
        for protocol, outcome in outcomes.items()
    }
    recorded, unread = _recorded(outcomes if options.irqs else {})
    bounds = bounds_of(system, traces, overheads.of)
    report = _report(system, options, seed, traces, recorded, bounds, overheads)
    return Execution(system, traces, report, options.shown, recorded), interrupted or unread


def _outcomes(system: System, options: Options, releases: Times) -> Iterator[Outcome]:
    if options.board:
        return run_on_board(system, releases, options, options.board)
    return run_jobs(list(_jobs(system, options, releases)), options)


def _jobs(system: System, options: Options, releases: Times) -> Iterator[Job]:
    duration_ns = max(times[-1] for times in releases.values())
    for protocol in options.protocols:
        plan = plan_text(system, protocol, releases)
        limit = limit_ns(system, releases)
        yield Job(protocol, plan, duration_ns, limit, system.reserved_interrupts, options.irqs)


def _run(
    options: Options, outcomes: Iterator[Outcome]
) -> tuple[dict[str, Outcome], BaseException | None]:
    """Return what each protocol left, and what came between; raise that if it came first."""
    left: dict[str, Outcome] = {}
    try:
        for protocol, outcome in zip(options.protocols, outcomes, strict=True):
            left[protocol] = outcome
            if outcome.interrupted:
                return left, outcome.interrupted
    except (PlafondError, KeyboardInterrupt, SystemExit) as error:
        if not left:
            raise
        return left, error  # what was measured before is not lost
    return left, None


def _recorded(outcomes: Mapping[str, Outcome]) -> tuple[dict[str, Recorded], PlafondError | None]:
    """Return the recordings that can be read, and what is wrong with the first of the others."""
    found: dict[str, Recorded] = {}
    failure: PlafondError | None = None
    for protocol, outcome in outcomes.items():
        try:
            found[protocol] = read_recorded(outcome.recording or b"", outcome.trace)
        except PlafondError as error:
            failure = failure or error
    return found, failure


def _report(
    system: System,
    options: Options,
    seed: int,
    traces: dict[str, Trace],
    recorded: Mapping[str, Recorded],
    bounds: Bounds,
    overheads: KnownOverheads,
) -> RunReport:
    missing = [protocol for protocol in options.protocols if protocol not in traces]
    rows = list(_rows(system, options, traces, bounds))
    return RunReport(
        name=system.name,
        target=options.target,
        arrivals_are_worst=options.worst,
        has_host=options.has_host,
        conditions=conditions_of(options, seed, traces, overheads.said, system.cpus),
        rows=rows,
        sharing=[row for trace in traces.values() for row in measure_sharing(system, trace)],
        threads=threads_of(recorded),
        worst_parts=list(worst_parts(system, traces, recorded, rows)),
        lost_events={protocol: each.history.lost_events for protocol, each in recorded.items()},
        cuts={protocol: trace.cut for protocol, trace in traces.items() if trace.cut},
        notes=[
            *(f"{name}: no figures: its run did not finish" for name in missing),
            *([ROUGH] if options.guest and not options.guest.is_counting else []),
            *([LATE] if any(task.jitter_ns for task in system.tasks) else []),
            *overheads.missing,
            *bounds.notes,
            *(_of_disturbed(rows) if options.has_host else []),
            *disturbances(system, traces),
            *stack_lines(traces.values()),
            *notes_of(recorded, traces),
        ],
    )


def _of_disturbed(rows: Sequence[Measures]) -> Iterator[str]:
    """Say what max* leaves out, and that this is no fair sample."""
    finished = sum(row.activations for row in rows)
    dropped = sum(row.disturbed for row in rows)
    longest = format_duration(LONGEST_OWN_NS)
    yield (
        f"max*: the longest response without {dropped} of {finished} (dropped), in "
        f"whose time one gap of more than {longest} lies in which a task could run and none did, "
        "or more shorter ones, in the midst of run steps, than the bound has noise. "
        "Clocks do not say what had the processor. The longer a response, the likelier it has "
        "such a gap: max* is rather too low"
    )
    if any(row.verdict is Verdict.EXCEEDED_OUTSIDE for row in rows):
        yield OUTSIDE
    yield from (_of_disturbance(row, row.disturbance) for row in rows if row.disturbance)


def _of_disturbance(row: Measures, found: Disturbance) -> str:
    """Show what had the processor when a response was above its bound."""
    response, bound, foreign, heard, noise = map(
        format_duration,
        (found.response_ns, found.bound_ns, found.foreign_ns, found.heard_ns, found.noise_ns),
    )
    return (
        f"{row.task} under {row.protocol}: activation {found.activation} took {response}, its "
        f"bound is {bound}; gaps of more than {format_duration(LONGEST_OWN_NS)} took {foreign}, "
        f"shorter ones in run steps {heard}, of which the bound contains {noise}"
    )


def _rows(
    system: System, options: Options, traces: dict[str, Trace], bounds: Bounds
) -> Iterator[Measures]:
    for protocol, trace in traces.items():
        recorded = {task.name: task for task in trace.tasks}
        across_cpus = trace.numbers_of(each.name for each in system.global_resources)
        jobs_of = [
            [(task, activations(recorded[task.name])) for task in system.tasks_on(cpu)]
            for cpu in range(system.cpus)
        ]
        alone = [
            Processor(((task.priority, own) for task, own in jobs), options.has_host, across_cpus)
            for jobs in jobs_of
        ]
        for cpu, jobs in enumerate(jobs_of):
            processor = alone[cpu].beside(alone[other] for other in system.cpus_beside(cpu)[1:])
            servers = _processors_of_servers(system, options, trace, cpu, jobs)
            for task, _ in jobs:
                seen = servers.get(task.server or "", processor)  # reservations are none of these
                place = Place(task, jobs, seen, level_of(system, task, protocol))
                yield measure(recorded[task.name], place, protocol, bounds.of[task.name, protocol])


def _processors_of_servers(
    system: System, options: Options, trace: Trace, cpu: int, jobs: Jobs
) -> dict[str, Processor]:
    """Return the processor as the tasks of each server of a CPU have it."""
    servers = system.servers_on(cpu)
    traces = {each.name: each for each in trace.servers}
    due = {event.time_ns for each in servers for event in traces[each.name].events}
    due.update(time_ns for _, own in jobs for each in own for time_ns in each.wake_ups())
    end_ns = max((own[-1].end_ns or 0 for _, own in jobs if own), default=0)
    return {
        each.name: Processor(
            ((task.priority, own) for task, own in jobs if task.server == each.name),
            options.has_host,
            served=Served(held_spans(traces[each.name], end_ns), due),
        )
        for each in servers
    }
