# SPDX-License-Identifier: MIT
"""Tests of EDF on several processors, by hand (proof/analysis compares them with schedules)."""

from itertools import product
from random import Random

import numpy as np
import pytest

from plafond.analyse.multiprocessor import baruah, bcl, gfb, one_cpu, packing, soft, union
from plafond.analyse.multiprocessor.packing import pack
from plafond.analyse.multiprocessor.task_set import TaskSet

Row = tuple[int, int, int]
MS = 1_000_000


def implicit(*tasks: tuple[int, int]) -> TaskSet:
    return TaskSet.of((cost, interval, interval) for cost, interval in tasks)


# ---- Shares --------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [(0, 1, 1), (1, 0, 1), (1, 2, 1), (-1, 3, 3)])
def test_a_task_that_is_none_is_refused(row: Row) -> None:
    with pytest.raises(ValueError, match="expected a cost above 0 and a deadline up to"):
        TaskSet.of([row])


def test_shares_are_exact_where_floats_are_not() -> None:
    # Seven tasks of a seventh each, with intervals that share no factor.
    intervals = [7 * prime for prime in (3_000_017, 3_000_029, 3_000_047, 3_000_061, 3_000_073)]
    tasks = implicit(*[(interval // 7, interval) for interval in intervals], (2, 7))

    assert sum(tasks.utilisations) == tasks.unit
    assert one_cpu.is_schedulable(tasks)
    assert soft.is_schedulable(tasks, 1)
    assert not one_cpu.is_schedulable(
        implicit(*zip((1, *tasks.costs_ns), (10**9, *tasks.intervals_ns), strict=True))
    )


def test_a_set_of_just_all_processors_is_soft_and_one_nanosecond_more_is_not() -> None:
    full = [(10 * MS, 10 * MS), (7 * MS, 7 * MS)]

    assert soft.is_schedulable(implicit(*full), 2)
    assert not soft.is_schedulable(implicit(*full, (1, 3_600_000 * MS)), 2)
    assert not soft.is_schedulable(implicit((10 * MS + 1, 10 * MS)), 2)


def test_a_part_and_an_inflated_set_have_the_same_unit() -> None:
    tasks = TaskSet.of([(1, 4, 6), (2, 5, 7), (3, 3, 8)])

    assert tasks.part([2, 0]).utilisations == (tasks.utilisations[2], tasks.utilisations[0])
    assert (
        tasks.inflated(2).utilisations == TaskSet.of([(3, 4, 6), (4, 5, 7), (5, 3, 8)]).utilisations
    )
    assert tasks.densities == (tasks.unit // 4, 2 * tasks.unit // 5, tasks.unit)


# ---- The tests of global EDF ---------------------------------------------------------------------


def test_gfb_is_met_at_the_bound_and_not_above() -> None:
    # Dhall's effect: two short tasks, and a task that needs nearly all of a processor.
    assert gfb.is_schedulable(implicit((1, 2), (1, 2), (1, 2)), 2)  # 3/2 = 2 - 1/2
    assert not gfb.is_schedulable(implicit((1, 2), (1, 2), (1, 2), (1, 10**9)), 2)
    assert not gfb.is_schedulable(implicit((2, 10), (2, 10), (10, 11)), 2)


def test_bcl_takes_as_many_heavy_tasks_as_there_are_processors() -> None:
    assert bcl.is_schedulable(implicit((9, 10), (10, 11)), 2)
    assert bcl.is_schedulable(implicit((10, 10), (11, 11)), 2)  # no slack, and no contention
    assert not gfb.is_schedulable(implicit((9, 10), (10, 11)), 2)
    assert not bcl.is_schedulable(implicit((10, 10), (11, 11), (1, 12)), 2)


def test_what_a_task_does_in_a_window_at_most() -> None:
    # Jobs are due at the window's end and an interval before it. The job before counts as far as it
    # is in the window.
    assert bcl.most_work_ns(4, 8, 10, 30) == 2 * 4 + 4 + 0
    assert bcl.most_work_ns(4, 8, 10, 22) == 2 * 4 + 2
    assert bcl.most_work_ns(4, 8, 10, 7) == 4
    assert bcl.most_work_ns(4, 8, 10, 3) == 3


@pytest.mark.parametrize("test", [gfb, bcl, baruah, union])
def test_three_jobs_for_which_there_is_no_time_are_refused(test: object) -> None:
    tasks = TaskSet.of([(2, 2, 100), (2, 2, 100), (1, 2, 100)])

    assert not test.is_schedulable(tasks, 2)  # type: ignore[attr-defined]


def fails_as_written(rows: list[Row], place: int, cpus: int, window: int) -> bool:
    """Whether condition 8 fails, term by term. Equal sides fail if `cpus` tasks carry in more than
    x."""
    cost, deadline, _ = rows[place]
    x, before = window - cost, window - deadline
    without, extra, above = [], [], 0
    for other, (c, d, t) in enumerate(rows):
        due = max(0, (window - d) // t + 1) * c
        carried = window // t * c + min(c, window % t)
        own = other == place
        first = min(due - c, before) if own else min(due, x)
        second = min(carried - c, before) if own else min(carried, x)
        without.append(first)
        extra.append(second - first)
        above += not own and carried > x
    most = sum(without) + sum(sorted(extra, reverse=True)[: cpus - 1])
    return most > cpus * x or (most == cpus * x and above >= cpus)


def some_rows(random: Random) -> list[Row]:
    def row() -> Row:
        interval = random.randint(2, 12)
        deadline = random.randint(1, interval)
        return random.randint(1, deadline), deadline, interval

    return [row() for _ in range(random.randint(2, 5))]


# These sets fail only in windows that begin before the arrival.
LATER: list[tuple[list[Row], int]] = [
    ([(5, 6, 6), (1, 2, 9), (5, 7, 10), (3, 4, 5)], 3),
    ([(4, 6, 9), (1, 2, 6), (7, 10, 10), (1, 4, 12)], 2),
    ([(2, 3, 3), (1, 2, 5), (3, 4, 4)], 2),
]


def failing_windows(rows: list[Row], cpus: int, longest: int) -> list[tuple[int, int]]:
    return [
        (place, window)
        for place, row in enumerate(rows)
        for window in range(row[1], longest)
        if fails_as_written(rows, place, cpus, window)
    ]


@pytest.mark.parametrize(("rows", "cpus"), LATER)
def test_baruah_looks_beyond_the_arrival(rows: list[Row], cpus: int) -> None:
    fails = failing_windows(rows, cpus, 50)

    assert fails
    assert all(window > rows[place][1] for place, window in fails)
    assert not baruah.is_schedulable(TaskSet.of(rows), cpus)


def test_baruah_looks_at_enough_windows() -> None:
    """The verdict agrees with all windows of whole units up to 150, far beyond the usual last
    window."""
    random = Random(1)
    accepted = refused = 0
    for _ in range(150):
        rows, cpus = some_rows(random), random.randint(2, 4)
        tasks = TaskSet.of(rows)
        if sum(tasks.utilisations) < cpus * tasks.unit:
            is_accepted = not failing_windows(rows, cpus, 150)
            assert baruah.is_schedulable(tasks, cpus) == is_accepted, (rows, cpus)
            accepted, refused = accepted + is_accepted, refused + (not is_accepted)
    assert min(accepted, refused) > 20


def test_baruah_reckons_each_window_as_written() -> None:
    random = Random(2)
    for _ in range(100):
        rows, cpus = some_rows(random), random.randint(1, 4)
        columns = baruah.Columns.of(TaskSet.of(rows))
        for place, row in enumerate(rows):
            windows = np.arange(row[1], 60, dtype=np.int64)
            found = baruah.failing(columns, place, cpus, windows).tolist()
            assert found == [fails_as_written(rows, place, cpus, int(w)) for w in windows]


def test_baruah_gives_up_where_there_are_too_many_windows() -> None:
    almost = [(10 * MS - 1, 10 * MS, 10 * MS), (10 * MS, 10 * MS, 10 * MS)]

    assert not baruah.is_schedulable(TaskSet.of(almost), 2)  # 2 - U is 10^-7
    assert not baruah.is_schedulable(implicit((1, 1), (1, 1)), 2)  # 2 - U is 0: no last window
    assert union.is_schedulable(TaskSet.of(almost), 2)


def test_the_union_accepts_what_some_test_accepts() -> None:
    random = Random(3)
    only_bcl = implicit((10, 10), (11, 11))
    verdicts = {tuple(test.is_schedulable(only_bcl, 2) for test in (gfb, bcl, baruah))}
    assert union.is_schedulable(only_bcl, 2)
    for _ in range(600):
        tasks = TaskSet.of(some_rows(random))
        says = tuple(test.is_schedulable(tasks, 2) for test in (gfb, bcl, baruah))
        assert union.is_schedulable(tasks, 2) == any(says)
        verdicts.add(says)
    assert {(True, True, True), (False, True, False), (False, False, True)} < verdicts


# ---- One processor, and packing ------------------------------------------------------------------


def test_one_processor_is_exact() -> None:
    assert one_cpu.is_schedulable(TaskSet.of([(1, 2, 2), (2, 4, 4)]))
    assert one_cpu.is_schedulable(TaskSet.of([(1, 1, 2), (1, 3, 4)]))
    assert not one_cpu.is_schedulable(TaskSet.of([(1, 1, 2), (2, 2, 4)]))


def test_packing_is_first_fit_by_decreasing_utilisation() -> None:
    tasks = implicit((3, 10), (6, 10), (5, 10), (4, 10))

    assert pack(tasks, 2, 1, one_cpu.is_schedulable) == [[1, 3], [2, 0]]
    assert pack(tasks, 1, 2, soft.is_schedulable) == [[1, 2, 3, 0]]
    assert pack(implicit((6, 10), (6, 10), (6, 10)), 2, 1, one_cpu.is_schedulable) is None


def test_a_cluster_of_all_takes_what_partitions_do_not() -> None:
    tasks = implicit((6, 10), (6, 10), (6, 10))

    assert [packing.bounded(tasks, clusters, 2 // clusters) for clusters in (1, 2)] == [True, False]


@pytest.mark.parametrize(("clusters", "cpus"), [*product((1, 2, 4), (1, 2))])
def test_an_empty_set_is_schedulable(clusters: int, cpus: int) -> None:
    nothing = TaskSet.of([])

    assert packing.hard(nothing, clusters, cpus)
    assert packing.bounded(nothing, clusters, cpus)


def test_a_task_that_fits_into_no_empty_cluster_ends_the_packing() -> None:
    asked: list[int] = []

    def refuse(tasks: TaskSet, _: int) -> bool:
        asked.append(len(tasks))
        return False

    assert pack(implicit((1, 2)), 4, 1, refuse) is None
    assert asked == [1]
