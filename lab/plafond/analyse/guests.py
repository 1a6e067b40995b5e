# SPDX-License-Identifier: MIT
"""Systems that move from separate boards to slots of one processor (OSPERT 2010, 3, III).

Each server is a virtual machine of the paper. Its board has the clock c and the utilisation U.

  s = c / c_slowest,  alpha = 1 under EDF, 1 / U_lub under fixed priorities,
  U_lub = m * (2^(1/m) - 1) for m tasks (Liu, Layland 1973)

The processor for all servers is S = sum of alpha * s * U times as fast as the slowest board
(eqs. 5 and 7). There a run of C takes C * s / S (eq. 3).

All values are fractions. The root of 2 is rounded down by less than 10^-12.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.coverage import is_only_arriving
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Server
from plafond.describe.system import System, Task
from plafond.errors import ArgumentError
from plafond.units import format_duration

PARTS = 10**12  # the root is a multiple of 1 / PARTS


@dataclass(frozen=True)
class Guest:
    """A server that moves, with its tasks."""

    server: Server
    tasks: tuple[Task, ...]
    normalisation: Fraction
    alpha: Fraction

    @property
    def utilisation(self) -> Fraction:
        """U: the share of the server's board that its tasks ask for."""
        return sum((task.utilisation for task in self.tasks), Fraction(0))

    @property
    def speed(self) -> Fraction:
        """alpha * s * U: the speed that the server needs, 1 for the slowest board."""
        return self.alpha * self.normalisation * self.utilisation


def guests_of(system: System) -> tuple[Guest, ...]:
    """Return the servers of a system with their tasks; ArgumentError if one cannot move."""
    for problem in _problems(system):
        raise ArgumentError(f"--slots: {problem}")
    slowest_mhz = min(server.clock_mhz or 1 for server in system.servers)
    return tuple(
        Guest(
            server,
            system.tasks_of(server.name),
            Fraction(server.clock_mhz or 1, slowest_mhz),
            1 / least_upper_bound(system.scheduler, len(system.tasks_of(server.name))),
        )
        for server in system.servers
        if system.tasks_of(server.name)
    )


def least_upper_bound(scheduler: Scheduler, tasks: int) -> Fraction:
    """Return U_lub: any `tasks` tasks up to this utilisation keep their deadlines."""
    if scheduler is Scheduler.EDF:
        return Fraction(1)
    return tasks * Fraction(_root_of_two(tasks) - PARTS, PARTS)


def _root_of_two(degree: int) -> int:
    """Return the root of 2 in units of 1 / PARTS, rounded down."""
    low, high = PARTS, 2 * PARTS + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle**degree <= 2 * PARTS**degree:
            low = middle
        else:
            high = middle
    return low


def _problems(system: System) -> Iterator[str]:
    slots = system.servers
    if not slots:
        yield "found no servers; expected some of the kind slot"
    for server in slots:
        if not server.is_slot:
            yield f"found {server.name}, which is {server.kind}; expected slots alone"
    if len({server.cpu for server in slots}) > 1:
        yield "found slots on several CPUs; expected those of one"
    clocks = [server.clock_mhz for server in slots]
    if None in clocks and any(clocks):
        name = slots[clocks.index(None)].name
        yield f"found no clock of {name}; expected one of each server, or of none"
    for task in system.tasks:
        yield from _problems_of_task(system, task)
    if system.scheduler.has_priorities:
        for server in slots:
            yield from _problems_of_order(system.tasks_of(server.name))


def _problems_of_task(system: System, task: Task) -> Iterator[str]:
    """Yield each reason why a task is not as in the paper.

    There tasks arrive by themselves, are due at the next arrival, and are independent.
    """
    if task.server is None:
        yield f"found {task.name} in no server; expected a slot for each task"
    if not is_only_arriving(system, task) or not task.run_ns:
        yield f"found {task.name} without run steps or arrivals alone; expected both of each task"
    elif task.deadline_ns not in (None, task.least_interval_ns):
        deadline = format_duration(task.deadline_ns or 0)
        yield f"found {task.name} due after {deadline}; expected deadlines at the next arrivals"
    if task.jitter_ns:
        yield f"found {task.name} with release jitter; expected releases at arrivals"
    if task.resources or task.sleeps_ns:
        yield f"found {task.name}, which locks or sleeps; expected tasks that only run"


def _problems_of_order(tasks: Sequence[Task]) -> Iterator[str]:
    """Yield the pairs of tasks that are not rate-monotonic, because U_lub needs that order."""
    for urgent in tasks:
        for other in tasks:
            is_rarer = urgent.least_interval_ns > other.least_interval_ns
            if urgent.priority > other.priority and is_rarer:
                yield (
                    f"found {urgent.name} more urgent than {other.name}, which comes more often; "
                    "expected rate-monotonic priorities"
                )
