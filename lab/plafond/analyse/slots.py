# SPDX-License-Identifier: MIT
"""The slots of several systems on one processor: their period and their lengths.

OSPERT 2010, 3 (Kerstan, Baldin, Groesbrink), Sections IV and VI. The period P is the greatest
common divisor of all periods of tasks. Each slot has the share alpha * s * U / S of P. The sum of
all shares is the whole processor (guests.py; eqs. 9 to 12).

Then no task is late (Theorem 2), because each interval and relative deadline is a multiple of P. A
window of k*P, wherever it begins, holds k whole slots. A slower processor of this share has as much
time for it. The tests of EDF and of rate-monotonic priorities look only at these lengths. So
arrivals need not fall on multiples of P, and may come later.

slot_periods.py has the speed that another period needs.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, gcd

from plafond.analyse.guests import Guest, guests_of
from plafond.analyse.slot_periods import Host, speed_up_for
from plafond.analyse.slots_model import HostTaskRow, PeriodRow, SlotRow, SlotsReport
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System

STEPS = 20  # number of longer periods that are tried, up to twice the divisor


def derive_slots(system: System) -> SlotsReport:
    """Derive the slots of all servers of a system; ArgumentError if one cannot move."""
    guests = guests_of(system)
    speed_up = sum((guest.speed for guest in guests), Fraction(0))
    period_ns = gcd(*(task.least_interval_ns for guest in guests for task in guest.tasks))
    hosts = [Host(guest, speed_up) for guest in guests]
    step_ns = max(period_ns // STEPS, 1)
    periods = [
        _period_row(system.scheduler, hosts, each_ns)
        for each_ns in range(period_ns, 2 * period_ns + 1, step_ns)
    ]
    return SlotsReport(
        name=system.name,
        scheduler=system.scheduler,
        period_ns=period_ns,
        speed_up=float(speed_up),
        host_mhz=_host_mhz(guests, speed_up),
        slots=tuple(_slot_rows(hosts, period_ns)),
        tasks=tuple(_task_rows(hosts)),
        periods=tuple(periods),
        notes=tuple(_notes(system.scheduler, periods)),
    )


def _host_mhz(guests: Sequence[Guest], speed_up: Fraction) -> float | None:
    clocks = [guest.server.clock_mhz for guest in guests if guest.server.clock_mhz]
    return float(min(clocks) * speed_up) if clocks else None


def _slot_rows(hosts: Sequence[Host], period_ns: int) -> Iterator[SlotRow]:
    starts, budgets = bounds_of(hosts, period_ns)[:-1], budgets_of(hosts, period_ns)
    for host, start_ns, budget_ns in zip(hosts, starts, budgets, strict=True):
        yield SlotRow(
            server=host.guest.server.name,
            clock_mhz=host.guest.server.clock_mhz,
            normalisation=float(host.guest.normalisation),
            utilisation=float(host.guest.utilisation),
            alpha=float(host.guest.alpha),
            share=float(host.share),
            start_ns=start_ns,
            budget_ns=budget_ns,
        )


def bounds_of(hosts: Sequence[Host], period_ns: int) -> list[int]:
    """Return the starts of all slots, and the end of the last slot, in ns: without gaps."""
    ends = accumulate(host.share for host in hosts)
    return [0, *(round(end * period_ns) for end in ends)]


def budgets_of(hosts: Sequence[Host], period_ns: int) -> list[int]:
    """Return the length of each slot in ns."""
    return [end - start for start, end in pairwise(bounds_of(hosts, period_ns))]


def _task_rows(hosts: Sequence[Host]) -> Iterator[HostTaskRow]:
    for host in hosts:
        for task in host.guest.tasks:
            yield HostTaskRow(
                task=task.name,
                server=host.guest.server.name,
                period_ns=task.least_interval_ns,
                run_ns=task.run_ns,
                host_run_ns=ceil(task.run_ns * host.scale),
            )


def _period_row(scheduler: Scheduler, hosts: Sequence[Host], period_ns: int) -> PeriodRow:
    found = {
        host.guest.server.name: speed_up_for(scheduler, host, period_ns, budget_ns)
        for host, budget_ns in zip(hosts, budgets_of(hosts, period_ns), strict=True)
    }
    known = [each for each in found.values() if each is not None]
    return PeriodRow(
        period_ns=period_ns,
        speed_ups={name: None if each is None else float(each) for name, each in found.items()},
        speed_up=float(max(known)) if len(known) == len(found) else None,
    )


def _notes(scheduler: Scheduler, periods: Sequence[PeriodRow]) -> Iterator[str]:
    yield "the period is the greatest common divisor of those of all tasks: none is late"
    if scheduler is Scheduler.EDF:
        yield "other periods: eqs. 16 to 19 of OSPERT 2010, 3, with eq. 17 clamped to the slot"
    else:
        yield "alpha is 1/U_lub (Liu, Layland 1973), for the worst tasks: below 1 time is left over"
        yield "other periods: by response times, as eqs. 16 and 18 are those of EDF"
    if any(row.speed_up is None for row in periods):
        yield "-: no time comes until a deadline, or there are too many deadlines to look at"
