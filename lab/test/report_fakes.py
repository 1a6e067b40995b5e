# SPDX-License-Identifier: MIT
"""Runs that never happened: a small scheduler on paper that writes faithful traces."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.board.console import parse_console
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.describe import System, load
from plafond.describe.system import Lock, Run, Sleep, Task, Unlock
from plafond.run.model import Conditions, Execution, RunReport
from plafond.trace.activations import activations
from plafond.trace.measures import Measures, measure
from plafond.trace.model import CpuConditions, Event, Kind, TaskTrace, Trace
from plafond.trace.outside import Processor
from plafond.trace.sharing import measure_sharing
from plafond.trace.verdicts import Bound, Place
from plafond.witness import Speed

PROTOCOLS = ("none", "inherit", "protect", "plafond-syscall", "plafond-strict", "plafond")

CARMINATI = (Path(__file__).parents[2] / "examples/carminati-2012-table-1.toml").read_text()

# The classic inversion on Mars: a third task is between two users of a resource.
PATHFINDER = """
name = "Three tasks, one resource"
[task.high]
priority = 30
arrival = "random 40ms 80ms"
activations = 200
body = ["run 1ms", "lock bus", "run 2ms", "unlock bus", "run 1ms"]
[task.middle]
priority = 20
arrival = "random 30ms 90ms"
body = ["run 12ms"]
[task.low]
priority = 10
arrival = "random 50ms 70ms"
body = ["run 1ms", "lock bus", "run 6ms", "unlock bus", "run 1ms"]
[resource.bus]
"""

# The first task has a less urgent neighbour. The other tasks are on a second CPU.
TWO_CPUS = """
name = "Two CPUs <& co>"
cpus = 2
[task.first]
priority = 30
cpu = 1
arrival = "periodic 10ms"
offset = "1ms"
activations = 3
body = ["run 1ms", "sleep 500us", "lock R", "run 1ms", "lock S", "run 1ms", "unlock S", "unlock R"]
[task.elsewhere]
priority = 25
cpu = 0
arrival = "periodic 10ms"
body = ["run 4ms"]
[task.second]
priority = 20
cpu = 1
arrival = "periodic 10ms"
body = ["lock R", "run 3ms", "unlock R"]
[task.idle]
priority = 10
cpu = 1
arrival = "periodic 20ms"
body = ["run 1ms"]
[resource.R]
[resource.S]
"""


@dataclass
class _Job:
    """A task and the state of its current activation."""

    task: Task
    arrivals: list[int]
    wakes: list[int]
    events: list[Event] = field(default_factory=list)
    served: int = 0
    started: bool = False
    step: int = 0
    left_ns: int = 0
    held: list[str] = field(default_factory=list)
    asked: str | None = None
    asleep_until: int | None = None
    suspended: bool = False


@dataclass
class _Processor:
    """One processor. Its most urgent ready job runs. A job gets a resource when it is
    dispatched."""

    system: System
    protocol: str
    jobs: list[_Job]
    end_ns: int
    now: int = 0
    current: _Job | None = None

    def run(self) -> None:
        """Go from event to event until no event is left or the end is reached."""
        while self.now < self.end_ns:
            self._dispatch()
            job = self.current
            times = [time for time in map(self._wakes_at, self.jobs) if time > self.now]
            if job is not None:
                times.append(self.now + job.left_ns)
            if not times:
                return
            until = min([*times, self.end_ns])
            if job is not None:
                job.left_ns -= until - self.now
            self.now = until
            if job is not None and job.left_ns == 0:
                job.step += 1
                self._advance(job)

    def _wakes_at(self, job: _Job) -> int:
        if job.asleep_until is not None:
            return job.asleep_until
        if not job.started and job.served < len(job.wakes):
            return job.wakes[job.served]
        return -1

    def _dispatch(self) -> None:
        """Give the processor to the most urgent job, and advance the job to its next run step."""
        while True:
            ready = [job for job in self.jobs if self._ready(job)]
            chosen = min(ready, key=self._order) if ready else None
            if self.current is not None and self.current is not chosen:
                self._suspend(self.current)
            self.current = chosen
            if chosen is None:
                return
            self._resume(chosen)
            if chosen.left_ns > 0:
                return
            self._advance(chosen)

    def _ready(self, job: _Job) -> bool:
        if job.asked is not None:
            return all(job.asked not in other.held for other in self.jobs)
        if job.asleep_until is not None:
            return job.asleep_until <= self.now
        return job.started or (job.served < len(job.wakes) and job.wakes[job.served] <= self.now)

    def _order(self, job: _Job) -> tuple[int, bool, bool, int]:
        # Among equals the preempted job goes first, as under SCHED_FIFO.
        urgency = -self._priority(job)
        return (urgency, job is not self.current, not job.suspended, -job.task.priority)

    def _priority(self, job: _Job) -> int:
        priority = job.task.priority
        if self.protocol == "inherit":
            waiters = [other for other in self.jobs if other.asked in job.held]
            return max([priority, *map(self._priority, waiters)])
        if self.protocol == "none":
            return priority
        ceilings = {resource.name: resource.ceiling for resource in self.system.resources}
        return max([priority, *(ceilings[name] for name in job.held)])

    def _suspend(self, job: _Job) -> None:
        if job.left_ns and job.started and job.asked is None and not job.suspended:
            job.suspended = True
            self._note(job, Kind.SUSPEND)

    def _resume(self, job: _Job) -> None:
        if job.suspended:
            job.suspended = False
            self._note(job, Kind.RESUME)
        if not job.started:
            job.started, job.step = True, 0
            self._note(job, Kind.START)
        if job.asked is not None:
            self._grant(job, job.asked)
        if job.asleep_until is not None:
            job.asleep_until = None
            job.step += 1
            self._note(job, Kind.WAKE)

    def _grant(self, job: _Job, resource: str) -> None:
        job.held.append(resource)
        job.asked = None
        job.step += 1
        self._note(job, Kind.GRANT, resource)

    def _advance(self, job: _Job) -> None:
        """Take one step of a job. The caller must then choose again, because a step may free or
        block."""
        if job.step >= len(job.task.body):
            self._note(job, Kind.END)
            job.served, job.started = job.served + 1, False
            return
        match job.task.body[job.step]:
            case Run(duration_ns):
                job.left_ns = duration_ns
            case Lock(resource):
                self._note(job, Kind.REQUEST, resource)
                job.asked = resource
            case Unlock(resource):
                self._note(job, Kind.UNLOCK, resource)
                job.held.remove(resource)
                job.step += 1
            case Sleep(duration_ns):
                self._note(job, Kind.SLEEP)
                job.asleep_until = self.now + duration_ns

    def _note(self, job: _Job, kind: Kind, resource: str | None = None) -> None:
        names = [r.name for r in self.system.resources]
        index = None if resource is None else names.index(resource)
        job.events.append(Event(self.now, kind, job.served, index))


def draw(system: System, activations: int | None = None) -> dict[str, list[int]]:
    """Return arrivals of every task. Tasks without a count arrive as long as the others."""
    arrivals: dict[str, list[int]] = {}
    end_ns = 0
    for task in sorted(system.tasks, key=lambda task: task.activations is None):
        generator = random.Random(f"{system.seed} {task.name}")
        count = task.activations and (activations or task.activations)
        times = [task.offset_ns]
        while len(times) < count if count else times[-1] < end_ns:
            assert task.interval
            least, most = task.interval.least_ns, task.interval.most_ns
            times.append(times[-1] + generator.randint(least, most))
        arrivals[task.name] = times
        end_ns = max(end_ns, times[-1] + (task.deadline_ns or 0))
    return arrivals


def simulate(
    system: System,
    protocol: str,
    arrivals: Mapping[str, Sequence[int]],
    cut_ns: int | None = None,
    wake_up_ns: tuple[int, int] = (2_000, 30_000),
) -> Trace:
    """Run the system on paper. Each wake-up takes from 2 to 30 us by default."""
    generator = random.Random(protocol)
    jobs = [
        _Job(
            task,
            list(arrivals[task.name]),
            [time + generator.randint(*wake_up_ns) for time in arrivals[task.name]],
        )
        for task in system.tasks
    ]
    for cpu in sorted({task.cpu for task in system.tasks}):
        mine = [job for job in jobs if job.task.cpu == cpu]
        _Processor(system, protocol, mine, cut_ns or 10**15).run()
    return Trace(
        version=2,
        protocol=protocol,
        cut=None if cut_ns is None else "interrupted",
        kernel="6.12.9-rt",
        priority_limit_us=(950_000, 1_000_000),
        backend="user" if protocol.startswith("plafond") else None,
        cpus=[
            CpuConditions(
                cpu=cpu,
                turn_ns=100,
                turns_per_us=Speed(median=10.1, slowest=9.4),
                steal_ns=0,
            )
            for cpu in sorted({task.cpu for task in system.tasks})
        ],
        resources=[resource.name for resource in system.resources],
        tasks=[_task_trace(job, protocol) for job in jobs],
        lock_calls_not_counted=None,
        spare_cpu_time_ns=None,
    )


def _task_trace(job: _Job, protocol: str) -> TaskTrace:
    locks = sum(event.kind is Kind.GRANT for event in job.events)
    calls = {"none": 0, "inherit": 0, "plafond": 0, "plafond-strict": 0}
    return TaskTrace(
        name=job.task.name,
        arrivals_ns=job.arrivals,
        voluntary_switches=job.served,
        involuntary_switches=sum(event.kind is Kind.SUSPEND for event in job.events),
        minor_faults=0,
        major_faults=0,
        lock_calls=calls.get(protocol, 2 * locks),
        lost_gaps=0,
        events=job.events,
    )


def system_of(text: str) -> System:
    """Read a description from its text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "system.toml"
        file.write_text(text)
        return load(file)


def _rows(
    system: System,
    trace: Trace,
    bounds_ns: Mapping[tuple[str, str], int],
    not_yet: Mapping[str, str],
) -> Iterator[Measures]:
    recorded = {task.name: task for task in trace.tasks}
    for task in system.tasks:
        jobs = [(other, activations(recorded[other.name])) for other in system.tasks_on(task.cpu)]
        across_cpus = trace.numbers_of(each.name for each in system.global_resources)
        processor = Processor(((other.priority, own) for other, own in jobs), True, across_cpus)
        bound_ns = bounds_ns.get((trace.protocol, task.name))
        bound = Bound(
            bound_ns,
            bound_ns,
            partial(_when_away, bound_ns or 0),
            lambda _: 0,
            not_yet.get(task.name),
        )
        place = Place(task, jobs, processor, task.priority)
        yield measure(recorded[task.name], place, trace.protocol, bound)


def _when_away(bound_ns: int, away_ns: int, _slower: float) -> int:
    return bound_ns + away_ns


def execution_of(
    system: System,
    traces: Mapping[str, Trace],
    bounds_ns: Mapping[tuple[str, str], int] | None = None,
    not_yet: Mapping[str, str] | None = None,
) -> Execution:
    """Put traces together with their report. A bound, or the reason for none, is by protocol and
    task."""
    rows = [
        row
        for trace in traces.values()
        for row in _rows(system, trace, bounds_ns or {}, not_yet or {})
    ]
    conditions = Conditions(
        command="plafond run system.toml --on linux --protocols all",
        date="2026-11-21T12:00:00+00:00",
        kernel="6.12.9-rt",
        cpu_model="A processor of 2.1 GHz",
        scale="1",
        seed=system.seed,
        overheads="excluded from the bounds",
        arrivals="as described",
        priority_limit_us=(950_000, 1_000_000),
        cpus={protocol: trace.cpus for protocol, trace in traces.items()},
    )
    report = RunReport(
        name=system.name,
        target="linux",
        arrivals_are_worst=False,
        has_host=True,
        conditions=conditions,
        rows=rows,
        cuts={protocol: trace.cut for protocol, trace in traces.items() if trace.cut},
        notes=["Bounds hold for the times of the description."],
    )
    return Execution(system, dict(traces), report)


def simulated(
    text: str,
    protocols: Sequence[str] = PROTOCOLS,
    activations: int | None = None,
    bounds_ns: Mapping[tuple[str, str], int] | None = None,
) -> Execution:
    """Run a description under several protocols with the same arrivals."""
    system = system_of(text)
    arrivals = draw(system, activations)
    traces = {protocol: simulate(system, protocol, arrivals) for protocol in protocols}
    return execution_of(system, traces, bounds_ns)


@cache
def carminati() -> Execution:
    """Table I of Carminati 2012 under six protocols, with bounds for its highest task."""
    ms = 1_000_000
    bounds = dict.fromkeys(PROTOCOLS, 51 * ms) | {"none": 69 * ms, "inherit": 69 * ms}
    bounds["plafond-strict"] = 40 * ms  # too low on purpose: T0 exceeds it
    return simulated(
        CARMINATI, activations=60, bounds_ns={(p, "T0"): bound for p, bound in bounds.items()}
    )


def halted(task: TaskTrace, at_ns: int, for_ns: int) -> TaskTrace:
    """Return the task's trace with the whole machine stopped for a time."""

    def later(time_ns: int) -> int:
        return time_ns + for_ns if time_ns >= at_ns else time_ns

    return task.model_copy(
        update={
            "arrivals_ns": [later(time_ns) for time_ns in task.arrivals_ns],
            "events": [event._replace(time_ns=later(event.time_ns)) for event in task.events],
        }
    )


@cache
def away() -> Execution:
    """Return the same run. Under plafond the CPU is away for 1 s at the end of T0's first
    activation."""
    execution = carminati()
    trace = execution.traces["plafond"]
    end = next(event for event in trace.tasks[0].events if event.kind is Kind.END)
    tasks = [halted(task, end.time_ns, 1_000_000_000) for task in trace.tasks]
    place = [event.kind for event in tasks[0].events].index(Kind.END)
    tasks[0].events[place:place] = [
        Event(end.time_ns, Kind.SUSPEND, end.activation, None),
        Event(end.time_ns + 1_000_000_000, Kind.RESUME, end.activation, None),
    ]
    traces = {"plafond": trace.model_copy(update={"tasks": tasks})}
    return execution_of(execution.system, traces, {("plafond", "T0"): 51_100_000})


@cache
def pathfinder() -> Execution:
    """Three tasks and one resource under four protocols, without bounds."""
    return simulated(PATHFINDER, ("none", "inherit", "protect", "plafond"), activations=200)


@cache
def small() -> Execution:
    """Return the same run with few activations, for tests that check its figures."""
    return simulated(PATHFINDER, ("none", "inherit", "protect", "plafond"), activations=3)


@cache
def damaged() -> Execution:
    """Return a damaged run: two traces are cut, and counts, a task and a bound are missing."""
    system = system_of(TWO_CPUS)
    arrivals = draw(system)
    traces = {
        "none": simulate(system, "none", arrivals, cut_ns=1_000),
        "inherit": simulate(system, "inherit", arrivals, cut_ns=9_500_000),
        "protect": simulate(system, "protect", arrivals),
    }
    never_ran: dict[str, object] = {
        "events": [],
        "lock_calls": None,
        "voluntary_switches": None,
        "lost_gaps": 3,
    }
    tasks = [
        task.model_copy(update=never_ran) if task.name == "idle" else task
        for task in traces["protect"].tasks
    ]
    traces["protect"] = traces["protect"].model_copy(update={"tasks": tasks})
    return execution_of(system, traces)


# `first` and `second` use G. `beside` is more urgent than both, and `kept_out` is less urgent.
ACROSS_CPUS = """
name = "Two CPUs share G"
cpus = 2
[task.beside]
priority = 40
arrival = "periodic 20ms"
activations = 1
body = ["run 1ms"]
[task.first]
priority = 30
arrival = "periodic 20ms"
deadline = "10ms"
body = ["run 1ms", "lock G", "run 1ms", "unlock G"]
[task.second]
priority = 20
cpu = 1
arrival = "periodic 20ms"
body = ["run 1ms", "lock G", "run 5ms", "unlock G", "run 1ms"]
[task.kept_out]
priority = 15
cpu = 1
arrival = "periodic 20ms"
body = ["run 1ms"]
[resource.G]
"""


def _events(*events: tuple[int, Kind, int | None]) -> list[Event]:
    return [Event(at_ms * 1_000_000, kind, 0, resource) for at_ms, kind, resource in events]


@cache
def across_cpus() -> Execution:
    """Return a run in which `first` waits from 3 to 6 ms for G under plafond, and the kernel
    spins."""
    system = system_of(ACROSS_CPUS)
    events = {
        "beside": _events((7, Kind.START, None), (8, Kind.END, None)),
        "first": _events(
            *((2, Kind.START, None), (3, Kind.REQUEST, 0), (6, Kind.GRANT, 0)),
            *((7, Kind.UNLOCK, 0), (8, Kind.END, None)),
        ),
        "second": _events(
            *((0, Kind.START, None), (1, Kind.REQUEST, 0), (1, Kind.GRANT, 0)),
            *((6, Kind.UNLOCK, 0), (7, Kind.END, None)),
        ),
        "kept_out": _events((7, Kind.START, None), (8, Kind.END, None)),
    }
    arrivals_ms = {"beside": 4, "first": 2, "second": 0, "kept_out": 3}
    blank = simulate(system, "plafond", {task.name: [0] for task in system.tasks})
    tasks = [
        task.model_copy(
            update={"arrivals_ns": [arrivals_ms[task.name] * 10**6], "events": events[task.name]}
        )
        for task in blank.tasks
    ]
    why = "G is used on the CPUs 0 and 1"
    not_yet = {task.name: why for task in system.tasks}
    traces = {"plafond": blank.model_copy(update={"tasks": tasks})}
    return replace(execution_of(system, traces, not_yet=not_yet), shown="first")


SERVED = """
name = "Two servers"
[server.control]
kind = "idling"
priority = 2
period = "50us"
budget = "20us"
[server.video]
kind = "deferrable"
priority = 1
period = "60us"
budget = "20us"
[task.t0]
server = "control"
priority = 2
arrival = "periodic 1ms"
body = ["run 5us"]
[task.t1]
server = "control"
priority = 1
arrival = "periodic 1ms"
body = ["run 8us"]
[task.t2]
server = "video"
priority = 1
arrival = "periodic 1ms"
body = ["run 25us"]
"""
# The output of an image. `control` and `video` get budgets at 0, and again at 50 and 60 us.
SERVED_CONSOLE = """\
plafond-trace 2
zero 0
server 0 replenish control
server 0 get control
event 10000 arrival t0
event 10000 activate t0
event 10000 start t0
event 10000 arrival t1
event 10000 activate t1
event 15000 end t0
event 15000 start t1
server 20000 deplete control
event 20000 suspend t1
server 20000 lose control
server 0 replenish video
server 30000 get video
event 30000 arrival t2
event 30000 activate t2
event 30000 start t2
server 50000 deplete video
server 50000 replenish control
event 50000 suspend t2
server 50000 lose video
server 50000 get control
event 50000 resume t1
event 53000 end t1
server 70000 deplete control
server 60000 replenish video
server 70000 lose control
server 70000 get video
event 70000 resume t2
event 75000 end t2
server 75000 lose video
end idle
"""


@cache
def served() -> Execution:
    """Return a run of two servers. t1 and t2 begin in one period and end in the next period."""
    system = system_of(SERVED)
    arrivals = {"t0": [10_000], "t1": [10_000], "t2": [30_000]}
    recording = Recording(system, arrivals)
    trace = trace_of(parse_console(SERVED_CONSOLE), recording, "uprio-nprio")
    return replace(execution_of(system, {"uprio-nprio": trace}), shown="t2")


SHARED = """
name = "Two servers that share"
[server.urgent]
kind = "deferrable"
priority = 2
period = "50us"
budget = "20us"
global = "skip"
[server.video]
kind = "idling"
priority = 1
period = "60us"
budget = "20us"
global = "overrun-payback"
[resource.R]
[task.t1]
server = "urgent"
priority = 1
arrival = "periodic 1ms"
body = ["run 12us", "lock R", "run 8us", "unlock R", "run 2us"]
[task.t2]
server = "video"
priority = 1
arrival = "periodic 1ms"
body = ["run 5us", "lock R", "run 8us", "unlock R", "run 2us"]
"""
# t1 comes at 22 us, while t2 is inside, beyond its budget. At 37 us t1 has too little budget left
# for a section.
SHARED_CONSOLE = """\
plafond-trace 2
zero 0
server 0 replenish urgent
server 0 replenish video
server 0 get video
event 12000 arrival t2
event 12000 activate t2
event 12000 start t2
server 20000 overrun video
server 22000 keep-out urgent
server 25000 deplete video
event 25000 suspend t2
server 25000 lose video
server 25000 get urgent
event 25000 arrival t1
event 25000 activate t1
event 25000 start t1
event 37000 skip t1
event 37000 suspend t1
server 37000 lose urgent
server 50000 replenish urgent
server 50000 get urgent
event 50000 resume t1
event 60000 end t1
server 60000 lose urgent
server 60000 replenish video
server 60000 payback video
server 60000 get video
event 60000 resume t2
event 62000 end t2
note 37000 request t1 R
note 50000 grant t1 R
note 58000 unlock t1 R
note 17000 request t2 R
note 17000 grant t2 R
note 25000 unlock t2 R
end idle
"""
SHARED_ARRIVALS = {"t1": [22_000], "t2": [12_000]}


@cache
def shared() -> Execution:
    """Return a run of two servers that share R. `video` overruns, and the task of `urgent`
    skips."""
    system = system_of(SHARED)
    recording = Recording(system, SHARED_ARRIVALS)
    traces = {
        protocol: trace_of(parse_console(SHARED_CONSOLE), recording, protocol)
        for protocol in ("syscall", "uprio-nprio")
    }
    execution = replace(execution_of(system, traces), shown="t1")
    rows = [row for trace in traces.values() for row in measure_sharing(system, trace)]
    return replace(execution, report=execution.report.model_copy(update={"sharing": rows}))
