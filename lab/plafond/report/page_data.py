# SPDX-License-Identifier: MIT
"""What the script of the page draws from: the time line and the activations of the whole run.

It is part of the page, as JSON: a page that is a file may not read its neighbours. Times are
whole nanoseconds. Protocols that agree in all of it are one run.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plafond.describe.server import Server
from plafond.describe.system import System, Task
from plafond.report.alike import alike, names_of
from plafond.report.bands import tracks_of
from plafond.report.cpu_rows import rows_on
from plafond.report.cut import closed, end_of
from plafond.report.gantt import Gantt
from plafond.report.gantt_paint import resources_of
from plafond.report.histograms import clip_words, make_histograms
from plafond.report.rows import OF_SERVERS, OF_SHARING, OF_THREADS, Row, State
from plafond.report.urgency import urgencies_of
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.trace.measures import Measures
from plafond.trace.model import TaskTrace, Trace

# A page stays below some ten megabytes: the longest run and the most protocols are in mind.
MOST_EVENTS = 30_000  # of a run, until the time line ends
MOST_ACTIVATIONS = 50_000  # of a task under one protocol
STATES = list(State)


def page_data(execution: Execution, gantt: Gantt) -> str:
    """Return the data as JSON that may stand in a script element; colours as in `gantt`."""
    system = execution.system
    coloured = resources_of(gantt)
    names = [resource.name for resource in system.resources if resource.name not in coloured]
    resources = [*coloured, *names]
    data = {
        "clock": execution.clock,
        "shown": tracks_of(system).index(execution.shown_task),
        "states": [state_name(state) for state in states_of(system)],
        "resources": resources,
        "tasks": [
            _task(execution, track) if isinstance(track, Task) else _server(track)
            for track in tracks_of(system)
        ],
        "runs": _runs(execution, resources),
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def states_of(system: System) -> list[State]:
    """Return the states that its tasks and servers can be in."""
    left_out = OF_THREADS if system.servers else OF_THREADS | OF_SERVERS
    if system.reserved_tasks:
        left_out -= {State.UNSERVED}
    if not system.resources_of_servers:
        left_out |= OF_SHARING
    return [state for state in STATES if state not in left_out]


def state_name(state: State) -> str:
    """Return what the style of the page calls a state."""
    return state.name.lower().replace("_", "-")


def timeline_end_ns(execution: Execution) -> int | None:
    """Return where the time line ends, if that is before the end of a run; else None."""
    cuts = [_time_of_event(trace, MOST_EVENTS) for trace in execution.traces.values()]
    return min((cut for cut in cuts if cut is not None), default=None)


def _time_of_event(trace: Trace, number: int) -> int | None:
    of_servers = (event.time_ns for server in trace.servers for event in server.events)
    times = sorted([*of_servers, *(event.time_ns for task in trace.tasks for event in task.events)])
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


def _runs(execution: Execution, resources: Sequence[str]) -> list[dict[str, Any]]:
    until_ns = timeline_end_ns(execution)
    runs = [
        (protocol, _run(execution, trace, until_ns, resources))
        for protocol, trace in execution.traces.items()
    ]
    return [
        {
            "title": names_of([protocol for protocol, _ in group], len(runs)),
            "protocols": [protocol for protocol, _ in group],
            **group[0][1],
        }
        for group in alike(runs, lambda run: json.dumps(run[1]))
    ]


def _run(
    execution: Execution, trace: Trace, until_ns: int | None, resources: Sequence[str]
) -> dict[str, Any]:
    end_ns = min(end_of(trace), until_ns or end_of(trace))
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
            {
                **(_of_task(measures[name], recorded[name]) if name in recorded else {}),
                "stretches": stretches[name],
            }
            for name in (track.name for track in tracks_of(execution.system))
        ],
    }


def _rows(
    system: System, trace: Trace, recorded: Mapping[str, TaskTrace], end_ns: int
) -> Iterator[Row]:
    """Yield the rows of all CPUs, for the whole time."""
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
        "disturbed": row.disturbed_activations,
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
    """Yield for each stretch the time since the one before, its length, and its paint.

    The paint is 0 to n for no resource and each of the n, plus n + 1 times the state.
    """
    codes = {name: code for code, name in enumerate(resources, start=1)}
    last_ns = 0
    for stretch in row.stretches:
        code = codes[stretch.resource] if stretch.resource else 0
        paint = STATES.index(stretch.state) * (len(resources) + 1) + code
        yield from (stretch.begin_ns - last_ns, stretch.end_ns - stretch.begin_ns, paint)
        last_ns = stretch.end_ns
