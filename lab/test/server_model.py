# SPDX-License-Identifier: MIT
"""When which task runs under servers: reckoned from their definitions, instant by instant.

Written apart from the kernel, whose runs on the simulated processor are compared with it: there
kernel and task code take no time but in run steps. All times are whole numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plafond.describe.kernel import Scheduler
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import System

Stretch = tuple[str, int, int]  # a task has the processor from here to there


@dataclass
class Job:
    """One activation."""

    task: str
    urgency: tuple[int, int]  # the smallest runs
    left: int


@dataclass
class State:
    """A server as time goes on."""

    server: Server
    next: int
    left: int = 0
    jobs: list[Job] = field(default_factory=list)

    def replenish(self, now: int) -> None:
        """At the beginning of each period, whatever was left."""
        if now == self.next:
            self.left = self.server.budget_ns
            self.next += self.server.period_ns

    @property
    def has_core_while_empty(self) -> bool:
        """Whether its time passes in any case."""
        return self.server.kind in (ServerKind.IDLING, ServerKind.SLOT)


def stretches_of(system: System, arrivals: Mapping[str, Sequence[int]]) -> list[Stretch]:
    """Return which task has the processor, of one CPU, until all work is done."""
    states = [State(server, server.start_ns or 0) for server in system.servers]
    coming = sorted((time, rank, name) for rank, name, time in _arrivals(system, arrivals))
    found: list[Stretch] = []
    now = 0
    while coming or any(state.jobs for state in states):
        for state in states:
            state.replenish(now)
        while coming and coming[0][0] == now:
            _arrive(system, states, *coming.pop(0))
        chosen = _chosen(states)
        events = [state.next for state in states] + [time for time, _, _ in coming[:1]]
        job = min(chosen.jobs, key=lambda job: job.urgency) if chosen and chosen.jobs else None
        if chosen:
            events.append(now + chosen.left)
        if job:
            events.append(now + job.left)
        then = min(events)
        if chosen:
            chosen.left -= then - now
        if chosen and job:
            found.append((job.task, now, then))
            job.left -= then - now
            if not job.left:
                chosen.jobs.remove(job)
        now = then
    return joined(found)


def _arrivals(system: System, arrivals: Mapping[str, Sequence[int]]) -> list[tuple[int, str, int]]:
    return [
        (rank, task.name, time)
        for rank, task in enumerate(system.tasks)
        for time in arrivals.get(task.name, ())
    ]


def _arrive(system: System, states: list[State], time: int, rank: int, name: str) -> None:
    task = next(task for task in system.tasks if task.name == name)
    state = next(state for state in states if state.server.name == task.server)
    key = time + (task.deadline_ns or 0) if system.scheduler is Scheduler.EDF else rank
    state.jobs.append(Job(name, (key, time), task.run_ns))


def _chosen(states: list[State]) -> State | None:
    """The most urgent one with budget and something to do; polling ones lose what they skip."""
    for state in states:
        if state.left and (state.jobs or state.has_core_while_empty):
            return state
        if state.server.kind is ServerKind.POLLING:
            state.left = 0
    return None


def joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The same, with those of one task that follow each other as one, and none without length."""
    found: list[Stretch] = []
    for task, begin, end in sorted(stretches, key=lambda each: each[1:]):
        if begin == end:
            continue
        if found and found[-1][0] == task and found[-1][2] == begin:
            found[-1] = (task, found[-1][1], end)
        else:
            found.append((task, begin, end))
    return found
