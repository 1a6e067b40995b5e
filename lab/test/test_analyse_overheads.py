# SPDX-License-Identifier: MIT
"""Each overhead is in its place in a bound."""

from dataclasses import replace

import pytest

from plafond.analyse.analysis import analyse, protocols_under
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads, ServerCosts
from plafond.describe.kernel import Scheduler
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Sleep,
    Step,
    System,
    Task,
    Unlock,
)
from plafond.protocols import Protocol

SECTION = (Lock("R"), Run(100), Unlock("R"))
FREE = Costs()


def task(name: str, priority: int, *body: Step) -> Task:
    interval = Interval(1_000_000, 1_000_000)
    return Task.made(name, priority=priority, interval=interval, deadline_ns=1_000_000, body=body)


def overheads(costs: Costs = FREE, noise: tuple[tuple[int, int], ...] = ()) -> Overheads:
    return Overheads(dict.fromkeys(Protocol, costs), noise)


def bounds(
    protocol: Protocol, added: Overheads, *tasks: Task, ceiling: int = 9
) -> list[tuple[int | None, int | None]]:
    users = tuple(each.name for each in tasks if each.resources)
    system = System("system", 1, 1, tasks, (Resource.made("R", ceiling=ceiling, users=users),))
    rows = analyse(system, [protocol], added).rows
    return [(row.blocking_bound_ns, row.response_bound_ns) for row in rows]


def edf_task(name: str, deadline_ns: int, *body: Step) -> Task:
    return task(name, 1, *body).changed(deadline_ns=deadline_ns)


def edf_bounds(added: Overheads, *tasks: Task) -> list[int | None]:
    system = System("system", 1, 1, tasks, (), Scheduler.EDF)
    return [row.response_bound_ns for row in analyse(system, overheads=added).rows]


def demand_schedulable(system: System, costs: Costs) -> list[bool]:
    report = analyse(system, overheads=overheads(costs))
    return [row.schedulable for row in report.demand]


def test_nothing_added_is_the_plain_formula() -> None:
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    for protocol in protocols_under(Scheduler.PRIORITY):
        resource = Resource.made("R", ceiling=2, users=("high", "low"))
        plain = analyse(System("s", 1, 1, tasks, (resource,)), [protocol])
        expected = [(row.blocking_bound_ns, row.response_bound_ns) for row in plain.rows]
        assert bounds(protocol, overheads(), *tasks, ceiling=2) == expected


# Each bound contains the longest piece of the kernel's work once, because a piece may have begun
# before.


def test_a_pair_counts_in_the_job_and_in_the_tasks_that_it_blocks() -> None:
    pair = overheads(Costs(pair_ns=7))
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.CEILING, pair, *tasks) == [(107 + 7, 214 + 7), (7, 214 + 7)]
    assert bounds(Protocol.INHERIT, pair, *tasks) == [(107 + 7, 214 + 7), (7, 214 + 7)]
    assert bounds(Protocol.NONE, pair, *tasks) == [(None, 214 + 7), (None, 214 + 7)]


def test_a_delay_costs_where_a_section_can_delay_another_task() -> None:
    delay = overheads(Costs(preempted_ns=11))
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    # At the priority of `high`, the ceiling keeps no task from preempting.
    assert bounds(Protocol.CEILING, delay, *tasks, ceiling=2) == [(122, 222), (11, 222)]
    assert bounds(Protocol.CEILING, delay, *tasks, ceiling=3) == [(122, 233), (11, 233)]
    # Under inheritance a less urgent task that runs meanwhile may wait, too.
    assert bounds(Protocol.INHERIT, delay, *tasks) == [(122, 233), (11, 233)]
    assert bounds(Protocol.INHERIT, delay, tasks[0]) == [(11, 111)]


def test_an_arrival_costs_where_a_section_delays_no_other_task() -> None:
    disturbed = overheads(Costs(disturbed_ns=13))
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.CEILING, disturbed, *tasks, ceiling=2)[0] == (100 + 13, 213 + 13)
    assert bounds(Protocol.CEILING, disturbed, tasks[0], ceiling=2) == [(13, 113 + 13)]


def test_a_section_delays_the_users_of_other_names_of_its_resource_under_inheritance() -> None:
    tasks = (
        task("high", 2, *SECTION),
        task("low", 1, Lock("L"), Run(100), Unlock("L")),
    )
    names = frozenset({"R", "L"})
    resources = (
        Resource.made("R", ceiling=2, users=("high",), names=names),
        Resource.made("L", ceiling=2, users=("low",), names=names, linked="R"),
    )
    system = System("system", 1, 1, tasks, resources)
    rows = analyse(system, [Protocol.INHERIT], overheads(Costs(preempted_ns=11))).rows

    assert [(row.blocking_bound_ns, row.response_bound_ns) for row in rows] == [
        (111 + 11, 222 + 11),
        (11, 222 + 11),
    ]


def test_every_lower_task_that_blocks_costs_a_delay_under_inheritance() -> None:
    delay = overheads(Costs(preempted_ns=11))
    twice = task("high", 3, *SECTION, *SECTION)
    tasks = (twice, task("mid", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.INHERIT, delay, *tasks)[0] == (222 + 11, 444 + 11)


WAKE_UP = Costs(interrupt_ns=1, activation_ns=2, switch_ns=4)


def test_every_wake_up_costs_and_the_interrupts_of_less_urgent_tasks() -> None:
    wake_up = overheads(WAKE_UP)

    assert bounds(Protocol.CEILING, wake_up, task("alone", 1, Run(100))) == [(7, 107 + 7)]
    # A piece of the kernel's work can delay each wake-up.
    assert bounds(Protocol.CEILING, wake_up, task("alone", 1, Run(50), Sleep(9), Run(50))) == [
        (14, 109 + 2 * 7 + 2 * 7)
    ]
    high, low = bounds(
        Protocol.CEILING, wake_up, task("high", 2, Run(100)), task("low", 1, Run(50), Sleep(9))
    )
    # `low` interrupts at its release and at the end of its sleep, and once more for a job before.
    assert high == (7, 107 + 7 + 2 * 1 + 1)
    assert low == (14, 107 + 59 + 2 * 7 + 2 * 7)


def test_nothing_is_said_of_caches_where_no_task_has_a_working_set() -> None:
    system = System("system", 1, 1, (task("alone", 1, Run(100)),), ())
    notes = analyse(system, [Protocol.CEILING], overheads(WAKE_UP)).notes
    assert not any("working sets" in note for note in notes)


def test_the_kernel_may_work_before_a_busy_period_of_all_tasks() -> None:
    wake_up = overheads(WAKE_UP)

    assert bounds(Protocol.NONE, wake_up, task("alone", 1, Run(100))) == [(None, 107 + 7)]


def test_under_edf_interrupts_count_whenever_their_jobs_are_due() -> None:
    wake_up = overheads(WAKE_UP)
    soon = edf_task("soon", 500, Run(100))
    late = edf_task("late", 900_000, Run(200))

    # The job with activation and switch, the interrupts of both tasks, and the longest piece.
    assert edf_bounds(wake_up, soon, late)[0] == 100 + 6 + 2 * 1 + 7
    assert edf_bounds(wake_up, soon, late)[1] == 300 + 2 * 6 + 2 * 1 + 7


def test_under_edf_a_floor_below_the_own_deadline_can_delay() -> None:
    delay = overheads(Costs(preempted_ns=11))
    tasks = (edf_task("soon", 5_000, *SECTION), edf_task("late", 900_000, *SECTION))

    def bound_of_late(floor_ns: int) -> int | None:
        resource = Resource.made("R", users=("soon", "late"), floor=floor_ns)
        system = System("system", 1, 1, tasks, (resource,), Scheduler.EDF)
        return analyse(system, overheads=delay).rows[1].response_bound_ns

    assert bound_of_late(5_000) == 200 + 11 + 11  # a single delay, and the longest piece
    assert bound_of_late(4_999) == 200 + 2 * 11 + 11


def test_under_edf_overheads_make_a_deadline_late() -> None:
    soon, late = edf_task("soon", 109, Run(100)), edf_task("late", 900_000, Run(200))
    system = System("system", 1, 1, (soon, late), (), Scheduler.EDF)

    # The job, its activation and switch, two interrupts, and the longest piece.
    assert demand_schedulable(system, Costs(1, 2, 1)) == [True]  # 100 + 3 + 2 + 4
    assert demand_schedulable(system, Costs(1, 2, 2)) == [False]  # 100 + 4 + 2 + 5


@pytest.mark.parametrize(
    "some",
    [
        Overheads({Protocol.CEILING: FREE, Protocol.INHERIT: Costs(disturbed_ns=1)}),
        Overheads({Protocol.CEILING: FREE}, noise=((10, 1),)),
        Overheads({Protocol.CEILING: FREE}, step_ns=1),
        Overheads({Protocol.CEILING: FREE}, global_mutex=GlobalMutex(1, 0)),
        Overheads({Protocol.CEILING: FREE}, servers=ServerCosts(0, 1)),
        Overheads({Protocol.CEILING: FREE}, caches_ns={"one": 0, "other": 1}),
    ],
)
def test_any_single_cost_is_some(some: Overheads) -> None:
    assert not some.are_none
    assert Overheads({Protocol.CEILING: FREE, Protocol.NONE: FREE}, caches_ns={"one": 0}).are_none


def test_a_slow_processor_takes_longer_for_each_cost_and_the_same_for_the_rest() -> None:
    given = Overheads(
        {Protocol.CEILING: Costs(1, 2, 3, 4, 5, 6), Protocol.INHERIT: Costs(pair_ns=10)},
        noise=((10, 1),),
        step_ns=11,
        global_mutex=GlobalMutex(20, 31),
        servers=ServerCosts(40, 51),
        tick_ns=100,
        caches_ns={"one": 100},
    )
    assert given.slowed(1) == given
    assert given.slowed(1.5) == replace(
        given,
        costs={Protocol.CEILING: Costs(2, 3, 5, 6, 8, 9), Protocol.INHERIT: Costs(pair_ns=15)},
        step_ns=17,
        global_mutex=GlobalMutex(30, 47),
        servers=ServerCosts(60, 77),
    )
    assert overheads().slowed(2) == overheads()


def test_each_run_step_lasts_longer_by_the_same() -> None:
    steps = Overheads(dict.fromkeys(Protocol, FREE), step_ns=3)

    assert bounds(Protocol.CEILING, steps, task("alone", 1, Run(50), Run(50))) == [(0, 106)]


def test_noise_is_read_from_the_curve_and_repeats_beyond_it() -> None:
    noise = overheads(noise=((10, 3), (200, 20)))

    assert [noise.stolen_ns(window) for window in (1, 10, 11, 200, 201, 400, 401)] == [
        3, 3, 20, 20, 40, 40, 60,
    ]  # fmt: skip
    assert bounds(Protocol.CEILING, noise, task("short", 1, Run(5))) == [(0, 8)]
    assert bounds(Protocol.CEILING, noise, task("long", 1, Run(190))) == [(0, 230)]
    assert bounds(Protocol.NONE, noise, task("long", 1, Run(190))) == [(None, 230)]


@pytest.mark.parametrize(
    ("costs", "piece_ns"),
    [
        (Costs(interrupt_ns=1, activation_ns=2, switch_ns=4, pair_ns=2, preempted_ns=6), 8),
        (Costs(interrupt_ns=1, activation_ns=2, switch_ns=4, pair_ns=2, disturbed_ns=6), 8),
        (Costs(interrupt_ns=1, activation_ns=2, switch_ns=4, pair_ns=2, preempted_ns=4), 7),
    ],
)
def test_a_piece_is_a_wake_up_or_a_section_if_that_is_longer(costs: Costs, piece_ns: int) -> None:
    assert costs.piece_ns == piece_ns
    assert bounds(Protocol.CEILING, overheads(costs), task("alone", 1, Run(100))) == [
        (piece_ns, 100 + 7 + piece_ns)
    ]


def test_a_machine_without_gaps_of_its_own_has_no_noise_without_its_host() -> None:
    noise = overheads(noise=((10, 3),))

    assert replace(noise, short_noise=()).without_host().noise == ()
    assert noise.without_host().noise == ((10, 3),)


def test_noise_that_takes_all_time_leaves_no_bound() -> None:
    assert bounds(Protocol.CEILING, overheads(noise=((10, 10),)), task("t", 1, Run(5))) == [
        (None, None)
    ]


@pytest.mark.parametrize(
    "noise", [((0, 1),), ((10, 1), (10, 2)), ((20, 1), (10, 2)), ((10, 2), (20, 1))]
)
def test_a_curve_that_is_none_is_refused(noise: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="ascending"):
        overheads(noise=noise)
