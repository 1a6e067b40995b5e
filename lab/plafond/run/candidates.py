# SPDX-License-Identifier: MIT
"""Phases that may be the worst, where no worst phase is known.

In a server: a task waits longest if it comes as the budget has just ended (analyse/supply.py). When
that is depends on the other servers, and on the use of the budget. So the task comes as a period
begins, after the budget at the earliest, and after the budget at the latest. Less urgent tasks of
the server come with it, or use the budget from the begin of the period. All other tasks of the CPU
come with it, and again as early as they can.

Across CPUs: the tasks of the other CPUs come with the task. Or each of them is just inside its
longest section of a resource when the task asks for that resource, if nothing delays the task.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from plafond.analyse.servers import response_of
from plafond.describe.body import Lock, Run, Sleep
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Server
from plafond.describe.system import System, Task
from plafond.run.phase import Phase, opening_of

IN_SERVERS = (
    "arrivals: those of the description, then phases that may be the worst: which phase of a "
    "budget is the worst is not known"
)
ACROSS = (
    "arrivals: those of the description, then phases that may be the worst: which arrivals on "
    "several CPUs are the worst is not known"
)


def notes_of_candidates(system: System) -> Iterator[str]:
    """Yield why the longest response may be above the longest of the run."""
    if system.payers:
        yield IN_SERVERS
    if system.global_resources:
        yield ACROSS


def in_server(
    system: System, task: Task, others: Sequence[Task], window_ns: int
) -> Iterator[Phase]:
    """Yield the phases of a task on a CPU with servers or reservations of tasks.

    `others`: the other tasks of the CPU that arrive. `window_ns`: how long they keep coming.
    """
    is_edf = system.scheduler is Scheduler.EDF
    lower = tuple(
        each
        for each in others
        if each.server == task.server and not is_edf and each.priority < task.priority
    )
    again = tuple(each for each in others if each not in lower)
    payer = next((each for each in system.payers if each.name == task.server), None)
    period_ns = payer.period_ns if payer else 1
    for after_ns in _instants(system, payer):
        phase = Phase(
            task,
            (),
            again=again,
            once=lower,
            window_ns=window_ns,
            later_ns=int(any(each.priority == task.priority for each in again)),
            period_ns=period_ns,
            after_ns=after_ns,
        )
        yield phase
        if lower and after_ns:
            yield replace(phase, once=(), first=lower)


def _instants(system: System, payer: Server | None) -> list[int]:
    """Return the instants of a period at which the task comes, from the begin of the period."""
    if payer is None or payer.is_reservation:
        return [0]
    begin_ns = payer.start_ns or 0
    latest_ns = response_of(system, payer) or payer.period_ns
    ends = {begin_ns, begin_ns + payer.budget_ns, latest_ns}
    return sorted({each % payer.period_ns for each in ends})


def beside(system: System, phase: Phase) -> Iterator[Phase]:
    """Yield a phase of a CPU with the tasks of all other CPUs."""
    remote = [each for each in system.tasks if each.interval and each.cpu != phase.task.cpu]
    yield replace(phase, beside=tuple((each, 0) for each in remote))
    for resource in system.global_resources:
        if resource.name in phase.task.resources:
            sooner = ((each, _sooner_ns(phase.task, each, resource.name)) for each in remote)
            yield replace(phase, beside=tuple(sooner))


def _sooner_ns(task: Task, other: Task, resource: str) -> int:
    """Return how much sooner another task comes, to be inside as the task asks; negative: later."""
    section = opening_of(other, frozenset({resource}))
    if section.length_ns == 0:
        return 0
    return section.before_ns + 1 - _until_lock_ns(task, resource)


def _until_lock_ns(task: Task, resource: str) -> int:
    time_ns = 0
    for step in task.body:
        if isinstance(step, Lock) and step.resource == resource:
            break
        if isinstance(step, Run | Sleep):
            time_ns += step.duration_ns
    return time_ns
