# SPDX-License-Identifier: MIT
"""What the scenes of servers show: how long decisions and passes take."""

from dataclasses import replace
from itertools import pairwise

import pytest
from server_traces import server, task, trace

from plafond.describe.server import ServerKind
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.run import overheads
from plafond.run.server_costs import servers_in_guest
from plafond.run.server_scenes import asleep, awake, decisions_ns, passes_ns, passing, periods_of
from plafond.trace.model import Kind
from plafond.units import UNIT_NS
from plafond.vm.guest import Guest

US, MS = UNIT_NS["us"], UNIT_NS["ms"]
LOOK = 2 * US


def test_a_decision_lasts_until_a_task_of_the_server_runs() -> None:
    """At 0 there is no task yet. At 1000 one that lost the CPU goes on, at 2000 one begins."""
    goes_on = task(
        "server0_0",
        [100],
        (100, Kind.START, 0),
        (500, Kind.SUSPEND, 0),
        (1031, Kind.RESUME, 0),
        (1500, Kind.END, 0),
    )
    begins = task("server0_1", [1900], (2045, Kind.START, 0), (2060, Kind.END, 0))
    found = decisions_ns(
        trace(goes_on, begins, servers=(server("server0", 0, 700, 1000, 1700, 2000, 2700),))
    )
    assert found == [31 * US + LOOK, 45 * US + LOOK]


def test_tasks_of_other_servers_end_no_decision() -> None:
    other = task("server1_0", [900], (1010, Kind.START, 0), (1020, Kind.END, 0))
    own = task("server0_0", [900], (1044, Kind.START, 0), (1050, Kind.END, 0))
    found = decisions_ns(trace(own, other, servers=(server("server0", 1000, 1700),)))
    assert found == [44 * US + LOOK]


def test_a_pass_is_the_gaps_around_a_wake_up() -> None:
    """One gap; two of which one begins before it was due; none that was seen."""
    runs = task(
        "server1_0",
        [0],
        (0, Kind.START, 0),
        (1001, Kind.SUSPEND, 0),
        (1014, Kind.RESUME, 0),
        (1990, Kind.SUSPEND, 0),
        (2001, Kind.RESUME, 0),
        (2003, Kind.SUSPEND, 0),
        (2010, Kind.RESUME, 0),
        (9000, Kind.END, 0),
    )
    wakes = task("server0_0", [1000, 2000, 3000])
    assert passes_ns(trace(runs, wakes)) == [13 * US + LOOK, 18 * US + LOOK, 5 * US + LOOK]


def test_all_tasks_of_a_server_are_ready_or_asleep_when_it_gets_the_cpu() -> None:
    counts = [3, 1]
    periods = periods_of(counts)
    for place, count in enumerate(counts):
        begin_ns = periods.begin_ns(place)
        name = f"server{place}"
        ready, sleeping = awake(counts, 0, 4).tasks_of(name), asleep(counts, 0, 4).tasks_of(name)
        assert len(ready) == len(sleeping) == count
        # The less urgent a task, the earlier it begins, and it is not at its end as the next does.
        begins = [each.offset_ns for each in sorted(ready, key=lambda each: each.priority)]
        assert begins == sorted({*begins})
        assert begin_ns < begins[0]
        assert begins[-1] < begin_ns + periods.budget_ns
        assert all(later - begin < 2 * 200 * US for begin, later in pairwise(begins))
        # Each wakes up outside of its server's time, and is done within it.
        for each in sleeping:
            place_in_period = each.offset_ns % periods.period_ns
            assert not begin_ns <= place_in_period < begin_ns + periods.budget_ns
            assert each.run_ns * count < periods.budget_ns


def test_passes_come_while_the_other_server_has_the_cpu() -> None:
    scene = passing(0, 32)
    first, second = scene.servers
    assert (first.priority or 0) > (second.priority or 0)
    for each in scene.tasks_of(first.name):
        assert each.interval is not None
        instants = (each.offset_ns + turn * each.interval.least_ns for turn in range(2))
        for instant_ns in instants:
            phase_ns = instant_ns % first.period_ns
            assert first.budget_ns < phase_ns < first.budget_ns + second.budget_ns
    (runs,) = scene.tasks_of(second.name)
    assert runs.run_ns == 32 * second.budget_ns


def system(*counts: int, kind: ServerKind = ServerKind.IDLING) -> System:
    made = asleep(counts, 0, 1)
    return replace(made, servers=tuple(replace(each, kind=kind) for each in made.servers))


def test_too_many_tasks_have_no_priorities_of_their_own() -> None:
    expected = "found 48 tasks in 2 servers of CPU 0; expected 49 of both at most"
    with pytest.raises(ArgumentError, match=expected):
        servers_in_guest(system(1, 47), Guest())


def test_other_kinds_than_idling_servers_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r'found server\.server0\.kind = "polling"'):
        overheads.overheads_for("vm", ["plafond"], system(1, 1, kind=ServerKind.POLLING))


def test_servers_are_refused_where_their_costs_are_not_known() -> None:
    with pytest.raises(ArgumentError, match="found the servers server0, server1; expected none"):
        overheads.overheads_for("a53", ["uprio-nprio"], system(1, 1))
