# SPDX-License-Identifier: MIT
"""The measures of a run on several CPUs, and of two servers: each has its own stops and speeds."""

import pytest
from report_fakes import system_of
from server_traces import US, server, task, trace
from test_run_served import TEXT

from plafond.describe import System
from plafond.run.bounds import Bounds
from plafond.run.judge import judge
from plafond.trace.model import (
    CpuConditions,
    Kind,
    ServerEvent,
    ServerEventKind,
    TaskTrace,
    Trace,
)
from plafond.trace.verdicts import Bound
from plafond.witness import Speed

START, END, SUSPEND, RESUME = Kind.START, Kind.END, Kind.SUSPEND, Kind.RESUME
ACROSS = "cpus = 3\n[resource.G]\n" + "".join(
    f'[task.{name}]\ncpu = {cpu}\npriority = {priority}\narrival = "periodic 20ms"\n'
    f"body = [{body}]\n"
    for name, cpu, priority, body in (
        ("first", 0, 30, '"lock G", "run 1ms", "unlock G"'),
        ("below", 0, 20, '"run 1ms"'),
        ("second", 1, 30, '"lock G", "run 1ms", "unlock G"'),
        ("third", 2, 30, '"lock G", "run 1ms", "unlock G"'),
    )
)


def conditions(cpu: int, median: float) -> CpuConditions:
    speed = Speed(median=median, slowest=1)
    return CpuConditions(cpu=cpu, turn_ns=None, turns_per_us=speed, steal_ns=None)


def stopped(name: str, *gaps: tuple[int, int], speed: float) -> TaskTrace:
    away = [event for gap in gaps for event in ((gap[0], SUSPEND, 0), (gap[1], RESUME, 0))]
    found = task(name, [0], (0, START, 0), *away, (1_000, END, 0))
    return found.model_copy(update={"slowest_turns_per_us": [speed]})


def waits() -> TaskTrace:
    """Return a task that waits for another CPU from 100 to 500 us. No other task runs then."""
    kinds = ((0, START), (100, Kind.REQUEST), (500, Kind.GRANT), (900, Kind.UNLOCK), (1_000, END))
    found = task("first", [0], *((time_us, kind, 0) for time_us, kind in kinds))
    events = [
        event._replace(resource=0) if 0 < event.time_ns < 1_000 * US else event
        for event in found.events
    ]
    return found.model_copy(update={"events": events, "slowest_turns_per_us": [5.0]})


def across() -> Trace:
    below = task("below", [0], (1_000, START, 0), (1_100, END, 0))
    found = trace(
        waits(),
        below.model_copy(update={"slowest_turns_per_us": [5.0]}),
        stopped("second", (200, 400), speed=5.0),
        stopped("third", (300, 450), (600, 800), speed=5.0),
    )
    cpus = [conditions(cpu, median) for cpu, median in enumerate((5, 10, 20))]
    return found.model_copy(update={"resources": ["G"], "cpus": cpus})


def test_tasks_that_wait_for_two_cpus_are_excused_by_the_stops_of_both() -> None:
    asked: dict[str, tuple[int, float]] = {}

    def bound_of(name: str) -> Bound:
        def when_away_ns(away_ns: int, slower: float) -> int:
            asked[name] = away_ns, slower
            return 450 * US + away_ns

        return Bound(450 * US, 450 * US, when_away_ns, lambda _: 0)

    system = system_of(ACROSS)
    bounds = Bounds({(each.name, "plafond"): bound_of(each.name) for each in system.tasks}, [])
    rows, stops = judge(system, "plafond", across(), bounds, has_host=True)

    all_ns = (200 + 150 + 200) * US
    assert [row.stopped_ns for row in rows if row.task != "below"] == [{0: all_ns}] * 3
    # The usual speeds of the CPUs are 5, 10 and 20. Each run had a speed of 5.
    assert {name: slower for name, (_, slower) in asked.items()} == {
        **{"first": 1, "below": 1, "second": 2, "third": 4}
    }
    # While `first` waits, its CPU may spin, so the wait of `below` is not a stop.
    assert [(each.stops, each.stopped_ns) for each in stops] == [
        (0, 0),
        (1, 200 * US),
        (2, 350 * US),
    ]


def test_a_cpu_has_the_stops_of_all_of_its_servers() -> None:
    """Each server has a stop: 300 us when `short` comes, and 500 us when `long` may begin."""
    short = task("short", [2_000], (2_300, START, 0), (3_000, END, 0))
    long = task("long", [1_000], (4_500, START, 0), (9_000, END, 0))
    servers = (server("quick", 0, 4_000), server("slow", 4_000, 10_000))
    found = trace(short, long, servers=servers)
    found = found.model_copy(update={"cpus": [conditions(0, 5)]})
    bound = Bound(None, None, lambda *_: None, lambda _: 0)
    bounds = Bounds({(name, "plafond"): bound for name in ("short", "long")}, [])

    rows, (stops,) = judge(system_of(TEXT), "plafond", found, bounds, has_host=True)

    assert (stops.stops, stops.longest_ns, stops.stopped_ns) == (2, 500 * US, 800 * US)
    assert {row.task: row.stopped_ns for row in rows} == {
        "short": {0: 300 * US},
        "long": {0: 500 * US},
    }


@pytest.mark.parametrize(
    ("at", "heard"), [(2_250, 50), (2_450, 50), (2_651, 0), (2_751, 0), (2_851, 0), (2_951, 0)]
)
def test_what_happens_to_either_server_and_either_job_explains_a_gap(at: int, heard: int) -> None:
    """These events explain a gap: `quick` at 2650 and 2850, `slow` at 2950, a job of `slow` at
    2700."""
    short = task(
        "short", [2_000], (2_000, START, 0), (at, SUSPEND, 0), (at + 50, RESUME, 0), (6_000, END, 0)
    )
    long = task(
        "long", [2_700, 40_000], (7_000, START, 0), (8_000, END, 0), (41_000, START, 1),
        (42_000, END, 1),
    )  # fmt: skip
    quick, slow = server("quick", 0, 6_000), server("slow", 6_000, 50_000)
    quick.events[1:1] = [
        ServerEvent(2_650 * US, ServerEventKind.DEPLETE),
        ServerEvent(2_850 * US, ServerEventKind.REPLENISH),
    ]
    slow.events.insert(0, ServerEvent(2_950 * US, ServerEventKind.REPLENISH))
    found = trace(short, long, servers=(quick, slow))
    bound = Bound(5_000 * US, 3_960 * US, lambda away_ns, _: 3_960 * US + away_ns, lambda _: 0)
    bounds = Bounds({(name, "plafond"): bound for name in ("short", "long")}, [])

    rows, _ = judge(system_of(TEXT), "plafond", found, bounds, has_host=True)

    (row,) = (row for row in rows if row.task == "short")
    assert row.stopped_ns == ({0: heard * US} if heard else {})


def test_virtual_time_has_no_usual_speed() -> None:
    asked: list[float] = []

    def when_away_ns(_: int, slower: float) -> None:
        asked.append(slower)

    bound = Bound(1, 1, when_away_ns, lambda _: 0)
    system = system_of(ACROSS)
    bounds = Bounds({(each.name, "plafond"): bound for each in system.tasks}, [])
    judge(system, "plafond", across(), bounds, has_host=False)
    assert set(asked) == {1}


def without_bounds(system: System) -> Bounds:
    """Return bounds so long that a response is stopped only by stops or by noise."""
    bound = Bound(10**9, 10**9, lambda away_ns, _: 10**9 + away_ns, lambda _: 0)
    return Bounds({(each.name, "plafond"): bound for each in system.tasks}, [])


def test_stops_of_a_cpu_that_shares_no_resource_excuse_nothing() -> None:
    """Only the CPUs 0 and 1 share G."""
    head, _, third = ACROSS.partition("[task.third]")
    alone = third.replace('"lock G", ', "").replace(', "unlock G"', "")
    system = system_of(f"{head}[task.third]{alone}")
    rows, _ = judge(system, "plafond", across(), without_bounds(system), has_host=True)
    assert {row.task: row.stopped_ns for row in rows if row.task != "below"} == {
        "first": {0: 200 * US},
        "second": {0: 200 * US},
        "third": {0: 350 * US},
    }


@pytest.mark.parametrize(("second", "heard"), [(2_550, {}), (2_450, {0: 50 * US})])
def test_the_second_job_of_another_server_explains_a_gap(
    second: int, heard: dict[int, int]
) -> None:
    """The gap begins at 2600. A job that comes at most 100 us before explains it."""
    short = task(
        "short",
        [2_000],
        (2_000, START, 0),
        (2_600, SUSPEND, 0),
        (2_650, RESUME, 0),
        (6_000, END, 0),
    )
    long = task(
        "long", [1_000, second], (7_000, START, 0), (8_000, END, 0), (8_000, START, 1),
        (9_000, END, 1),
    )  # fmt: skip
    found = trace(short, long, servers=(server("quick", 0, 6_000), server("slow", 6_000, 50_000)))
    system = system_of(TEXT)
    rows, _ = judge(system, "plafond", found, without_bounds(system), has_host=True)
    assert [row.stopped_ns for row in rows if row.task == "short"] == [heard]


def test_a_server_has_the_cpu_up_to_the_end_of_the_last_job_of_any_task() -> None:
    """`quick` does not lose the CPU any more, and `short` ends behind `long`."""
    long = task("long", [1_000], (1_000, START, 0), (3_000, END, 0))
    short = task("short", [5_000], (5_300, START, 0), (6_000, END, 0))
    found = trace(short, long, servers=(server("quick", 4_000), server("slow", 0, 4_000)))
    system = system_of(TEXT)
    rows, _ = judge(system, "plafond", found, without_bounds(system), has_host=True)
    assert {row.task: row.stopped_ns for row in rows} == {"short": {0: 300 * US}, "long": {}}
