# SPDX-License-Identifier: MIT
"""The speed that slots need if their period does not divide the periods of the tasks.

OSPERT 2010, 3, Section IX. Slots with the same share and a longer period come less often, and a
faster processor makes good for that. Under EDF (eqs. 16 to 19) each server needs the largest

  N(t) / Z(t),  N(t) = sum of floor(t/T) * C,  Z(t) = floor(t/P) * Q + (t mod P - delta)

over all deadlines t up to the least common multiple of all T and P. The slot is at the end of the
period: delta = P - Q. As printed, the last term is negative before the slot, so it must be clamped
to [0, Q]. Then Z is the least supply of the slot (supply.py). N(t) <= Z(t) is the processor demand
test for deadlines at the next arrivals, wherever arrivals lie.

Under fixed priorities jobs due later can go first. There each task i of a server needs the least

  W(t) / Z(t),  W(t) = sum of ceil(t/T) * C over i and all tasks at least as urgent

over the multiples t of these T up to T_i (Lehoczky, Sha, Ding 1989), because between them only Z
rises. The server needs the largest of these values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from plafond.analyse.guests import Guest
from plafond.analyse.supply import Supply
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Task

MOST_TERMS = 200_000  # of a sum for a server and a period, against hostile descriptions


@dataclass(frozen=True)
class Host:
    """The processor that all systems share, for one of these systems."""

    guest: Guest
    speed_up: Fraction  # over the slowest board

    @property
    def share(self) -> Fraction:
        """The part of each period that is the slot of the system."""
        return self.guest.speed / self.speed_up

    @property
    def scale(self) -> Fraction:
        """How long a nanosecond of the system's board takes on this processor, in ns."""
        return self.guest.normalisation / self.speed_up


def speed_up_for(
    scheduler: Scheduler, host: Host, period_ns: int, budget_ns: int
) -> Fraction | None:
    """Return how many times faster still the processor must be; None if not known.

    None also if no speed is enough.
    """
    if budget_ns == 0:
        return None
    slot = Supply(period_ns, budget_ns, lost_ns=0, delay_ns=period_ns - budget_ns)
    if scheduler is Scheduler.EDF:
        return _by_demand(host, slot)
    found = [_by_response(host, slot, task) for task in host.guest.tasks]
    return None if None in found else max(each for each in found if each is not None)


def _by_demand(host: Host, slot: Supply) -> Fraction | None:
    tasks = host.guest.tasks
    end_ns = lcm(slot.period_ns, *(task.least_interval_ns for task in tasks))
    deadlines = _multiples(tasks, end_ns, MOST_TERMS // len(tasks))

    def due_ns(window_ns: int) -> int:
        return sum(window_ns // task.least_interval_ns * task.run_ns for task in tasks)

    found = [_ratio(host, due_ns(window_ns), slot, window_ns) for window_ns in deadlines]
    return None if None in found else max((each for each in found if each), default=None)


def _by_response(host: Host, slot: Supply, task: Task) -> Fraction | None:
    tasks = host.guest.tasks
    level = [each for each in tasks if each.priority >= task.priority]
    windows = _multiples(level, task.least_interval_ns, MOST_TERMS // len(tasks) // len(tasks))

    def arrived_ns(window_ns: int) -> int:
        return sum(-(-window_ns // each.least_interval_ns) * each.run_ns for each in level)

    found = [_ratio(host, arrived_ns(window_ns), slot, window_ns) for window_ns in windows]
    return min((each for each in found if each is not None), default=None)


def _multiples(tasks: Sequence[Task], end_ns: int, most: int) -> set[int]:
    """Return all multiples of the intervals up to an end; none if there are more than `most`."""
    intervals = {task.least_interval_ns for task in tasks}
    if sum(end_ns // each_ns for each_ns in intervals) > most:
        return set()
    return {time_ns for each_ns in intervals for time_ns in range(each_ns, end_ns + 1, each_ns)}


def _ratio(host: Host, work_ns: int, slot: Supply, window_ns: int) -> Fraction | None:
    """Return the work of a window over its supply; None if nothing is supplied."""
    provided_ns = slot.provided_ns(window_ns)
    return work_ns * host.scale / provided_ns if provided_ns else None
