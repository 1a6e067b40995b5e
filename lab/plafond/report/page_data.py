# SPDX-License-Identifier: MIT
"""Data for the page's script: the time line and the activations of the whole run.

The data are JSON inside the page, because a page from a file must not read other files. Times are
whole nanoseconds. Protocols with equal data share a run.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plafond.describe.server import Server
from plafond.describe.system import System, Task
from plafond.report.alike import alike, in_words, names_of
from plafond.report.bands import tracks_of
from plafond.report.cpu_rows import rows_on
from plafond.report.cut import closed, end_of
from plafond.report.gantt import Gantt
from plafond.report.gantt_paint import resources_of
from plafond.report.histograms import clip_words, make_histograms
from plafond.report.rows import OF_SERVERS, OF_SHARING, OF_THREADS, Row, State
from plafond.report.thread_rows import thread_rows
from plafond.report.urgency import urgencies_of
from plafond.run.model import Execution
from plafond.run.recorded import Recorded
from plafond.trace.activations import activations
from plafond.trace.measures import Measures
from plafond.trace.model import TaskTrace, Trace

# Limits that keep a page below some ten megabytes, for the longest run with the most protocols.
MOST_EVENTS = 30_000  # events of a run; the time line ends after them
MOST_ACTIVATIONS = 50_000  # activations of a task under a protocol
MOST_THREADS = 24  # threads of a CPU that have a separate row
STATES = list(State)
COLOURS = 5  # of resources: r0 to r4 in templates/report.css


def page_data(execution: Execution, gantt: Gantt) -> str:
    """Return the data as JSON for a script element; colours are as in `gantt`."""
    system = execution.system
    ends_ns = _ends_of(execution)
    threads = {
        protocol: _rows_of_threads(execution.recorded.get(protocol), system.cpus, end_ns)
        for protocol, end_ns in ends_ns.items()
    }
    names_of_threads = list(dict.fromkeys(key for rows in threads.values() for key in rows))
    resources = _resources(execution, gantt)
    data = {
        "clock": execution.clock,
        "shown": tracks_of(system).index(execution.shown_task),
        "states": list(map(state_name, STATES)),
        "words": {state_name(state): state.value for state in states_of(execution)},
        "resources": resources,
        "tasks": [
            *(
                _task(execution, track) if isinstance(track, Task) else _server(track)
                for track in tracks_of(system)
            ),
            *({"name": name, "cpu": cpu} for cpu, name in names_of_threads),
        ],
        "runs": _merged(
            {
                protocol: _run(
                    execution,
                    execution.traces[protocol],
                    end_ns,
                    resources,
                    [threads[protocol].get(key) for key in names_of_threads],
                )
                for protocol, end_ns in ends_ns.items()
            }
        ),
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _resources(execution: Execution, gantt: Gantt) -> list[str]:
    """Return all resources, first those that have a colour in `gantt`."""
    coloured = resources_of(gantt)
    names = (resource.name for resource in execution.system.resources)
    return [*coloured, *(name for name in names if name not in coloured)]


def legend(execution: Execution, gantt: Gantt) -> list[tuple[str, str]]:
    """Return the styles of the time line and their words; resources can share a colour."""
    resources = _resources(execution, gantt)
    sections = [
        (
            f"{state_name(State.RUNNING)} r{colour}",
            f"runs in {in_words(resources[colour::COLOURS])}",
        )
        for colour in range(min(COLOURS, len(resources)))
    ]
    return [*((state_name(state), state.value) for state in states_of(execution)), *sections]


def states_of(execution: Execution) -> list[State]:
    """Return the states that tasks, servers and recorded threads can be in."""
    system = execution.system
    left_out: frozenset[State] = frozenset() if execution.recorded else OF_THREADS
    if not system.servers:
        left_out |= OF_SERVERS
    if system.reserved_tasks:
        left_out -= {State.UNSERVED}
    if not system.resources_of_servers:
        left_out |= OF_SHARING
    return [state for state in STATES if state not in left_out]


def state_name(state: State) -> str:
    """Return the name of a state in the page's style."""
    return state.name.lower().replace("_", "-")


def timeline_end_ns(execution: Execution) -> int | None:
    """Return the end of the time line if it is before the end of a run, else None."""
    cuts = [_time_of_event(execution, protocol, MOST_EVENTS) for protocol in execution.traces]
    return min((cut for cut in cuts if cut is not None), default=None)


def _time_of_event(execution: Execution, protocol: str, number: int) -> int | None:
    trace, recorded = execution.traces[protocol], execution.recorded.get(protocol)
    times = [event.time_ns for task in trace.tasks for event in task.events]
    times += (event.time_ns for server in trace.servers for event in server.events)
    if recorded:
        history = recorded.history
        others = (*history.threads, *history.softirqs, *history.interrupts)
        times += (piece.begin_ns for each in others for piece in each.on_cpu)
    times.sort()
    return times[number] if number < len(times) else None


def _server(server: Server) -> dict[str, Any]:
    return {"name": f"server {server.name}", "cpu": server.cpu}


def _task(execution: Execution, task: Task) -> dict[str, Any]:
    histograms = make_histograms(execution, task)
    return {
        "name": task.name,
        "cpu": task.cpu,
        "cpus": execution.system.cpus_beside(task.cpu),
        "deadline": task.deadline_ns,
        "measures": [
            {"name": each.measure, "end": each.end_ns, "words": clip_words(each)}
            for each in histograms
        ],
    }


def _ends_of(execution: Execution) -> dict[str, int]:
    """Return the end of the time line of each protocol."""
    until_ns = timeline_end_ns(execution)
    ends_ns = {protocol: end_of(trace) for protocol, trace in execution.traces.items()}
    return {name: min(end_ns, until_ns or end_ns) for name, end_ns in ends_ns.items()}


def _merged(runs: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a run for each group of protocols that agree."""
    return [
        {
            "title": names_of([protocol for protocol, _ in group], len(runs)),
            "protocols": [protocol for protocol, _ in group],
            **group[0][1],
        }
        for group in alike(list(runs.items()), lambda run: json.dumps(run[1]))
    ]


def _rows_of_threads(
    recorded: Recorded | None, cpus: int, end_ns: int
) -> Mapping[tuple[int, str], Row]:
    """Return the rows of threads by CPU and name; empty without a recording."""
    if not recorded:
        return {}
    return {
        (cpu, row.task): row
        for cpu in range(cpus)
        for row in thread_rows(recorded.history, cpu, (0, end_ns), MOST_THREADS)
    }


def _run(
    execution: Execution,
    trace: Trace,
    end_ns: int,
    resources: Sequence[str],
    threads: Sequence[Row | None],
) -> dict[str, Any]:
    recorded = {task.name: task for task in trace.tasks}
    measures = {row.task: row for row in execution.report.rows if row.protocol == trace.protocol}
    stretches = {
        row.task: list(_numbers(row, resources))
        for row in _rows(execution.system, trace, recorded, end_ns)
    }
    return {
        "end": end_ns,
        "cut": trace.cut is not None,
        "tasks": [
            *(
                {
                    **(_of_task(measures[name], recorded[name]) if name in recorded else {}),
                    "stretches": stretches[name],
                }
                for name in (track.name for track in tracks_of(execution.system))
            ),
            *({"stretches": list(_numbers(row, resources)) if row else []} for row in threads),
        ],
    }


def _rows(
    system: System, trace: Trace, recorded: Mapping[str, TaskTrace], end_ns: int
) -> Iterator[Row]:
    """Yield the rows of all CPUs from 0 to `end_ns`."""
    last_ns = end_of(trace)
    for cpu in range(system.cpus):
        tasks = system.tasks_on(cpu)
        jobs = [activations(closed(recorded[task.name], last_ns)) for task in tasks]
        urgencies = urgencies_of(system.scheduler, tasks, jobs)
        yield from rows_on(system, cpu, trace, urgencies, (0, end_ns))


def _of_task(row: Measures, recorded: TaskTrace) -> dict[str, Any]:
    return {
        "bound": row.judged_bound_ns,
        "worst": row.worst,
        "finished": row.activations,
        "stopped": list(row.stopped_ns),
        "served": [
            number
            for each in activations(recorded)[:MOST_ACTIVATIONS]
            if each.response_ns is not None
            for number in (
                each.index,
                each.arrival_ns,
                each.latency_ns,
                each.blocking_ns,
                each.response_ns,
            )
        ],
    }


def _numbers(row: Row, resources: Sequence[str]) -> Iterator[int]:
    """Yield three numbers for each stretch: time since the stretch before, length and paint.

    The paint is the resource plus (n + 1) times the state. The resource is 0 for none, or from 1 to
    n.
    """
    codes = {name: code for code, name in enumerate(resources, start=1)}
    last_ns = 0
    for stretch in row.stretches:
        code = codes[stretch.resource] if stretch.resource else 0
        paint = STATES.index(stretch.state) * (len(resources) + 1) + code
        yield from (stretch.begin_ns - last_ns, stretch.end_ns - stretch.begin_ns, paint)
        last_ns = stretch.end_ns
