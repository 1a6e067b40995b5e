# SPDX-License-Identifier: MIT
"""Servers and tasks that cannot move to slots: a message names them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import starmap

import pytest
from test_analyse_slots import BOARDS, MS, with_priorities

from plafond.analyse.guests import guests_of
from plafond.analyse.slots import derive_slots
from plafond.describe import load
from plafond.describe.server import ServerKind
from plafond.describe.system import Interval, Run, Sleep, System, Task
from plafond.errors import ArgumentError

Change = Callable[[Task], Task]
CHANGES: list[tuple[Change, str]] = [
    (lambda task: task.changed(server=None), "in no server; expected a slot for each task"),
    (lambda task: task.changed(body=()), "without run steps or arrivals alone"),
    (lambda task: task.changed(interval=None), "without run steps or arrivals alone"),
    (lambda task: task.changed(deadline_ns=199 * MS), "due after 199ms"),
    (lambda task: task.changed(jitter_ns=1), "with release jitter"),
    (lambda task: task.changed(body=(Run(MS), Sleep(MS))), ", which locks or sleeps"),
]


def changed(system: System, names: set[str], change: Change) -> System:
    tasks = (change(task) if task.name in names else task for task in system.tasks)
    return replace(system, tasks=tuple(tasks))


@pytest.mark.parametrize("name", ["t1", "t4"])
@pytest.mark.parametrize(("change", "why"), CHANGES)
def test_what_no_task_may_have_is_found_in_the_first_and_in_the_last(
    name: str, change: Change, why: str
) -> None:
    with pytest.raises(ArgumentError, match=f"--slots: found {name}.*{why}"):
        guests_of(changed(load(BOARDS), {name}, change))


@pytest.mark.parametrize("name", ["one", "two"])
def test_what_no_server_may_have_is_found_in_the_first_and_in_the_last(name: str) -> None:
    system = load(BOARDS)

    def with_servers(**given: object) -> System:
        servers = (s.changed(**given) if s.name == name else s for s in system.servers)
        return replace(system, servers=tuple(servers))

    with pytest.raises(ArgumentError, match="found slots on several CPUs; expected those of one"):
        guests_of(with_servers(cpu=1))
    with pytest.raises(ArgumentError, match=f"found no clock of {name}; expected one of each"):
        guests_of(with_servers(clock_mhz=None))
    with pytest.raises(ArgumentError, match=f"found {name}, which is idling; expected slots"):
        guests_of(with_servers(kind=ServerKind.IDLING))


def test_without_any_clock_all_boards_are_as_fast() -> None:
    system = load(BOARDS)
    system = replace(system, servers=tuple(s.changed(clock_mhz=None) for s in system.servers))
    assert [guest.normalisation for guest in guests_of(system)] == [1, 1]
    assert derive_slots(system).host_mhz is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_server_without_tasks_needs_no_slot(place: int) -> None:
    system = load(BOARDS)
    servers = [*system.servers]
    servers.insert(place, servers[0].changed(clock_mhz=50).named("none"))
    found = guests_of(replace(system, servers=tuple(servers)))
    assert [(guest.server.name, int(guest.normalisation)) for guest in found] == [
        *(("one", 3), ("two", 9))
    ]


@pytest.mark.parametrize(("urgent", "other"), [("t1", "t2"), ("t3", "t4")])
def test_priorities_are_rate_monotonic_in_each_server(urgent: str, other: str) -> None:
    swapped = {urgent: 10, other: 20}
    tasks = [t.changed(priority=swapped.get(t.name, t.priority)) for t in with_priorities().tasks]
    tasks.sort(key=lambda task: -task.priority)
    system = replace(with_priorities(), tasks=tuple(tasks))
    with pytest.raises(ArgumentError, match=f"found {other} more urgent than {urgent}, which"):
        guests_of(system)


def test_of_two_that_come_as_often_either_may_be_more_urgent() -> None:
    system = changed(
        with_priorities(),
        {"t1", "t2"},
        lambda task: task.changed(interval=Interval(100 * MS, 100 * MS), deadline_ns=None),
    )
    assert len(guests_of(system)) == 2


def test_slots_of_three_boards_stand_in_a_row() -> None:
    """Slots of 1/2, 1/3 and 1/6 of a period of 20 ms end at whole nanoseconds."""
    system = load(BOARDS)
    t1, one = system.tasks[0], system.servers[0]
    runs = {"a": 30, "b": 20, "c": 10}
    servers = tuple(map(one.named, runs))
    interval = Interval(100 * MS, 100 * MS)
    first = t1.changed(interval=interval, deadline_ns=None)
    tasks = tuple(
        starmap(
            lambda name, run: first.changed(name=f"t{name}", server=name, body=(Run(run * MS),)),
            runs.items(),
        )
    )
    report = derive_slots(replace(system, servers=servers, tasks=tasks))
    assert report.period_ns == 100 * MS
    assert [(row.start_ns, row.budget_ns) for row in report.slots] == [
        (0, 50 * MS),
        (50 * MS, 33_333_333),
        (83_333_333, 16_666_667),
    ]
    assert [row.host_run_ns for row in report.tasks] == [50 * MS, 33_333_334, 16_666_667]
