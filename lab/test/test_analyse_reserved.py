# SPDX-License-Identifier: MIT
"""The time that reservations take from tasks: the bound against schedules computed unit by unit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from descriptions import described
from reservation_model import (
    Served,
    Sleeper,
    longest_of_own,
    longest_response,
    most_in_windows,
    schedule,
)

from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.reserved import Steady, taken_by_reservations, taken_late_ns, why_late
from plafond.analyse.supply import Supply
from plafond.describe.server import reservation
from plafond.describe.system import System
from plafond.protocols import Protocol

UNIT_NS = 10_000  # of the schedules, in descriptions: a budget is 1,024 ns at least

Pair = tuple[int, int]  # budget and period

ALONE: list[Pair] = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (2, 5), (3, 5), (5, 5)]
TOGETHER: list[tuple[Pair, Pair]] = [
    ((1, 2), (1, 2)),
    ((1, 3), (2, 3)),
    ((2, 4), (2, 4)),
    ((2, 5), (3, 5)),
    ((2, 4), (1, 2)),
    ((1, 4), (2, 3)),
]
LENGTH = 16


def reserved(*pairs: Pair, cpus: int = 1) -> str:
    tables = (
        f'[server.s{number}]\nkind = "reservation"\nirq = "device {number}"\n'
        f'budget = "{budget * UNIT_NS}ns"\nperiod = "{period * UNIT_NS}ns"\n'
        for number, (budget, period) in enumerate(pairs)
    )
    return f"cpus = {cpus}\n" + "".join(tables)


def task(work: int, interval: int, priority: int = 5, name: str = "t", cpu: int = 0) -> str:
    return (
        f'[task.{name}]\npriority = {priority}\ncpu = {cpu}\nbody = ["run {work * UNIT_NS}ns"]\n'
        f'arrival = "sporadic {interval * UNIT_NS}ns"\n'
    )


def bounds(folder: Path, text: str, overheads: Overheads | None = None) -> AnalysisReport:
    return analyse(described(folder, text), [Protocol.CEILING], overheads)


def all_alone(pair: Pair, tick: int = 1) -> Iterator[list[int]]:
    """Yield every schedule of a thread, for which 0, 1 or `budget` units come at each instant."""
    budget, period = pair
    for bursts in product(sorted({0, 1, budget}), repeat=7):
        for phase in range(tick):
            yield schedule([Served(budget, period, bursts)], LENGTH, tick, phase)


def all_together(pairs: tuple[Pair, Pair], tick: int = 1) -> Iterator[list[int]]:
    """Yield many schedules of two threads. Each first has a budget or nothing, and later a unit or
    nothing."""
    (q0, t0), (q1, t1) = pairs
    later = list(product((0, 1), repeat=4))
    for (first, one), (second, other) in product(product((0, q0), later), product((0, q1), later)):
        for phase in range(tick):
            served = [
                Served(q0, t0, (first, *one, q0, q0)),
                Served(q1, t1, (second, *other, q1)),
            ]
            yield schedule(served, LENGTH, tick, phase)


def taken(*pairs: Pair) -> list[Steady]:
    reservations = tuple(
        reservation(f"s{number}", "x", period, budget)
        for number, (budget, period) in enumerate(pairs)
    )
    return list(taken_by_reservations(replace(EMPTY, reservations=reservations), 0))


EMPTY = System("none", 1, 1, (), ())


def in_units(steady: Steady, window: int) -> int:
    """Return the most time that the reservation takes in a window, in whole units."""
    return min(window, (window + steady.jitter_ns) * steady.cost_ns // steady.interval_ns)


def most_of(schedules: Iterable[list[int]], which: int) -> list[int]:
    most = [0] * (LENGTH + 1)
    for ran in schedules:
        most = list(map(max, most, most_in_windows(ran, which)))
    return most


def bound_of(steady: Steady, late: int = 0) -> list[int]:
    """Return the most time that the reservation takes in each window, plus `late`, in whole
    units."""
    return [
        min(window, (window + steady.jitter_ns) * steady.cost_ns // steady.interval_ns + late)
        for window in range(LENGTH + 1)
    ]


def reached(most: list[int], bound: list[int]) -> int:
    """Return the longest window in which the bound was reached. No window may exceed the bound."""
    assert all(seen <= limit for seen, limit in zip(most, bound, strict=True))
    return max(w for w, (seen, limit) in enumerate(zip(most, bound, strict=True)) if seen == limit)


@pytest.mark.parametrize("pair", ALONE)
def test_one_reservation_takes_what_the_bound_says_and_no_more(pair: Pair) -> None:
    (steady,) = taken(pair)
    budget, period = pair
    assert reached(most_of(all_alone(pair), 0), bound_of(steady)) >= period + budget


@pytest.mark.parametrize("pairs", TOGETHER)
def test_beside_another_one_it_takes_no_more_than_the_bound(pairs: tuple[Pair, Pair]) -> None:
    schedules = list(all_together(pairs))
    for which, steady in enumerate(taken(*pairs)):
        budget, _ = pairs[which]
        assert reached(most_of(schedules, which), bound_of(steady)) >= budget


def test_beside_another_one_it_can_have_two_budgets_at_once_and_its_share_between() -> None:
    """The second thread runs at the end of its first period, sleeps after another unit, and wakes
    up."""
    pairs = ((2, 4), (2, 4))
    served = [Served(2, 4, (2,)), Served(2, 4, (2, 0, 0, 0, 1, 0, 0, 2))]
    ran = schedule(served, 12)
    assert ran[:9] == [0, 0, 1, 1, 1, -1, -1, 1, 1]
    assert reached(most_in_windows(ran, 1)[:8], bound_of(taken(*pairs)[1])[:8]) == 7


def test_the_bound_of_a_deferrable_server_is_exceeded() -> None:
    """A thread that slept may have a whole budget at any time, not only once in a period."""
    other = Served(90, 100, (90,))
    one = Served(10, 100, (10, *[0] * 99, 1, *[0] * 10, 10))
    most = most_in_windows(schedule([other, one], 130), 1)
    assert most[31] == 21
    deferrable = -(-(31 + 100 - 10) // 100) * 10
    assert deferrable == 20


@pytest.mark.parametrize("tick", [2, 3])
@pytest.mark.parametrize("pair", [(1, 3), (2, 4), (1, 4)])
def test_budgets_that_end_at_ticks_take_two_ticks_more(pair: Pair, tick: int) -> None:
    (steady,) = taken(pair)
    late = late_units(1, tick - 1)  # a budget of whole units ends a unit before a tick at worst
    most = most_of(all_alone(pair, tick), 0)
    assert reached(most, bound_of(steady, late)) >= 1
    assert any(seen > exact for seen, exact in zip(most, bound_of(steady), strict=True))


@pytest.mark.parametrize("pairs", TOGETHER[:3])
def test_ticks_make_others_late_too(pairs: tuple[Pair, Pair]) -> None:
    schedules = list(all_together(pairs, 2))
    for which, steady in enumerate(taken(*pairs)):
        late = late_units(2, 1) // 2  # both ticks together
        assert reached(most_of(schedules, which), bound_of(steady, late)) >= 1


def late_units(count: int, tick: int) -> int:
    reservations = tuple(reservation(str(number), "x", 2, 1) for number in range(count))
    system = replace(EMPTY, reservations=reservations)
    return taken_late_ns(system, Overheads({Protocol.CEILING: Costs()}, tick_ns=tick))


@pytest.mark.parametrize(("pair", "work", "interval"), [((1, 3), 2, 9), ((2, 5), 3, 9)])
def test_a_task_below_answers_within_its_bound_and_close_to_it(
    tmp_path: Path, pair: Pair, work: int, interval: int
) -> None:
    report = bounds(tmp_path, reserved(pair) + task(work, interval))
    longest = max(longest_response(ran, work, interval) for ran in all_alone(pair))
    response_ns = report.rows[0].response_bound_ns
    assert response_ns is not None
    # In whole units, a schedule can lack a part of a unit.
    assert response_ns - UNIT_NS <= longest * UNIT_NS <= response_ns


def test_two_reservations_keep_a_task_waiting_no_longer_than_its_bound(tmp_path: Path) -> None:
    pairs = ((1, 4), (1, 3))
    report = bounds(tmp_path, reserved(*pairs) + task(2, 12))
    longest = max(longest_response(ran, 2, 12) for ran in all_together(pairs))
    response_ns = report.rows[0].response_bound_ns
    assert response_ns is not None
    assert longest * UNIT_NS <= response_ns


def test_a_reservation_counts_on_every_cpu_and_for_every_task(tmp_path: Path) -> None:
    """The thread may run on any CPU. It counts once in a less urgent task's window."""
    tasks = task(2, 20) + task(3, 40, priority=4, name="below") + task(2, 20, name="other", cpu=1)
    rows = bounds(tmp_path, reserved((1, 10), cpus=2) + tasks).rows
    with_it = {row.task: row.response_bound_ns for row in rows}
    # 2 + (w + 9)/10 = w, and 5 + (w + 9)/10 = w, to the next nanosecond.
    assert with_it == {"t": 32_223, "other": 32_223, "below": 65_556}


def test_it_takes_from_the_tasks_of_servers_for_these_have_the_cpu_by_the_clock(
    tmp_path: Path,
) -> None:
    """The server has 4 in 10, after a gap of 6. The reservation's part is added to the work."""
    served = '[server.s]\nkind = "idling"\npriority = 1\nperiod = "100us"\nbudget = "40us"\n'
    of = task(1, 100).replace("[task.t]\n", '[task.t]\nserver = "s"\n')
    report = bounds(tmp_path, reserved((1, 10)) + served + of)
    without = bounds(tmp_path, served + of)
    assert report.servers == without.servers
    assert without.rows[0].response_bound_ns == 70_000
    assert report.rows[0].response_bound_ns == 87_778  # 1 + (w + 9)/10 = w - 6


# ---- The task in a reservation -----------------------------------------------------------


def of_task(
    pair: Pair, body: str, interval: int, others: Sequence[Pair] = (), cpus: int = 1
) -> str:
    """Describe a task in a reservation, beside reservations of interrupts."""
    budget, period = pair
    return reserved(*others, cpus=cpus) + (
        f'[server.own]\nkind = "reservation"\nbudget = "{budget * UNIT_NS}ns"\n'
        f'period = "{period * UNIT_NS}ns"\n[task.t]\nserver = "own"\npriority = 1\n'
        f'body = [{body}]\narrival = "sporadic {interval * UNIT_NS}ns"\n'
    )


def run(units: int) -> str:
    return f'"run {units * UNIT_NS}ns"'


def jobs_apart(interval: int, most: int, length: int) -> Iterator[list[int]]:
    """Yield every sequence of jobs of up to `most` units that arrive at least `interval` apart."""
    if length <= 0:
        yield []
        return
    for rest in jobs_apart(interval, most, length - 1):
        yield [0, *rest]
    for work in range(1, most + 1):
        for rest in jobs_apart(interval, most, length - interval):
            yield [work, *[0] * (interval - 1), *rest]


@pytest.mark.parametrize(
    ("pair", "work", "interval"),
    [((2, 4), 2, 5), ((2, 5), 3, 9), ((1, 3), 2, 7), ((3, 4), 4, 6), ((2, 6), 5, 16)],
)
def test_a_reserved_task_answers_within_its_bound_and_as_late(
    tmp_path: Path, pair: Pair, work: int, interval: int
) -> None:
    """Alone, the task has a whole budget at each arrival that finds it idle."""
    response_ns = bounds(tmp_path, of_task(pair, run(work), interval)).rows[0].response_bound_ns
    longest = 0
    for bursts in jobs_apart(interval, work, 12):
        ran = schedule([Served(*pair, bursts)], 40)
        longest = max(longest, longest_of_own(ran, 0, bursts))
    assert longest * UNIT_NS == response_ns


@pytest.mark.parametrize(("pair", "other"), [((2, 4), (2, 4)), ((1, 3), (2, 3)), ((2, 5), (3, 5))])
def test_beside_another_reservation_it_does_too(tmp_path: Path, pair: Pair, other: Pair) -> None:
    """At four instants the other thread gets a whole budget of work or none."""
    budget, period = pair
    text = of_task(pair, run(budget), period + 1, [other])
    response_ns = bounds(tmp_path, text).rows[0].response_bound_ns
    longest = 0
    for bursts in jobs_apart(period + 1, budget, 2 * period):
        for others in product((0, other[0]), repeat=4):
            for served, which in (
                ([Served(*pair, bursts), Served(*other, others)], 0),
                ([Served(*other, others), Served(*pair, bursts)], 1),
            ):
                ran = schedule(served, 30)
                longest = max(longest, longest_of_own(ran, which, bursts))
    assert response_ns is not None
    assert longest * UNIT_NS == response_ns == period * UNIT_NS


SLEEPS = [((2, 4), 1, 1, 2), ((2, 5), 2, 1, 2), ((1, 3), 1, 2, 1), ((2, 5), 1, 2, 1)]


@pytest.mark.parametrize(("pair", "first", "sleep", "second"), SLEEPS)
def test_alone_it_may_sleep(
    tmp_path: Path, pair: Pair, first: int, sleep: int, second: int
) -> None:
    """A sleep counts as work does. Jobs arrive a little further apart than their share needs."""
    budget, period = pair
    interval = (first + sleep + second) * period // budget + 1
    body = f'{run(first)}, "sleep {sleep * UNIT_NS}ns", {run(second)}'
    response_ns = bounds(tmp_path, of_task(pair, body, interval)).rows[0].response_bound_ns
    responses: list[int] = []
    for more in product(range(period), repeat=2):
        arrivals = [0, interval + more[0], 2 * interval + sum(more)]
        one = Sleeper(*pair, (), parts=(first, second), sleep=sleep, arrivals=arrivals)
        schedule([one], 4 * interval + 2 * period)
        responses += one.responses
    assert response_ns is not None
    assert len(responses) == 3 * period**2
    assert first + sleep + second <= max(responses) <= response_ns // UNIT_NS


@pytest.mark.parametrize(("pair", "first", "sleep", "second"), SLEEPS)
def test_whatever_came_before_no_more_than_the_rest_of_a_period_is_lost(
    pair: Pair, first: int, sleep: int, second: int
) -> None:
    budget, period = pair
    supply = Supply(period, budget, lost_ns=period - budget, delay_ns=0)
    responses: list[int] = []
    for before in product(range(first + second + 1), repeat=3):
        for arrival in range(3, 9):
            one = Sleeper(*pair, before, parts=(first, second), sleep=sleep, arrivals=[arrival])
            schedule([one], 60)
            responses += one.responses
    assert period <= max(responses) <= supply.within_ns(first + sleep + second)


def test_beside_others_it_may_not(tmp_path: Path) -> None:
    """At each wake-up the task can get a deadline before which the other thread has all of its
    budget."""
    text = of_task((2, 4), f'{run(1)}, "sleep {UNIT_NS}ns", {run(1)}', 20, [(1, 4)])
    report = bounds(tmp_path, text)
    assert report.rows[0].response_bound_ns is None
    assert report.notes[-1] == (
        "ceiling: no bound for t: t sleeps, and after each sleep its reservation own can come "
        "after s0 again"
    )


def test_what_it_takes_from_the_others_is_what_an_interrupt_would(tmp_path: Path) -> None:
    """It takes time on its own CPU alone."""
    others = task(2, 20, name="u") + task(2, 20, name="far", cpu=1)
    report = bounds(tmp_path, of_task((1, 10), run(1), 20, cpus=2) + others).rows
    found = {row.task: row.response_bound_ns for row in report}
    assert found == {"t": 10_000, "u": 32_223, "far": 20_000}


def test_with_all_of_its_share_asked_for_the_kernels_rounding_can_cost_a_budget(
    tmp_path: Path,
) -> None:
    """3 of 8 is 2,000 ns less than 2 of 5 in each interval, but rounding can add up to 2,048 ns."""
    near, apart = of_task((2, 5), run(3), 8), of_task((2, 5), run(3), 9)
    assert bounds(tmp_path, near).rows[0].response_bound_ns == 90_000  # 3 + 2 + 3 + 1
    assert bounds(tmp_path, apart).rows[0].response_bound_ns == 60_000
    assert "own: from an arrival on, t may have no time for 30us" in bounds(tmp_path, near).notes


@pytest.mark.parametrize(("run_ns", "response_ns"), [(29_952, 59_952), (29_953, 89_953)])
def test_a_job_leaves_two_units_of_the_kernel_or_it_does_not(
    tmp_path: Path, run_ns: int, response_ns: int
) -> None:
    """A job 2,048 ns below 2 of 5 in 80 us leaves enough. A nanosecond more costs a gap of 3
    units."""
    text = of_task((2, 5), f'"run {run_ns}ns"', 8)
    assert bounds(tmp_path, text).rows[0].response_bound_ns == response_ns


def test_each_task_whose_reservation_can_come_late_is_named(tmp_path: Path) -> None:
    one = of_task((2, 10), run(1), 40)
    other = one.replace("server.own", "server.other").replace('"own"', '"other"')
    other = other.replace("task.t]", "task.u]").replace("cpus = 1\n", "")
    notes = bounds(tmp_path, one + other).notes
    for server, name in (("own", "t"), ("other", "u")):
        assert f"{server}: from an arrival on, {name} may have no time for 80us" in notes


def test_reservations_that_may_be_late_leave_no_bound(tmp_path: Path) -> None:
    """All reservations together may have one CPU, however many CPUs they run on."""
    tasks = task(1, 40)
    assert why_late(described(tmp_path, reserved((5, 10), (5, 10), cpus=2) + tasks)) is None
    late = bounds(tmp_path, reserved((5, 10), (6, 10), cpus=2) + tasks)
    assert late.rows[0].response_bound_ns is None
    assert late.notes[-1] == (
        "ceiling: no bound for t: the reservations s0, s1 have 110.0% of a CPU; with 100% they "
        "keep their deadlines, whichever CPUs they run on"
    )


def test_ticks_are_overheads(tmp_path: Path) -> None:
    overheads = Overheads({Protocol.CEILING: Costs()}, tick_ns=4_000_000)
    report = bounds(tmp_path, reserved((1, 10)) + task(2, 2_000), overheads)
    assert report.rows[0].response_bound_ns == -(-(2 * 4_000_000 + 20_000 + 9_000) * 10 // 9)
    assert "reservations: budgets end up to 4ms late: 8ms more in each window" in report.notes
    several = bounds(tmp_path, reserved((1, 10), (1, 10)) + task(2, 5_000), overheads)
    assert several.rows[0].response_bound_ns == (6 * 4_000_000 + 20_000 + 2 * 18_000) * 10 // 8


def test_each_of_three_reservations_is_late_by_those_of_the_others(tmp_path: Path) -> None:
    """Each is late by two ticks for itself and a tick for each other reservation: 3 * (2 + 2)."""
    overheads = Overheads({Protocol.CEILING: Costs()}, tick_ns=7)
    system = described(tmp_path, reserved((1, 10), (1, 10), (1, 10)) + task(2, 2_000))
    assert taken_late_ns(system, overheads) == 12 * 7


def test_the_notes_name_each_reservation(tmp_path: Path) -> None:
    report = bounds(tmp_path, reserved((1, 10)) + task(2, 20))
    assert (
        "s0: the thread irq/N-device 0 comes before all tasks, with 10us in each 100us, 10.0% of a "
        "CPU" in report.notes
    )


def test_the_notes_name_the_task_of_a_reservation_and_no_gap_where_there_is_none(
    tmp_path: Path,
) -> None:
    """Alone, and with less to do than its share, the task has its budget as it arrives."""
    notes = bounds(tmp_path, of_task((1, 10), run(1), 20)).notes
    assert [note for note in notes if note.startswith("own: ")] == [
        "own: t comes before all tasks without a reservation, with 10us in each 100us, 10.0% of a "
        "CPU"
    ]


def test_a_run_in_other_times_keeps_the_pace_of_devices(tmp_path: Path) -> None:
    system: System = described(tmp_path, reserved((1, 10)) + task(2, 20))
    assert system.scaled(Fraction(10)).reservations == system.reservations
