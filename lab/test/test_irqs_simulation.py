# SPDX-License-Identifier: MIT
"""The simulation of the device against equation 2, hand-made schedules, and a slower simulation."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from plafond.analyse.lost_interrupts import least_budget_by_load
from plafond.bench.irqs.device import Device, Reservation, holds_all
from plafond.bench.irqs.rings import CASES, ring_device
from plafond.bench.irqs.simulate import Kernel, simulate

MS = 1_000_000
# The kernel compares bandwidths in units of 1,024 ns, so whole units lose no digit.
UNIT = 1024

Equation = Callable[[Device, Reservation], bool]


def waits(device: Device, reservation: Reservation) -> int:
    """Return the number of interrupts from the end of a budget to its replenishment."""
    return (reservation.period_ns - reservation.budget_ns) // device.period_ns


def no_more(device: Device, reservation: Reservation) -> bool:
    return reservation.period_ns - reservation.budget_ns <= device.ring_size * device.period_ns


def one_entry_more(device: Device, reservation: Reservation) -> bool:
    return reservation.period_ns - reservation.budget_ns < (device.ring_size + 1) * device.period_ns


def one_entry_less(device: Device, reservation: Reservation) -> bool:
    return reservation.period_ns - reservation.budget_ns < (device.ring_size - 1) * device.period_ns


def whole_period(device: Device, reservation: Reservation) -> bool:
    return reservation.period_ns < device.ring_size * device.period_ns


def agrees_everywhere(equation: Equation) -> bool:
    """Whether the equation agrees with the simulation about lost frames in all rows of the
    bench."""
    return all(
        equation(device, reservation) == (simulate(device, reservation).lost == 0)
        for reservation, size in CASES
        for device in [ring_device(reservation, size)]
    )


def test_losses_begin_exactly_where_equation_2_says() -> None:
    assert agrees_everywhere(holds_all)


@pytest.mark.parametrize("mutant", [no_more, one_entry_more, one_entry_less, whole_period])
def test_every_mutant_of_equation_2_is_found(mutant: Equation) -> None:
    assert not agrees_everywhere(mutant)


def test_of_one_gap_all_frames_are_lost_for_which_there_is_no_entry() -> None:
    for period_ms in range(4, 30):
        reservation = Reservation(2 * MS, period_ms * MS)
        for size in range(1, 32):
            device = ring_device(reservation, size)
            needed_ns = least_budget_by_load(period_ms * MS, device.work_ns, device.period_ns)
            assert (needed_ns <= reservation.budget_ns) == (period_ms <= 20)
            outcome = simulate(device, reservation)
            # The interrupt that comes with the replenishment finds the ring unchanged.
            assert outcome.lost == max(waits(device, reservation) + 1 - size, 0)
            assert outcome.backlog_most == min(waits(device, reservation) + 1, size)


def test_a_reservation_that_is_spent_waits_for_its_deadline() -> None:
    outcome = simulate(Device(MS, 4, 8, 1_500_000), Reservation(2 * MS, 10 * MS))

    # Budgets of 2 ms begin at 0 ms, 10 ms and 20 ms.
    assert outcome.served_ns == [1_500_000, 11 * MS, 20_500_000, 22 * MS]


def test_a_thread_that_wakes_up_late_in_its_period_gets_a_new_one() -> None:
    device = Device(6 * MS, 2, 8, 1_500_000)

    # At 6 ms it has 0.5 ms until 10 ms, less than 2 in 10, so it goes on with that.
    outcome = simulate(device, Reservation(2 * MS, 10 * MS))
    assert outcome.served_ns == [1_500_000, 11 * MS]
    # Here it has 1.5 ms until 10 ms, more than 3 in 10, so it gets 3 ms until 16 ms.
    outcome = simulate(device, Reservation(3 * MS, 10 * MS))
    assert outcome.served_ns == [1_500_000, 7_500_000]


def test_what_is_overdrawn_until_a_tick_is_taken_back() -> None:
    kernel = Kernel(tick_period_ns=4 * MS, tick_first_ns=1 * MS, polices_by_tick=True)
    outcome = simulate(Device(10_000, 12, 16, MS), Reservation(2 * MS, 10 * MS), kernel)

    # Spent at 2 ms, which is noticed at 5 ms. At 10 ms 3 ms are owed, so two budgets leave 1 ms
    # until 30 ms. Its end is noticed at 13 ms. At 30 ms 2 ms are owed.
    assert outcome.served_ns[:9] == [each * MS for each in (1, 2, 3, 4, 5, 11, 12, 13, 31)]


def test_an_interrupt_takes_its_time_from_the_thread() -> None:
    outcome = simulate(Device(MS, 3, 8, 1_500_000), None, Kernel(100_000, 50_000))

    assert outcome.served_ns == [1_650_000, 3_250_000, 4_750_000]


def test_throughput_is_proportional_and_of_every_period_the_same() -> None:
    work_ns, window_ns = 900_000, 2000 * MS
    for percent in range(5, 90, 5):
        for period_ns in (10 * MS, 100 * MS, 1000 * MS):
            reservation = Reservation(percent * period_ns // 100, period_ns)
            outcome = simulate(Device(MS, 2000, 1024, work_ns), reservation)
            fits = percent * window_ns // 100 // work_ns
            assert outcome.served_until(window_ns) in (fits, fits + 1)


@dataclass
class Steps:
    """The same simulation in steps of a unit. Each step first handles all that is due, in code
    order."""

    device: Device
    reservation: Reservation
    now: int = 0
    runtime: int = 0
    deadline: int = -1
    throttled: bool = False
    ring: list[tuple[int, int]] = field(default_factory=list)  # a number, and its units left
    served_ns: list[int | None] = field(default_factory=list)


def step_by_step(device: Device, reservation: Reservation) -> list[int | None]:
    s = Steps(device, reservation)
    while len(s.served_ns) < device.count or s.ring:
        is_due = s.now * UNIT == len(s.served_ns) * device.period_ns
        if is_due and len(s.served_ns) < device.count:
            interrupt(s)
        finish(s)
        if s.ring and not s.throttled:
            s.runtime -= 1
            s.ring[0] = (s.ring[0][0], s.ring[0][1] - 1)
        s.now += 1
    return s.served_ns


def interrupt(s: Steps) -> None:
    number = len(s.served_ns)
    s.served_ns.append(None)
    if len(s.ring) == s.device.ring_size:
        return
    s.ring.append((number, s.device.work_of(number) // UNIT))
    left, period = s.deadline - s.now, s.reservation.period_ns // UNIT
    budget = s.reservation.budget_ns // UNIT
    wakes_up = len(s.ring) == 1 and not s.throttled
    if wakes_up and (left < 0 or s.runtime * period > budget * left):
        s.runtime, s.deadline = budget, s.now + period


def finish(s: Steps) -> None:
    if s.ring and s.ring[0][1] == 0:
        s.served_ns[s.ring.pop(0)[0]] = s.now * UNIT
    s.throttled = s.throttled or (s.deadline >= 0 and s.runtime == 0)
    if s.throttled and s.now == s.deadline:
        s.throttled = False
        s.runtime += s.reservation.budget_ns // UNIT
        s.deadline += s.reservation.period_ns // UNIT


def random_case(choose: random.Random) -> tuple[Device, Reservation]:
    period = choose.randint(4, 30)
    device = Device(
        period_ns=choose.randint(1, 8) * UNIT,
        count=choose.randint(1, 40),
        ring_size=choose.randint(1, 8),
        work_ns=choose.randint(1, 6) * UNIT,
        first_work_ns=choose.choice([None, choose.randint(1, 20) * UNIT]),
    )
    return device, Reservation(choose.randint(1, period) * UNIT, period * UNIT)


def test_it_does_what_a_slower_simulation_does_step_by_step() -> None:
    choose = random.Random(1)
    lost = 0
    for _ in range(2000):
        device, reservation = random_case(choose)
        outcome = simulate(device, reservation)
        assert outcome.served_ns == step_by_step(device, reservation), (device, reservation)
        lost += outcome.lost
    assert lost > 1000
