# SPDX-License-Identifier: MIT
"""When each task runs under servers, computed instant by instant from the servers' definitions.

The tests compare runs of the kernel on the simulated processor with this model, so it shares no
code with the kernel. On that processor only run steps take time. All times are whole numbers.

OSPERT 2010, 8, VI to VIII: the ceiling of a shared resource is the most urgent server that uses it.
A server that holds the resource keeps out all servers at or below that ceiling. The events of an
instant come in this order:

- an unlock, or the end of a job;
- a replenishment, or an arrival;
- the end of a budget;
- a lock.

The kernel may execute a lock before another event of the same instant. It may also execute an
unlock after the arrival of a task that the section does not hold back. Both orders are right, so
`ambiguous` has the instants at which they differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from server_model_jobs import Job, Section, job_of

from plafond.describe.server import Server, ServerKind, Sharing
from plafond.describe.system import System

Stretch = tuple[str, int, int]  # a task, and when it gets and loses the processor
Happening = tuple[int, str, str]  # the time, the event, and a server or, for a skip, a task


@dataclass
class Schedule:
    """The schedule that the definitions give for a system."""

    stretches: list[Stretch] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)  # overrun, payback, keep-out, skip
    sections: list[Section] = field(default_factory=list)
    ends: list[tuple[str, int]] = field(default_factory=list)
    ambiguous: list[int] = field(default_factory=list)
    cut_short: list[int] = field(default_factory=list)  # sections without budget or overrun


@dataclass
class State:
    """A server, and its state at the current instant."""

    server: Server
    next: int
    left: int = 0
    jobs: list[Job] = field(default_factory=list)
    beyond: int = 0  # use beyond its budget since the last replenishment
    is_beyond: bool = False  # it runs without budget until its section ends
    is_kept_out: bool = False  # from when it would have run until it runs

    def replenish(self, owed: int) -> None:
        """Begin a period with a full budget less `owed`. Tasks that wait for the budget get it."""
        self.left = self.server.budget_ns - owed
        self.next += self.server.period_ns
        self.beyond = 0
        self.is_beyond = False
        for job in self.jobs:
            job.is_granted |= job.waits
            job.waits = False

    def use(self, time: int) -> None:
        """Charge a time to the budget, or to the overrun."""
        if self.is_beyond:
            self.beyond += time
        else:
            self.left -= time

    @property
    def has_core_while_empty(self) -> bool:
        """Whether the budget decreases even without a job."""
        return self.server.kind in (ServerKind.IDLING, ServerKind.SLOT)

    @property
    def can_run(self) -> bool:
        """Whether the server may use the processor."""
        return self.left > 0 or self.is_beyond

    def job(self) -> Job | None:
        """Return the most urgent job, unless it waits for a budget: no job below it runs then."""
        first = min(self.jobs, key=lambda job: job.urgency, default=None)
        return None if first is None or first.waits else first

    def ceiling(self, ranks: Mapping[str, int]) -> int | None:
        """Return the rank of the most urgent ceiling that the server holds."""
        held = [resource for job in self.jobs for resource in job.shared]
        return min((ranks[resource.servers[0]] for resource in held), default=None)


def stretches_of(system: System, arrivals: Mapping[str, Sequence[int]]) -> list[Stretch]:
    """Return the stretches in which each task of one CPU runs, until all work is done."""
    return schedule_of(system, arrivals).stretches


def schedule_of(system: System, arrivals: Mapping[str, Sequence[int]]) -> Schedule:
    """Return the schedule of one CPU."""
    core = _Core(system, arrivals)
    while core.has_work():
        core.pass_an_instant()
    core.found.stretches = joined(core.found.stretches)
    return core.found


class _Core:
    """The servers of one CPU, advanced from instant to instant."""

    def __init__(self, system: System, arrivals: Mapping[str, Sequence[int]]) -> None:
        self.found = Schedule()
        self._system = system
        self._states = [State(server, server.start_ns or 0) for server in system.servers]
        self._ranks = {server.name: rank for rank, server in enumerate(system.servers)}
        self._coming = sorted(
            (time, rank, task.name)
            for rank, task in enumerate(system.tasks)
            for time in arrivals.get(task.name, ())
        )
        self._now = 0

    def has_work(self) -> bool:
        return bool(self._coming or any(state.jobs for state in self._states))

    def pass_an_instant(self) -> None:
        """Handle all events of the current instant, and advance time to the next instant."""
        self._replenish()
        self._arrive()
        self._deplete()
        chosen, job = self._dispatch()
        then = min(self._next_instants(chosen, job))
        if chosen:
            chosen.use(then - self._now)
        if chosen and job:
            self.found.stretches.append((job.task.name, self._now, then))
            job.left -= then - self._now
        self._now = then
        if chosen and job and not job.left:
            self._look_at_arrivals(chosen, job)
            self._go_on(chosen, job)
            self._look_at_lock(chosen, job)

    # The events of an instant, in their order.

    def _go_on(self, state: State, job: Job) -> None:
        """Advance a task whose run step is over up to its next lock."""
        job.go_on(self._now)
        if job.is_over:
            state.jobs.remove(job)
            self.found.ends.append((job.task.name, self._now))
            self.found.sections += job.sections
        if state.is_beyond and state.ceiling(self._ranks) is None:
            state.is_beyond = False
            state.left = 0

    def _look_at_arrivals(self, state: State, job: Job) -> None:
        """Note an ambiguity if a task arrives now that may preempt before the unlock."""
        for time, _, name in self._coming if job.shared else ():
            arriving = job_of(self._system, name, time)
            is_own = arriving.task.server == state.server.name
            if time == self._now and is_own and arriving.urgency < job.urgency:
                self.found.ambiguous.append(self._now)

    def _look_at_lock(self, state: State, job: Job) -> None:
        """Note an ambiguity if the job is about to lock and something else happens now."""
        comes = any(time == self._now for time, _, _ in self._coming)
        is_due = any(each.next == self._now for each in self._states)
        if job.next_lock() and (comes or is_due or not state.can_run):
            self.found.ambiguous.append(self._now)

    def _replenish(self) -> None:
        for state in self._states:
            if state.next != self._now:
                continue
            owed = state.beyond if state.server.sharing is Sharing.OVERRUN_PAYBACK else 0
            state.replenish(owed)
            if owed:
                self._happens("payback", state.server.name)

    def _arrive(self) -> None:
        while self._coming and self._coming[0][0] == self._now:
            time, _, name = self._coming.pop(0)
            job = job_of(self._system, name, time)
            state = next(each for each in self._states if each.server.name == job.task.server)
            state.jobs.append(job)

    def _deplete(self) -> None:
        for state in self._states:
            if state.can_run or state.ceiling(self._ranks) is None:
                continue
            if not state.server.sharing or not state.server.sharing.overruns:
                self.found.cut_short.append(self._now)
            state.is_beyond = True
            self._happens("overrun", state.server.name)

    def _dispatch(self) -> tuple[State | None, Job | None]:
        """Choose until a job runs, because each lock may change the choice."""
        while True:
            chosen = self._choose()
            job = chosen.job() if chosen else None
            if chosen is None or job is None:
                return chosen, None
            if job.next_lock():
                self._lock(chosen, job)
            elif job.left:
                return chosen, job
            else:
                self._go_on(chosen, job)

    def _lock(self, state: State, job: Job) -> None:
        resource = job.next_lock()
        assert resource
        skips = state.server.sharing is Sharing.SKIP
        is_first = state.ceiling(self._ranks) is None
        if resource.is_of_servers and skips and is_first and not self._affords(state):
            job.waits = True
            self._happens("skip", job.task.name)
            return
        job.enter(self._now)

    def _choose(self) -> State | None:
        """Return the most urgent server with budget and work that is not kept out.

        A less urgent server keeps it out by a resource of the same or a more urgent ceiling. A
        polling server without work loses its budget, unless a more urgent server is kept out.
        """
        kept_out: State | None = None
        chosen: State | None = None
        for rank, state in enumerate(self._states):
            if state.can_run and (state.job() or state.has_core_while_empty):
                if not self._is_kept_out(rank):
                    chosen = state
                    break
                kept_out = kept_out or state
            elif state.server.kind is ServerKind.POLLING and not kept_out:
                state.left = 0
        if kept_out and not kept_out.is_kept_out:
            self._happens("keep-out", kept_out.server.name)
            kept_out.is_kept_out = True
        if chosen:
            chosen.is_kept_out = False
        return chosen

    def _is_kept_out(self, rank: int) -> bool:
        ceilings = [state.ceiling(self._ranks) for state in self._states[rank + 1 :]]
        return any(ceiling is not None and ceiling <= rank for ceiling in ceilings)

    @staticmethod
    def _affords(state: State) -> bool:
        assert state.server.hold_ns is not None
        return state.left > state.server.hold_ns

    def _next_instants(self, chosen: State | None, job: Job | None) -> list[int]:
        instants = [state.next for state in self._states] + [
            time for time, _, _ in self._coming[:1]
        ]
        if chosen and not chosen.is_beyond:
            instants.append(self._now + chosen.left)
        if job:
            instants.append(self._now + job.left)
        return instants

    # The results.

    def _happens(self, what: str, name: str) -> None:
        self.found.happenings.append((self._now, what, name))


def joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Join adjacent stretches of the same task, and leave out stretches without length."""
    found: list[Stretch] = []
    for task, begin, end in sorted(stretches, key=lambda each: each[1:]):
        if begin == end:
            continue
        if found and found[-1][0] == task and found[-1][2] == begin:
            found[-1] = (task, found[-1][1], end)
        else:
            found.append((task, begin, end))
    return found
