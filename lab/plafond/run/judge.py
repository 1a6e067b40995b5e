# SPDX-License-Identifier: MIT
"""Judge the trace of a run by its bounds: measures of its tasks, and stops of its CPUs."""

from plafond.describe import System
from plafond.run.bounds import Bounds, level_of
from plafond.run.stops import CpuStops, stops_of
from plafond.trace.activations import Span, activations
from plafond.trace.excess import Jobs
from plafond.trace.measures import Measures, judged_as_one, measure
from plafond.trace.model import Trace
from plafond.trace.outside import Processor, Served, union
from plafond.trace.served import held_spans
from plafond.trace.verdicts import Place


def judge(
    system: System, protocol: str, trace: Trace, bounds: Bounds, has_host: bool
) -> tuple[list[Measures], list[CpuStops]]:
    """Return the measures of each task of a run, and the stops of each CPU."""
    recorded = {task.name: task for task in trace.tasks}
    across_cpus = trace.numbers_of(each.name for each in system.global_resources)
    jobs_of = [
        [(task, activations(recorded[task.name])) for task in system.tasks_on(cpu)]
        for cpu in range(system.cpus)
    ]
    alone = [
        Processor(((task.priority, own) for task, own in jobs), has_host, across_cpus)
        for jobs in jobs_of
    ]
    speeds = {each.cpu: each.turns_per_us.median for each in trace.cpus if has_host}
    rows: list[Measures] = []
    stops: dict[int, list[Span]] = {}
    for cpu, jobs in enumerate(jobs_of):
        processor = alone[cpu].beside(alone[other] for other in system.cpus_beside(cpu)[1:])
        servers = _processors_of_servers(system, trace, cpu, jobs, has_host)
        seen_on = list(servers.values()) or [alone[cpu]]
        stops[cpu] = union(span for each in seen_on for span in each.stops)
        for task, _ in jobs:
            # `server` may name a reservation, which is not in `servers`
            seen = servers.get(task.server or "", processor)
            place = Place(task, jobs, seen, level_of(system, task, protocol), speeds.get(cpu))
            rows.append(
                measure(recorded[task.name], place, protocol, bounds.of[task.name, protocol])
            )
    return judged_as_one(rows), stops_of(trace, stops)


def _processors_of_servers(
    system: System, trace: Trace, cpu: int, jobs: Jobs, has_host: bool
) -> dict[str, Processor]:
    """Return for each server of a CPU the processor as the tasks of that server see it."""
    servers = system.servers_on(cpu)
    traces = {each.name: each for each in trace.servers}
    due = {event.time_ns for each in servers for event in traces[each.name].events}
    due.update(time_ns for _, own in jobs for each in own for time_ns in each.wake_ups())
    end_ns = max((each.end_ns or 0 for _, own in jobs for each in own), default=0)
    return {
        each.name: Processor(
            ((task.priority, own) for task, own in jobs if task.server == each.name),
            has_host,
            served=Served(held_spans(traces[each.name], end_ns), due),
        )
        for each in servers
    }
