# SPDX-License-Identifier: MIT
"""Where the processor time of a run went: to the measuring task, to run steps, or to neither.

The paper calls the last overhead: "any decrease in the system's ability to produce useful work"
(Carminati 2012, Section VI). The measuring task is below all others. So it sees the end of its
time only when no activation is unfinished: what arrived before that end was executed whole.
"""

from dataclasses import dataclass

from plafond.describe.system import System
from plafond.run.plan import SpareTask
from plafond.trace.activations import Activation, activations
from plafond.trace.model import Kind, Trace


@dataclass(frozen=True)
class Account:
    """One run, in nanoseconds of processor time."""

    left_ns: int  # to the measuring task
    worked_ns: int  # by run steps
    overhead_ns: int


@dataclass(frozen=True)
class Events:
    """What happened in one run that takes processor time."""

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
    """Return the account of a run that was not cut; expects a system that `can_account`."""
    finished = _finished(system, trace, spare.cpu)
    end_ns = _end_ns([activation for _, activation in finished], spare.duration_ns)
    left_ns = trace.spare_cpu_time_ns or 0
    worked_ns = sum(run_ns for run_ns, activation in finished if activation.arrival_ns < end_ns)
    return Account(left_ns, worked_ns, end_ns - left_ns - worked_ns)


def can_account(system: System) -> bool:
    """Whether no task sleeps or waits for another CPU in the middle of an activation."""
    return system.cpus == 1 and not any(task.sleeps_ns for task in system.tasks)


def _finished(system: System, trace: Trace, cpu: int) -> list[tuple[int, Activation]]:
    """Each finished activation of a CPU with its run steps' time, in the order of arrival."""
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
