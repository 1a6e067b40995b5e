# SPDX-License-Identifier: MIT
"""Read the recording of a run's threads, and compare it with the trace of its tasks."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plafond.describe.system import System
from plafond.kernel_trace.history import History
from plafond.kernel_trace.measure import measure_threads
from plafond.kernel_trace.model import ThreadKind, ThreadMeasures
from plafond.kernel_trace.parts import Parts, parts_between
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.stopped import explain
from plafond.kernel_trace.threads import read_history
from plafond.run.stops import CpuStops
from plafond.trace.activations import activations
from plafond.trace.measures import Measures
from plafond.trace.model import Trace
from plafond.units import format_duration


@dataclass(frozen=True)
class Recorded:
    """The recording of a run under a protocol."""

    content: bytes  # as the recorder wrote it
    history: History  # the history from time 0 of the run to its last event


def read_recorded(content: bytes, trace: Trace) -> Recorded:
    """Read a recording; PlafondError gives the reason if it is malformed."""
    recording = parse_recording(content, f"the recording under {trace.protocol}")
    zero_ns = trace.zero_ns or 0
    tasks = {task.thread: task.name for task in trace.tasks if task.thread is not None}
    times = [task.events[-1].time_ns for task in trace.tasks if task.events]
    end_ns = zero_ns + max(times, default=0)
    history = read_history(recording, tasks, (zero_ns, end_ns))
    return Recorded(content, history.since(zero_ns))


def threads_of(recorded: Mapping[str, Recorded]) -> list[ThreadMeasures]:
    """Return the measures of all threads under all protocols."""
    return [
        row
        for protocol, each in recorded.items()
        for row in measure_threads(each.history, protocol)
    ]


def worst_parts(
    system: System,
    traces: Mapping[str, Trace],
    recorded: Mapping[str, Recorded],
    rows: list[Measures],
) -> Iterator[Parts]:
    """Yield for the worst activation of each task the threads that took parts of its response."""
    cpus = {task.name: task.cpu for task in system.tasks}
    for row in rows:
        if row.worst is None or row.protocol not in recorded:
            continue
        trace = next(task for task in traces[row.protocol].tasks if task.name == row.task)
        worst = next(each for each in activations(trace) if each.index == row.worst)
        if worst.end_ns is None:
            continue
        history = recorded[row.protocol].history
        parts = parts_between(history, cpus[row.task], worst.release_ns, worst.end_ns)
        yield Parts(protocol=row.protocol, task=row.task, activation=worst.index, parts=parts)


def stops_explained(recorded: Mapping[str, Recorded], stops: Iterable[CpuStops]) -> Iterator[str]:
    """Say how the kernel spent the stops of each CPU, if the run was recorded."""
    for cpu in stops:
        if cpu.protocol not in recorded or not cpu.stops:
            continue
        times_ns = explain(recorded[cpu.protocol].history, cpu.cpu, cpu.when)
        threads, interrupts, machine = map(format_duration, times_ns)
        stopped = format_duration(cpu.stopped_ns)
        yield (
            f"{cpu.protocol}: in {cpu.stops} stops on CPU {cpu.cpu}, {stopped} in all, other "
            f"threads had {threads}, interrupts and softirqs of usual length {interrupts}; the "
            f"machine stood still for {machine}"
        )


def notes_of(recorded: Mapping[str, Recorded], traces: Mapping[str, Trace]) -> Iterator[str]:
    """Yield notes that a reader of the tables of threads needs."""
    for protocol, each in recorded.items():
        lost = each.history.lost_events
        yield (
            f"{protocol}: the recording lost {lost} events"
            f"{'; no activation across them is sampled' if lost else ''}"
        )
        if each.history.missing_switches:
            yield (
                f"{protocol}: {each.history.missing_switches} switches were not recorded: the "
                "kernel keeps events of some threads from being traced; no activation around them "
                "is sampled"
            )
        known = {thread.name for thread in each.history.threads if thread.kind is ThreadKind.TASK}
        missing = [
            task.name for task in traces[protocol].tasks if task.events and task.name not in known
        ]
        if missing:
            yield (
                f"{protocol}: the recording has no thread of {', '.join(missing)}: a container has "
                "other numbers of threads than the kernel"
            )
