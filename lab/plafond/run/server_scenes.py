# SPDX-License-Identifier: MIT
"""Small systems of servers whose traces show what the manager of servers on Linux costs.

Three of them, each a run of its own. `awake` and `asleep` have as many servers, with as many tasks,
as a CPU of the description, the largest first, so that two neighbours are the two largest:

- awake: all tasks are ready all the time. At each switch all of one server are parked, and all of
  the next one come back; the idler is at work.
- asleep: all tasks wake up while their server has not the CPU, and wait at its gate.

A decision parks threads of the server that loses the CPU, and of the one that gets it has each come
back or wakes it. So none of the description's, from when it is due until a task of the server runs,
is longer than one of `awake`, which has all but the waking, and one of `asleep` together.

- passing: tasks of one server wake up, again and again, while a task of another one runs.
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
STEP_NS = 200 * US  # from the begin of one task to that of the next, more urgent one
WORK_NS = 50 * US
FREE_NS = 2 * MS  # of each period: no server's
LOOK_NS = 2 * US  # a run step looks at the clock more often
UNSEEN_NS = 5 * US  # and notes no gap up to that
LATE_NS = 100 * US  # a timer
PASSING_NS = 10 * MS  # the period of both servers
FIRST_PASS_NS = 3 * MS
LATER_NS = 300 * US  # each next pass, in its period
PASSES_IN_TURN = 16  # then from the first instant on again


@dataclass(frozen=True)
class Periods:
    """How the servers of `awake` and `asleep` share the time."""

    budget_ns: int
    period_ns: int

    def begin_ns(self, place: int) -> int:
        """Return when the server at that place has the CPU in the first period."""
        return place * self.budget_ns


def periods_of(counts: Sequence[int]) -> Periods:
    """Return periods in which all of so many tasks can begin one after the other."""
    budget_ns = 2 * MS + max(counts) * STEP_NS
    return Periods(budget_ns, len(counts) * budget_ns + FREE_NS)


def awake(counts: Sequence[int], cpu: int, repeated: int) -> System:
    """Return servers of so many tasks that are all ready all the time."""
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
    """Return servers of so many tasks that all wake up right before they have the CPU."""
    periods = periods_of(counts)

    def tasks() -> Iterator[Task]:
        for place, count in enumerate(counts):
            for number in range(count):
                begin_ns = periods.begin_ns(place) + periods.period_ns - MS
                yield _task(place, number, cpu, begin_ns, WORK_NS, repeated, periods.period_ns)

    return _system("asleep", counts, cpu, periods, tuple(tasks()))


def passing(cpu: int, repeated: int) -> System:
    """Return a task that runs, and one of a more urgent server that wakes up then."""
    servers = (_server(0, 2, cpu, PASSING_NS, MS), _server(1, 2, cpu, PASSING_NS, 8 * MS))
    wakes = (
        _task(0, number, cpu, begin_ns, WORK_NS, repeated // PASSES_IN_TURN, again_ns)
        for number, begin_ns, again_ns in _passes()
    )
    runs = _task(1, 0, cpu, MS, repeated * 8 * MS, 1, HOUR_NS)
    return System("passing", cpu + 1, 1, (*wakes, runs), (), servers=servers)


HOUR_NS = UNIT_NS["s"] * 3600


def _passes() -> Iterator[tuple[int, int, int]]:
    """Yield a task for each phase: its number, its first instant, and how long until the next."""
    again_ns = PASSES_IN_TURN * PASSING_NS
    for number in range(PASSES_IN_TURN):
        yield number, number * PASSING_NS + FIRST_PASS_NS + number * LATER_NS, again_ns


# ---- What the traces show ----------------------------------------------------------------


def decisions_ns(trace: Trace) -> list[int]:
    """Return, of `awake` and `asleep`, how long each switch took: a look of a run step more."""
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
    """Return, of `passing`, how long each wake-up kept the task from running."""
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
    """Yield when tasks of a server begin to run, or go on."""
    for each in _of_server(trace, server):
        yield each.start_ns
        yield from (end_ns for _, end_ns in each.suspensions)


def _was_ready(trace: Trace, server: str, time_ns: int) -> bool:
    """Whether a task of a server was waiting for the CPU at an instant."""
    return any(each.arrival_ns < time_ns < (each.end_ns or 0) for each in _of_server(trace, server))


def _of_server(trace: Trace, server: str) -> Iterator[Activation]:
    for task in trace.tasks:
        if task.name.startswith(f"{server}_"):
            yield from activations(task)


# ---- Their parts --------------------------------------------------------------------------


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
