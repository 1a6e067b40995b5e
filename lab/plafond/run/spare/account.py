# SPDX-License-Identifier: MIT
"""Divide the processor time of a run: the measuring task, run steps, and the overhead.

The paper defines overhead as "any decrease in the system's ability to produce useful work"
(Carminati 2012, Section VI). The measuring task is below all others. So it sees the end of its time
only when no activation is unfinished: all earlier arrivals were executed completely.
"""

from dataclasses import dataclass

from plafond.describe.system import System
from plafond.run.plan import SpareTask
from plafond.trace.activations import Activation, activations
from plafond.trace.model import Kind, Trace


@dataclass(frozen=True)
class Account:
    """The processor time of a run, in ns."""

    left_ns: int  # had by the measuring task
    worked_ns: int  # had by run steps
    overhead_ns: int


@dataclass(frozen=True)
class Events:
    """Counts of events in a run that take processor time."""

    locks: int
    switches: int  # context switches of the tasks


def events_of(trace: Trace) -> Events:
    """Return the counts of a run that was not cut."""
    return Events(
        locks=sum(event.kind is Kind.GRANT for task in trace.tasks for event in task.events),
        switches=sum(
            (task.voluntary_switches or 0) + (task.involuntary_switches or 0)
            for task in trace.tasks
        ),
    )


def account_of(system: System, trace: Trace, spare: SpareTask) -> Account:
    """Return the account of a run that was not cut; the system must satisfy `can_account`."""
    finished = _finished(system, trace, spare.cpu)
    end_ns = _end_ns([activation for _, activation in finished], spare.duration_ns)
    left_ns = trace.spare_cpu_time_ns or 0
    worked_ns = sum(run_ns for run_ns, activation in finished if activation.arrival_ns < end_ns)
    return Account(left_ns, worked_ns, end_ns - left_ns - worked_ns)


def can_account(system: System) -> bool:
    """Return whether no task sleeps, and no task waits for another CPU in an activation."""
    return system.cpus == 1 and not any(task.sleeps_ns for task in system.tasks)


def _finished(system: System, trace: Trace, cpu: int) -> list[tuple[int, Activation]]:
    """Return each finished activation of a CPU with the length of its run steps, by arrival."""
    recorded = {task.name: task for task in trace.tasks}
    found = [
        (task.run_ns, activation)
        for task in system.tasks_on(cpu)
        for activation in activations(recorded[task.name])
        if activation.end_ns is not None
    ]
    return sorted(found, key=lambda each: each[1].arrival_ns)


def _end_ns(finished: list[Activation], duration_ns: int) -> int:
    """Return when the measuring task first runs after its time; expects the order of arrival."""
    end_ns = duration_ns
    for activation in finished:
        if activation.arrival_ns < end_ns:
            end_ns = max(end_ns, activation.end_ns or 0)
    return end_ns
