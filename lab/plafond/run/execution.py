# SPDX-License-Identifier: MIT
"""Execute a description under each protocol in turn, and build the report from the traces."""

from collections.abc import Iterator, Mapping, Sequence

from plafond.analyse.overload import cpus_in_use
from plafond.board.words import stack_lines
from plafond.describe import System
from plafond.errors import PlafondError
from plafond.run.alone import alone_on
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.board import run_on_board
from plafond.run.bounds import Bounds, bounds_of
from plafond.run.candidates import notes_of_candidates
from plafond.run.conditions import conditions_of, disturbances
from plafond.run.job import Job, Outcome
from plafond.run.judge import judge
from plafond.run.known_overheads import KnownOverheads, known_overheads
from plafond.run.model import Execution, RunReport
from plafond.run.options import Options
from plafond.run.plan import limit_ns, plan_text
from plafond.run.recorded import (
    Recorded,
    notes_of,
    read_recorded,
    stops_explained,
    threads_of,
    worst_parts,
)
from plafond.run.releases import Times, draw_releases, with_arrivals
from plafond.run.stops import not_judged_notes, steal_notes
from plafond.run.targets import run_jobs
from plafond.run.worst import at_any_phase, worst_arrivals
from plafond.trace.measures import Measures
from plafond.trace.model import Trace
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.trace.sharing import measure_sharing
from plafond.units import format_duration
from plafond.witness import CpuBefore, stops_before

LATE = "release jitter: responses and deadlines count from arrivals, latencies from releases"
ROUGH = "times with two CPUs are rough: do not compare them with bounds"


def execute(system: System, options: Options) -> tuple[Execution, BaseException | None]:
    """Run under each protocol. Also return the exception that interrupted the run, if any."""
    system = with_activations(system.scaled(options.scale), options.activations)
    seed = system.seed if options.seed is None else options.seed
    # The worst case has bodies of their greatest length.
    system = system.at_longest() if options.worst else system.seeded(seed)
    arrivals: Times = {}
    if options.worst:
        arrivals, releases = worst_arrivals(system, options, seed)
    else:
        arrivals = draw_arrivals(system, seed)
        releases = draw_releases(system, arrivals, seed)
    cpus = cpus_in_use(system) if options.target == "linux" else []
    with alone_on(cpus):
        overheads = known_overheads(system, options)
        before = stops_before(cpus) if cpus and options.overheads else []
        outcomes, interrupted = _run(options, _outcomes(system, options, releases))
    traces = {
        protocol: with_arrivals(outcome.trace, arrivals, releases)
        for protocol, outcome in outcomes.items()
    }
    recorded, unread = _recorded(outcomes if options.irqs else {})
    analysed = at_any_phase(system) if options.worst else system
    bounds = bounds_of(analysed, traces, overheads.of)
    report = _report(system, options, seed, traces, recorded, bounds, overheads, before)
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
    """Return the outcome of each protocol, and the exception that ended the run early.

    If no protocol has an outcome yet, raise the exception instead.
    """
    left: dict[str, Outcome] = {}
    try:
        for protocol, outcome in zip(options.protocols, outcomes, strict=True):
            left[protocol] = outcome
            if outcome.interrupted:
                return left, outcome.interrupted
    except (PlafondError, KeyboardInterrupt, SystemExit) as error:
        if not left:
            raise
        return left, error  # keep the outcomes of the protocols before
    return left, None


def _recorded(outcomes: Mapping[str, Outcome]) -> tuple[dict[str, Recorded], PlafondError | None]:
    """Return the readable recordings, and the error of the first recording that is not readable."""
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
    before: list[CpuBefore],
) -> RunReport:
    missing = [protocol for protocol in options.protocols if protocol not in traces]
    judged = {
        protocol: judge(system, protocol, trace, bounds, options.has_host)
        for protocol, trace in traces.items()
    }
    rows = [row for own, _ in judged.values() for row in own]
    stops = [cpu for _, own in judged.values() for cpu in own]
    return RunReport(
        name=system.name,
        target=options.target,
        arrivals_are_worst=options.worst,
        has_host=options.has_host,
        conditions=conditions_of(options, seed, traces, overheads.said, system.cpus),
        rows=rows,
        before=before,
        stops=stops,
        sharing=[row for trace in traces.values() for row in measure_sharing(system, trace)],
        threads=threads_of(recorded),
        worst_parts=list(worst_parts(system, traces, recorded, rows)),
        lost_events={protocol: each.history.lost_events for protocol, each in recorded.items()},
        cuts={protocol: trace.cut for protocol, trace in traces.items() if trace.cut},
        notes=[
            *(f"{name}: no figures: its run did not finish" for name in missing),
            *([ROUGH] if options.guest and not options.guest.is_counting else []),
            *([LATE] if any(task.jitter_ns for task in system.tasks) else []),
            *(notes_of_candidates(system) if options.worst else ()),
            *overheads.missing,
            *bounds.notes,
            *not_judged_notes(rows),
            *([_of_stops(rows)] if options.has_host else []),
            *steal_notes(stops),
            *stops_explained(recorded, stops),
            *disturbances(system, traces),
            *stack_lines(traces.values()),
            *notes_of(recorded, traces),
        ],
    )


def _of_stops(rows: Sequence[Measures]) -> str:
    """Explain which activations `no stops` leaves out, and that the rest is no fair sample."""
    finished = sum(row.activations for row in rows)
    stopped = sum(row.stopped for row in rows)
    longest = format_duration(LONGEST_OWN_NS)
    return (
        f"no stops: the longest response without {stopped} of {finished} activations (stopped). "
        f"In the time of these a task could run and none did, for more than {longest} at once, or "
        "more often in the midst of run steps than the bound has noise. Clocks do not say what had "
        "the processor. The longer a response, the likelier it has a stop"
    )
