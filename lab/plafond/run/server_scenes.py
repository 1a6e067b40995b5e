# SPDX-License-Identifier: MIT
"""Small systems of servers whose traces show the costs of the manager of servers on Linux.

There are three systems, each for a separate run. `awake` and `asleep` have as many servers, with as
many tasks, as a CPU of the description. The largest servers are first, so two neighbours are the
two largest.

- awake: all tasks are ready all the time. Each switch parks all tasks of a server and brings back
  all tasks of the next server. The idler runs, too.
- asleep: all tasks wake up while their server does not have the CPU, and wait at its gate.

A decision parks the threads of the server that loses the CPU. It brings back or wakes each thread
of the server that gets the CPU. The length of a decision is from its due time until a task of the
server runs. `awake` has all parts of a decision except the waking. So a decision of the description
is not longer than a decision of `awake` plus a decision of `asleep`.

- passing: tasks of a server wake up repeatedly while a task of another server runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plafond.describe.body import Run
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import Interval, System, Task
from plafond.trace.activations import Activation, activations
from plafond.trace.model import ServerEventKind, Trace
from plafond.units import UNIT_NS

US, MS = UNIT_NS["us"], UNIT_NS["ms"]
STEP_NS = 200 * US  # between the starts of two tasks; each is more urgent than the one before
WORK_NS = 50 * US
FREE_NS = 2 * MS  # the part of each period in which no server has the CPU
LOOK_NS = 2 * US  # a run step looks at the clock at least this often
UNSEEN_NS = 5 * US  # a run step notes no gap up to this length
LATE_NS = 100 * US  # the most that a timer is late
PASSING_NS = 10 * MS  # the period of both servers
FIRST_PASS_NS = 3 * MS
LATER_NS = 300 * US  # how much later each next pass is in its period
PASSES_IN_TURN = 16  # after them the first instant follows again


@dataclass(frozen=True)
class Periods:
    """The budget and the period of all servers of `awake` and `asleep`."""

    budget_ns: int
    period_ns: int

    def begin_ns(self, place: int) -> int:
        """Return when the server at that place has the CPU in the first period."""
        return place * self.budget_ns


def periods_of(counts: Sequence[int]) -> Periods:
    """Return periods in which all these tasks can begin one after the other."""
    budget_ns = 2 * MS + max(counts) * STEP_NS
    return Periods(budget_ns, len(counts) * budget_ns + FREE_NS)


def awake(counts: Sequence[int], cpu: int, repeated: int) -> System:
    """Return servers with so many tasks each, all of which are ready all the time."""
    periods = periods_of(counts)

    def tasks() -> Iterator[Task]:
        for place, count in enumerate(counts):
            for number in range(count):
                is_first = number == count - 1
                begin_ns = periods.begin_ns(place) + STEP_NS * (number + 1)
                work_ns = repeated * periods.budget_ns if is_first else 2 * STEP_NS
                yield _task(place, number, cpu, begin_ns, work_ns, 1, HOUR_NS)

    return _system("awake", counts, cpu, periods, tuple(tasks()))


def asleep(counts: Sequence[int], cpu: int, repeated: int) -> System:
    """Return servers with so many tasks each, all of which wake up before their server's turn."""
    periods = periods_of(counts)

    def tasks() -> Iterator[Task]:
        for place, count in enumerate(counts):
            for number in range(count):
                begin_ns = periods.begin_ns(place) + periods.period_ns - MS
                yield _task(place, number, cpu, begin_ns, WORK_NS, repeated, periods.period_ns)

    return _system("asleep", counts, cpu, periods, tuple(tasks()))


def passing(cpu: int, repeated: int) -> System:
    """Return a task that runs, and tasks of a more urgent server that wake up meanwhile."""
    servers = (_server(0, 2, cpu, PASSING_NS, MS), _server(1, 2, cpu, PASSING_NS, 8 * MS))
    wakes = (
        _task(0, number, cpu, begin_ns, WORK_NS, repeated // PASSES_IN_TURN, again_ns)
        for number, begin_ns, again_ns in _passes()
    )
    runs = _task(1, 0, cpu, MS, repeated * 8 * MS, 1, HOUR_NS)
    return System("passing", cpu + 1, 1, (*wakes, runs), (), servers=servers)


HOUR_NS = UNIT_NS["s"] * 3600


def _passes() -> Iterator[tuple[int, int, int]]:
    """Yield for each phase its number, its first instant, and the time until its next instant."""
    again_ns = PASSES_IN_TURN * PASSING_NS
    for number in range(PASSES_IN_TURN):
        yield number, number * PASSING_NS + FIRST_PASS_NS + number * LATER_NS, again_ns


# ---- Times in the traces -----------------------------------------------------------------


def decisions_ns(trace: Trace) -> list[int]:
    """Return the length of each switch of `awake` or `asleep`, plus a look of a run step."""
    found: list[int] = []
    for server in trace.servers:
        gets = [event.time_ns for event in server.events if event.kind is ServerEventKind.GET]
        begins = sorted(_begins(trace, server.name))
        for get_ns, lost_ns in zip(gets, [*gets[1:], 1 << 62], strict=True):
            later = [time_ns for time_ns in begins if get_ns < time_ns < lost_ns]
            if later and _was_ready(trace, server.name, get_ns):
                found.append(later[0] - get_ns + LOOK_NS)
    return found


def passes_ns(trace: Trace) -> list[int]:
    """Return how long each wake-up of `passing` kept the task from running."""
    runs = next(task for task in trace.tasks if task.name == name_of(1, 0))
    gaps = [gap for each in activations(runs) for gap in each.suspensions]
    found: list[int] = []
    for task in trace.tasks:
        if task is runs:
            continue
        for due_ns in task.arrivals_ns:
            near = [end - begin for begin, end in gaps if begin - LATE_NS < due_ns < end]
            found.append(max(sum(near), UNSEEN_NS) + LOOK_NS)
    return found


def _begins(trace: Trace, server: str) -> Iterator[int]:
    """Yield the times at which tasks of a server begin to run, or continue."""
    for each in _of_server(trace, server):
        yield each.start_ns
        yield from (end_ns for _, end_ns in each.suspensions)


def _was_ready(trace: Trace, server: str, time_ns: int) -> bool:
    """Return whether a task of a server was waiting for the CPU at an instant."""
    return any(each.arrival_ns < time_ns < (each.end_ns or 0) for each in _of_server(trace, server))


def _of_server(trace: Trace, server: str) -> Iterator[Activation]:
    for task in trace.tasks:
        if task.name.startswith(f"{server}_"):
            yield from activations(task)


# ---- Parts of the systems -----------------------------------------------------------------


def name_of(place: int, number: int) -> str:
    """Return the name of a task of the server at that place."""
    return f"{_name(place)}_{number}"


def _name(place: int) -> str:
    return f"server{place}"


def _server(place: int, servers: int, cpu: int, period_ns: int, budget_ns: int) -> Server:
    return Server.made(
        _name(place),
        kind=ServerKind.IDLING,
        cpu=cpu,
        priority=servers - place,
        period_ns=period_ns,
        budget_ns=budget_ns,
    )


def _task(
    place: int, number: int, cpu: int, offset_ns: int, work_ns: int, activations: int, again_ns: int
) -> Task:
    return Task.made(
        name=name_of(place, number),
        priority=number + 1,
        cpu=cpu,
        interval=Interval(again_ns, again_ns),
        offset_ns=offset_ns,
        activations=activations,
        body=(Run(work_ns),),
        server=_name(place),
    )


def _system(
    name: str, counts: Sequence[int], cpu: int, periods: Periods, tasks: tuple[Task, ...]
) -> System:
    servers = tuple(
        _server(place, len(counts), cpu, periods.period_ns, periods.budget_ns)
        for place in range(len(counts))
    )
    return System(name, cpu + 1, 1, tasks, (), servers=servers)
