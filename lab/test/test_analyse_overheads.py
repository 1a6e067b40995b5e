# SPDX-License-Identifier: MIT
"""Each overhead where it belongs in a bound."""

import pytest

from plafond.analyse.analysis import analyse, protocols_under
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe.kernel import Scheduler
from plafond.describe.system import (
    Interval,
    Lock,
    Pending,
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
FREE = Costs(0, 0, 0)


def task(name: str, priority: int, *body: Step) -> Task:
    interval = Interval(1_000_000, 1_000_000)
    return Task(name, priority, 0, interval, 0, 1_000_000, None, Pending.QUEUE, body)


def overheads(
    costs: Costs = FREE, noise: tuple[tuple[int, int], ...] = (), calibration_ppm: int = 0
) -> Overheads:
    return Overheads(dict.fromkeys(Protocol, costs), noise, calibration_ppm)


def bounds(
    protocol: Protocol, added: Overheads, *tasks: Task, ceiling: int = 9
) -> list[tuple[int | None, int | None]]:
    users = tuple(each.name for each in tasks if each.resources)
    system = System("system", 1, 1, tasks, (Resource("R", ceiling, users),))
    rows = analyse(system, [protocol], added).rows
    return [(row.blocking_bound_ns, row.response_bound_ns) for row in rows]


def test_nothing_added_is_the_plain_formula() -> None:
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    for protocol in protocols_under(Scheduler.PRIORITY):
        plain = analyse(System("s", 1, 1, tasks, (Resource("R", 2, ("high", "low")),)), [protocol])
        expected = [(row.blocking_bound_ns, row.response_bound_ns) for row in plain.rows]
        assert bounds(protocol, overheads(), *tasks, ceiling=2) == expected


def test_a_pair_counts_in_the_job_and_in_whom_it_blocks() -> None:
    pair = overheads(Costs(pair_ns=7, preempted_ns=0, release_ns=0))
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.CEILING, pair, *tasks) == [(107, 214), (0, 214)]
    assert bounds(Protocol.INHERIT, pair, *tasks) == [(107, 214), (0, 214)]
    assert bounds(Protocol.NONE, pair, *tasks) == [(None, 214), (None, 214)]


def test_a_delay_costs_where_a_section_can_delay_somebody() -> None:
    delay = overheads(Costs(pair_ns=0, preempted_ns=11, release_ns=0))
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    # At its own priority, the ceiling keeps nobody from preempting.
    assert bounds(Protocol.CEILING, delay, *tasks, ceiling=2) == [(111, 211), (0, 211)]
    assert bounds(Protocol.CEILING, delay, *tasks, ceiling=3) == [(111, 222), (0, 222)]
    # Inheritance: a less urgent task that runs meanwhile may wait as well.
    assert bounds(Protocol.INHERIT, delay, *tasks) == [(111, 222), (0, 222)]
    assert bounds(Protocol.INHERIT, delay, tasks[0]) == [(0, 100)]


def test_every_lower_task_that_blocks_costs_a_delay_under_inheritance() -> None:
    delay = overheads(Costs(pair_ns=0, preempted_ns=11, release_ns=0))
    tasks = (task("high", 3, *SECTION), task("mid", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.INHERIT, delay, *tasks)[0] == (222, 333)


def test_every_wake_up_costs_also_those_of_less_urgent_tasks() -> None:
    release = overheads(Costs(pair_ns=0, preempted_ns=0, release_ns=5))

    assert bounds(Protocol.CEILING, release, task("alone", 1, Run(100))) == [(0, 105)]
    assert bounds(Protocol.CEILING, release, task("alone", 1, Run(50), Sleep(9), Run(50))) == [
        (0, 119)
    ]
    high, low = bounds(
        Protocol.CEILING, release, task("high", 2, Run(100)), task("low", 1, Run(50), Sleep(9))
    )
    # Its release and its sleep's end, and a sleep's end of a job before.
    assert high == (0, 105 + 2 * 5 + 5)
    assert low == (0, 105 + 50 + 9 + 2 * 5)


def test_calibration_lengthens_runs_and_holds_upwards() -> None:
    slow = overheads(calibration_ppm=5_001)
    tasks = (task("high", 2, *SECTION), task("low", 1, *SECTION))

    assert bounds(Protocol.CEILING, slow, *tasks)[0] == (101, 202)


def test_noise_is_read_from_the_curve_and_repeats_beyond_it() -> None:
    noise = overheads(noise=((10, 3), (200, 20)))

    assert [noise.stolen_ns(window) for window in (1, 10, 11, 200, 201, 401)] == [
        3, 3, 20, 20, 40, 60,
    ]  # fmt: skip
    assert bounds(Protocol.CEILING, noise, task("short", 1, Run(5))) == [(0, 8)]
    assert bounds(Protocol.CEILING, noise, task("long", 1, Run(190))) == [(0, 230)]
    assert bounds(Protocol.NONE, noise, task("long", 1, Run(190))) == [(None, 230)]


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
