# SPDX-License-Identifier: MIT
"""The worst activation of the shown task under each protocol, as data for a Gantt chart.

The worst activation has the longest response without a stop of the machine (see trace/outside.py),
because a chart shows tasks and locks. If the machine stopped all activations, it is the longest
response. Times are from the arrival of that activation.

All charts cover the same time, so that they can be compared. They show the active tasks of its CPU
and of CPUs that share a resource with it, and all servers. If the kernel's scheduler was recorded,
they also show other threads and interrupts on these CPUs. If the task has finished no activation,
for example because it loops for ever, they show the whole run. Protocols with equal charts share a
chart.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plafond.describe.system import System
from plafond.report.alike import alike, names_of
from plafond.report.cpu_rows import rows_on
from plafond.report.cut import closed, end_of
from plafond.report.rows import Row
from plafond.report.thread_rows import thread_rows
from plafond.report.urgency import urgencies_of
from plafond.run.model import Execution
from plafond.trace.activations import Activation, Span, activations
from plafond.trace.model import TaskTrace, Trace
from plafond.trace.verdicts import Verdict
from plafond.words import NO_BOUND_YET

FURTHEST_BACK = 2  # farthest begin before the arrival, in responses
NEAR = 1.35  # limits beyond this many responses are outside the picture
MARGIN = 0.04


@dataclass(frozen=True)
class Worst:
    """The worst finished activation of the shown task."""

    latency_ns: int
    blocking_ns: int
    response_ns: int
    finished: int
    stopped: int  # stopped activations; left out, unless all were stopped
    longest_ns: int  # the longest response, stopped or not


@dataclass(frozen=True)
class Chart:
    """A protocol, or several that agree.

    Without a worst activation there are no rows, unless the whole run is shown.
    """

    protocols: tuple[str, ...]
    title: str  # names the protocols
    task: str
    worst: Worst | None
    bound_ns: int | None
    no_bound: str  # words if there is no bound
    verdict: Verdict | None
    deadline_ns: int | None
    recorded: Span  # from the begin of the run to its last event
    cut: str | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Gantt:
    """All charts, and the time that they all cover."""

    begin_ns: int
    end_ns: int
    charts: tuple[Chart, ...]
    clock: str = ""  # name of the clock, unless it counts time of a real processor
    idle: tuple[str, ...] = ()  # tasks of these CPUs that do nothing in that time
    is_whole_run: bool = False  # times are from its start then
    across_cpus: tuple[str, ...] = ()  # resources with users on several CPUs


def make_gantt(execution: Execution, protocols: Sequence[str] | None = None) -> Gantt:
    """Return the charts of the protocols, in the order of the run; default: all."""
    chosen = list(execution.traces) if protocols is None else protocols
    shown = execution.shown_task
    system = execution.system
    cpus = system.cpus_beside(shown.cpu)
    tasks = [task for cpu in cpus for task in system.tasks_on(cpu)]
    runs = [_Run(execution, protocol, cpus) for protocol in chosen]
    end_ns = max((run.end_ns for run in runs), default=0)
    finished = [run for run in runs if run.worst]
    is_whole_run = end_ns > 0 and not finished
    window = _window(finished) if finished else (0, max(end_ns, 1))
    charts = [_chart(run, window, is_whole_run) for run in runs]
    idle = {task.name for task in tasks} - {shown.name, *_busy(charts)}
    return Gantt(
        *window,
        tuple(_merged([_without(chart, idle) for chart in charts])),
        execution.clock,
        tuple(task.name for task in tasks if task.name in idle),
        is_whole_run,
        tuple(resource.name for resource in system.globals_on(shown.cpu)),
    )


def _merged(charts: Sequence[Chart]) -> Iterator[Chart]:
    """Yield a chart for each group of protocols that agree."""
    for group in alike(charts, lambda chart: replace(chart, protocols=())):
        protocols = tuple(name for chart in group for name in chart.protocols)
        yield replace(group[0], protocols=protocols, title=names_of(protocols, len(charts)))


def _busy(charts: Iterable[Chart]) -> Iterator[str]:
    """Yield the tasks that do anything in a chart."""
    for row in (row for chart in charts for row in chart.rows):
        if row.stretches or row.sections or row.arrivals_ns or row.ends_ns:
            yield row.task


def _without(chart: Chart, idle: Container[str]) -> Chart:
    return replace(chart, rows=tuple(row for row in chart.rows if row.task not in idle))


class _Run:
    """The tasks of some CPUs under a protocol; open spans end at the end of the trace."""

    def __init__(self, execution: Execution, protocol: str, cpus: Sequence[int]) -> None:
        self.shown = execution.shown_task
        self.trace: Trace = execution.traces[protocol]
        self.recorded = execution.recorded.get(protocol)
        self.end_ns = end_of(self.trace)
        by_name = {task.name: task for task in self.trace.tasks}
        self.system = execution.system
        self.cpus = [_Cpu(self.system, cpu, by_name, self.end_ns) for cpu in cpus]
        whole = activations(by_name[self.shown.name])
        self.finished = [activation for activation in whole if activation.end_ns is not None]
        self.measures = next(
            row
            for row in execution.report.rows
            if (row.task, row.protocol) == (self.shown.name, protocol)
        )
        number = self.measures.worst
        self.worst = next((each for each in self.finished if each.index == number), None)


class _Cpu:
    """The tasks of a CPU."""

    def __init__(
        self, system: System, cpu: int, traces: Mapping[str, TaskTrace], end_ns: int
    ) -> None:
        tasks = system.tasks_on(cpu)
        self.cpu = cpu
        self.activations = [activations(closed(traces[task.name], end_ns)) for task in tasks]
        self.urgencies = urgencies_of(system.scheduler, tasks, self.activations)


def _window(seen: Sequence[_Run]) -> Span:
    """Return the begin and end that suit all protocols, relative to the arrival."""
    begin = min(_delayed_since(run) for run in seen)
    end = max(run.worst.response_ns or 0 for run in seen if run.worst)
    limits = [
        limit
        for run in seen
        for limit in (run.measures.judged_bound_ns, run.shown.deadline_ns)
        if limit
    ]
    end = max([end, *(limit for limit in limits if limit <= end * NEAR)])
    margin = max(int((end - begin) * MARGIN), 1)
    return (begin - margin, end + margin)


def _delayed_since(run: _Run) -> int:
    """Return the begin of the oldest delay that was in progress at the arrival, which is 0 or
    negative."""
    if run.worst is None:
        return 0
    arrival, response = run.worst.arrival_ns, run.worst.response_ns or 0
    begins = [0]
    for cpu, activation in _all_activations(run):
        if not _is_during(arrival, activation.start_ns, activation.end_ns):
            continue
        if cpu == run.shown.cpu and arrival - activation.start_ns <= response:
            begins.append(activation.start_ns - arrival)
        begins += (
            grant - arrival
            for grant, unlock, _ in activation.sections
            if _is_during(arrival, grant, unlock)
        )
    return min(begin for begin in begins if begin >= -FURTHEST_BACK * response)


def _all_activations(run: _Run) -> Iterator[tuple[int, Activation]]:
    return ((each.cpu, one) for each in run.cpus for several in each.activations for one in several)


def _is_during(time: int, begin: int, end: int | None) -> bool:
    return begin < time and (end is None or time < end)


def _chart(run: _Run, window: Span, is_whole_run: bool) -> Chart:
    zero = run.worst.arrival_ns if run.worst else 0
    return Chart(
        protocols=(run.trace.protocol,),
        title="",
        task=run.shown.name,
        worst=_worst(run, run.worst) if run.worst else None,
        bound_ns=run.measures.judged_bound_ns,
        no_bound=NO_BOUND_YET if run.measures.no_bound_yet else "no bound",
        verdict=run.measures.verdict,
        deadline_ns=run.shown.deadline_ns,
        recorded=(-zero, run.end_ns - zero),
        cut=run.trace.cut,
        rows=_rows(run, window, zero) if run.worst or is_whole_run else (),
    )


def _worst(run: _Run, activation: Activation) -> Worst:
    return Worst(
        activation.latency_ns,
        activation.blocking_ns,
        activation.response_ns or 0,
        len(run.finished),
        run.measures.stopped,
        max(each.response_ns or 0 for each in run.finished),
    )


def _rows(run: _Run, window: Span, zero: int) -> tuple[Row, ...]:
    absolute = (window[0] + zero, window[1] + zero)
    return tuple(
        replace(row.moved(-zero), cpu=each.cpu if len(run.cpus) > 1 else None)
        for each in run.cpus
        for row in [
            *rows_on(run.system, each.cpu, run.trace, each.urgencies, absolute),
            *(thread_rows(run.recorded.history, each.cpu, absolute) if run.recorded else ()),
        ]
    )
