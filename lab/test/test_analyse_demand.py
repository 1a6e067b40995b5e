# SPDX-License-Identifier: MIT
"""The processor demand test beside its definition, on random sets around the border."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import pytest

from plafond.analyse.demand import Failure, least_failure, synchronous_busy_ns
from plafond.analyse.due import due_bounds
from plafond.analyse.overheads import Costs
from plafond.analyse.supply import WHOLE_CPU, Supply
from plafond.analyse.window import Effort, NoWindowError
from plafond.analyse.workload import Section, Sporadic, Workload, workload_of
from plafond.describe.body import Lock, Run, Step, Unlock
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Interval, Resource, System, Task

SETS = 2_000  # of each seed
LONGEST = 1_000  # the longest busy period that is searched unit by unit

TASK = Task.made("", priority=1, interval=Interval(1, 1), deadline_ns=1)


def random_systems(seed: int, count: int) -> Iterator[System]:
    """Yield sets with loads up to 1, any deadlines, and nested sections.

    Most sets are brought to the border: deadlines and floors change until a unit less is late.
    """
    random = Random(seed)
    while count:
        system = random_system(random)
        busy = shortest_busy_period(system) if system.utilisation(0) <= 1 else LONGEST
        if busy < LONGEST:
            yield at_the_border(system, random) if random.random() < 0.8 else system
            count -= 1


def random_system(random: Random) -> System:
    names = [f"R{index}" for index in range(random.randint(0, 3))]
    tasks = [random_task(random, f"T{index}", names) for index in range(random.randint(1, 5))]
    if random.random() < 0.6:
        tasks = with_load(tasks, random.uniform(0.9, 1))
    if random.random() < 0.15:
        tasks = to_all_of_the_time(tasks)
    return with_floors(System("random", 1, 1, tuple(tasks), (), Scheduler.EDF), names, random)


def random_task(random: Random, name: str, resources: list[str]) -> Task:
    body = tuple(random_body(random, resources))
    cost = sum(step.duration_ns for step in body if isinstance(step, Run))
    interval = random.choice((4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60)) + random.choice((0, cost))
    deadline = max(1, round(interval * random.choice((0.2, 0.4, 0.7, 1, 1, 1.4, 2.5))))
    return TASK.changed(
        name=name, interval=Interval(interval, interval), deadline_ns=deadline, body=body
    )


def with_load(tasks: list[Task], load: float) -> list[Task]:
    factor = float(sum((task.utilisation for task in tasks), Fraction(0))) / load
    intervals = [max(1, round(task.least_interval_ns * factor)) for task in tasks]
    return [
        task.changed(interval=Interval(interval, interval))
        for task, interval in zip(tasks, intervals, strict=True)
    ]


def to_all_of_the_time(tasks: list[Task]) -> list[Task]:
    """Add a task that brings the load to exactly 1, unless its interval would exceed 240."""
    left = 1 - sum((task.utilisation for task in tasks), Fraction(0))
    if left <= 0 or left.denominator > 240:
        return tasks
    interval = Interval(left.denominator, left.denominator)
    body = (Run(left.numerator),)
    return [*tasks, TASK.changed(name="rest", interval=interval, deadline_ns=10**4, body=body)]


def random_body(random: Random, free: list[str]) -> Iterator[Step]:
    yield Run(random.choice((1, 1, 2, 3)))
    while free and random.random() < 0.6:
        yield from random_section(random, free)
        if random.random() < 0.3:
            yield Run(1)


def random_section(random: Random, free: list[str]) -> Iterator[Step]:
    resource = random.choice(free)
    others = [other for other in free if other != resource]
    yield Lock(resource)
    if random.random() < 0.7:
        yield Run(random.choice((1, 2, 4, 9)))
    while others and random.random() < 0.4:
        yield from random_section(random, others)
        if random.random() < 0.4:
            yield Run(random.randint(1, 3))
    yield Unlock(resource)


def with_floors(system: System, names: list[str], random: Random) -> System:
    """Return the system with floors at the users' deadlines, some of them lower."""

    def resource(name: str) -> Resource:
        users = [task for task in system.tasks if name in task.resources]
        floor = min((task.deadline_ns or 0 for task in users), default=10)
        given = random.random() < 0.4
        return Resource.made(
            name,
            users=tuple(task.name for task in users),
            floor=random.randint(max(1, floor // 2), floor) if given else floor,
        )

    return replace(system, resources=tuple(map(resource, names)))


def stretched(system: System, by: int, names: frozenset[str] | None = None) -> System:
    """Return the system with all floors and the deadlines of all tasks, or some, longer by `by`."""
    return replace(
        system,
        tasks=tuple(
            task.changed(deadline_ns=max(1, (task.deadline_ns or 0) + by))
            if names is None or task.name in names
            else task
            for task in system.tasks
        ),
        resources=tuple(r.changed(floor=max(1, (r.floor or 0) + by)) for r in system.resources),
    )


def at_the_border(system: System, random: Random) -> System:
    """Return the system with deadlines that just fit, or that are a unit too short."""
    names = frozenset(task.name for task in system.tasks if random.random() < 0.6)
    fits, late = LONGEST, -LONGEST
    while fits - late > 1:
        middle = (fits + late) // 2
        if verdict_of(stretched(system, middle, names)) is None:
            fits = middle
        else:
            late = middle
    return stretched(system, random.choice((fits, late)), names)


def shortest_busy_period(system: System) -> int:
    """Return the busy period by its definition, at most LONGEST."""
    jobs = [(task.least_interval_ns, task.run_ns) for task in system.tasks]
    for length in range(1, LONGEST):
        if sum(-(-length // interval) * cost for interval, cost in jobs) <= length:
            return length
    return LONGEST


def verdict_of(system: System) -> Failure | None:
    effort = Effort()
    effort.begin_row()
    workload = workload_of(system, 0, Costs())
    return least_failure(workload, synchronous_busy_ns(workload, effort), effort)


def longest_part(task: Task, resources: set[str]) -> int:
    """Return the longest stretch of a body inside a resource of the set, from the steps alone."""
    held: list[str] = []
    parts = [0]
    for step in task.body:
        if isinstance(step, Lock):
            held.append(step.resource)
        elif isinstance(step, Unlock):
            held.pop()
        elif isinstance(step, Run) and resources.intersection(held):
            parts[-1] += step.duration_ns
        if not resources.intersection(held):
            parts.append(0)
    return max(parts)


def defined_failure(system: System, until: int) -> Failure | None:
    """Return the first failure before `until` by the definition: compute the demand at every
    time."""
    demand = Counter[int]()
    blocking: dict[int, int] = {}
    for task in system.tasks:
        for due in range(task.deadline_ns or 0, until, task.least_interval_ns):
            demand[due] += task.run_ns
    changes = sorted({r.floor or 0 for r in system.resources})
    for floor in changes:
        resources = {r.name for r in system.resources if (r.floor or 0) <= floor}
        parts = [(task.deadline_ns or 0, longest_part(task, resources)) for task in system.tasks]
        for time in range(floor, until):
            blocking[time] = max((part for due, part in parts if due > time), default=0)
    needed = 0
    for time in range(min(task.deadline_ns or 0 for task in system.tasks), until):
        needed += demand[time]
        if needed + blocking.get(time, 0) > time:
            return Failure(time, needed, blocking.get(time, 0))
    return None


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 4, 5, 6))]
)
def test_the_verdict_is_that_of_every_time_of_the_busy_period(seed: int) -> None:
    seen = Counter[str]()
    for system in random_systems(seed, SETS):
        failure = verdict_of(system)
        # The search goes beyond the busy period, but no first failure lies there.
        until = 2 * shortest_busy_period(system) + 50
        assert failure == defined_failure(system, until), system
        seen["fits"] += failure is None
        seen["load above 0.95"] += Fraction(95, 100) < system.utilisation(0) < 1
        seen["load of 1"] += system.utilisation(0) == 1
        seen["nested"] += any(len(held) > 1 for task in system.tasks for _, held in task.held())
        if failure:
            longest_ns = max(task.deadline_ns or 0 for task in system.tasks)
            seen["one unit more fits"] += verdict_of(stretched(system, 1)) is None
            seen["late only by blocking"] += failure.demand_ns <= failure.window_ns
            seen["late at a floor that is no deadline"] += not is_deadline(system, failure)
            seen["late after all first deadlines"] += failure.window_ns > longest_ns
        else:
            seen["one unit less is late"] += verdict_of(stretched(system, -1)) is not None
    assert len(seen) == 9
    assert min(seen.values()) > 10, seen  # each seed meets all kinds


def is_deadline(system: System, failure: Failure) -> bool:
    times = [failure.window_ns - (task.deadline_ns or 0) for task in system.tasks]
    return any(
        time >= 0 and time % task.least_interval_ns == 0
        for time, task in zip(times, system.tasks, strict=True)
    )


def test_the_response_bounds_are_those_of_every_arrival_and_say_the_same() -> None:
    for system in random_systems(2, 300):
        effort = Effort()
        effort.begin_row()
        workload = workload_of(system, 0, Costs())
        busy = synchronous_busy_ns(workload, effort)
        bounds = [due_bounds(workload, task, busy, effort) for task in workload.jobs]
        assert [bound.response_ns for bound in bounds] == [
            max(defined_response(workload, index, arrival) for arrival in range(busy))
            for index in range(len(workload.jobs))
        ], system
        kept = all(
            bound.response_ns <= task.deadline_ns
            for bound, task in zip(bounds, workload.jobs, strict=True)
        )
        assert kept == (least_failure(workload, busy, effort) is None), system


def defined_response(workload: Workload, index: int, arrival: int) -> int:
    """Solve Spuri's equation for an arrival, from the shortest window on."""
    own = workload.jobs[index]
    due = arrival + own.deadline_ns
    window = 1
    while True:
        needed = workload.blocking_ns(due) + (arrival // own.interval_ns + 1) * own.cost_ns
        for other in (*workload.jobs[:index], *workload.jobs[index + 1 :]):
            if other.deadline_ns <= due:
                jobs = (due - other.deadline_ns) // other.interval_ns + 1
                needed += min(-(-window // other.interval_ns), jobs) * other.cost_ns
        if needed <= window:
            return window - arrival
        window = needed


def failure_of(workload: Workload) -> Failure | None:
    effort = Effort()
    effort.begin_row()
    return least_failure(workload, synchronous_busy_ns(workload, effort), effort)


def test_blocking_can_fail_between_deadlines() -> None:
    # A task enters a section of floor 6 at 0. It keeps back the task that arrives at 2 and is due
    # at 6.
    urgent, other, blocking = Sporadic(100, 4, 1), Sporadic(100, 10, 2), Sporadic(100, 50, 7)
    workload = Workload((urgent, other, blocking), (Section(6, 50, 7),))

    assert failure_of(workload) == Failure(6, 1, 7)


def test_the_quick_analysis_of_deadlines_alone_would_pass_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def last_deadline(workload: Workload, before_ns: int) -> int | None:
        without = replace(workload, sections=())
        return of_both(without, before_ns)

    of_both = Workload.last_change_ns
    monkeypatch.setattr(Workload, "last_change_ns", last_deadline)
    test: Workload = Workload(
        (Sporadic(100, 4, 1), Sporadic(100, 10, 2), Sporadic(100, 50, 7)), (Section(6, 50, 7),)
    )
    assert failure_of(test) is None


def test_a_section_counts_up_to_the_deadline_of_its_task_not_from_its_place() -> None:
    # The place of the section in its job must not count. If a section 6 into a job due after 12
    # could not block windows of 6 or more, h + B would fall from 7 to 2. The quick analysis, from 7
    # on, would miss the failure at 4.
    jobs = (Sporadic(100, 4, 1), Sporadic(100, 7, 1), Sporadic(100, 12, 9))

    assert failure_of(Workload(jobs, (Section(4, 12, 5),))) == Failure(4, 1, 5)
    assert failure_of(Workload(jobs, (Section(4, 6, 5),))) is None


def test_time_that_the_processor_is_away_counts_in_every_window() -> None:
    workload = Workload((Sporadic(10, 5, 3),), (), away_ns=2)

    assert failure_of(workload) is None
    assert failure_of(replace(workload, away_ns=3)) == Failure(5, 3, 0)


@pytest.mark.parametrize(
    ("jobs", "supply", "why"),
    [
        ((Sporadic(3, 3, 2), Sporadic(3, 3, 2)), WHOLE_CPU, "more time than there is"),
        (
            (Sporadic(999_983, 10**9, 499_992), Sporadic(1_999_967, 10**9, 999_983)),
            WHOLE_CPU,
            "more time than there is|too long to follow",
        ),
        # The tasks need all of the time, and the second task can be released late.
        (
            (Sporadic(4, 4, 2), Sporadic(4, 4, 2, jitter_ns=1)),
            WHOLE_CPU,
            "more time than there is",
        ),
        # The task needs all budgets, and the first period has no budget left.
        ((Sporadic(4, 8, 2),), Supply(4, 2, lost_ns=1, delay_ns=2), "more time than there is"),
    ],
)
def test_no_busy_period(jobs: tuple[Sporadic, ...], supply: Supply, why: str) -> None:
    with pytest.raises(NoWindowError, match=why):
        failure_of(Workload(jobs, (), supply=supply))


def test_all_of_a_supply_that_loses_nothing_can_be_asked_for() -> None:
    slot = Supply(4, 2, lost_ns=0, delay_ns=2)

    assert failure_of(Workload((Sporadic(4, 8, 2),), (), supply=slot)) is None


@pytest.mark.parametrize(
    ("search", "spent"),
    [
        # Windows of 1 and 5; in each the jobs of both tasks.
        (synchronous_busy_ns, 2 * 2),
        # Windows of 6 and 5; in each both tasks and three sections.
        (partial(least_failure, busy_ns=7), 2 * 5),
        # Two deadlines: at 5, with windows of 1 and 5, and at 6, with windows of 5 and 8.
        (lambda all_, effort: due_bounds(all_, all_.jobs[0], 6, effort=effort), 4 * 5),
    ],
)
def test_a_search_ends_when_its_effort_is_spent(search: Callable[..., object], spent: int) -> None:
    sections = (Section(5, 9, 1), Section(5, 9, 2), Section(5, 9, 3))
    workload = Workload((Sporadic(6, 5, 2), Sporadic(100, 6, 3)), sections)
    enough, less = Effort(row=spent), Effort(row=spent - 1)
    enough.begin_row()
    less.begin_row()

    search(workload, effort=enough)

    with pytest.raises(NoWindowError, match="too long to follow"):
        search(workload, effort=less)


def test_rows_share_the_effort_that_all_have() -> None:
    effort = Effort(row=10, whole=27)
    effort.begin_row()
    effort.spend(10)
    effort.begin_row(2)  # twice 10, but 17 of the whole are left

    effort.spend(17)

    with pytest.raises(NoWindowError, match="too long to follow"):
        effort.spend(1)
