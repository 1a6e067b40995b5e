# SPDX-License-Identifier: MIT
"""Results from the scenes of servers: the times of decisions and passes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from kernel_runs import EXAMPLES
from server_traces import server, task, trace

from plafond.analyse.overheads import ServerCosts
from plafond.describe import load
from plafond.describe.server import ServerKind, reservation
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError
from plafond.run import overheads, server_costs
from plafond.run.job import Job, Outcome
from plafond.run.kept import Kept
from plafond.run.server_costs import servers_in_guest
from plafond.run.server_scenes import asleep, awake, decisions_ns, passes_ns, passing, periods_of
from plafond.trace.model import Kind, Trace
from plafond.units import UNIT_NS
from plafond.vm.guest import Guest

US, MS = UNIT_NS["us"], UNIT_NS["ms"]
LOOK = 2 * US


def test_a_decision_lasts_until_a_task_of_the_server_runs() -> None:
    """At 0 there is no task yet. At 1000 a task that lost the CPU continues, and at 2000 a task
    begins."""
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
    """The first wake-up has a gap. The second has two, and the earlier begins too soon. The third
    has none."""
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
        # The less urgent a task, the earlier it begins. It still runs when the next task begins.
        begins = [each.offset_ns for each in sorted(ready, key=lambda each: each.priority)]
        assert begins == sorted({*begins})
        assert begin_ns < begins[0]
        assert begins[-1] < begin_ns + periods.budget_ns
        assert all(later - begin < 2 * 200 * US for begin, later in pairwise(begins))
        # Each task wakes up outside its server's time, and ends within that time.
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
    return replace(made, servers=tuple(each.changed(kind=kind) for each in made.servers))


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


def test_sections_of_several_servers_are_refused_before_anything_is_measured() -> None:
    shared = load(EXAMPLES / "vandenheuvel-2010-figure-6.toml")
    with pytest.raises(ArgumentError, match="found R1, which has users in the servers s1 and s2"):
        overheads.overheads_for("vm", ["plafond"], shared)


def test_reservations_beside_servers_are_refused() -> None:
    reserved = (reservation("net", "eth0", 10 * MS, MS),)
    with pytest.raises(ArgumentError, match="found the reservation net, with servers"):
        overheads.overheads_for("vm", ["plafond"], replace(system(1, 1), reservations=reserved))


def traces_of(decisions_us: tuple[int, int], pass_us: int) -> list[Trace]:
    """Return the traces of the scenes for these times of decisions and passes."""
    switching = [
        trace(
            task("server0_0", [900], (1000 + took_us, Kind.START, 0), (9000, Kind.END, 0)),
            servers=(server("server0", 1000, 1700),),
        )
        for took_us in decisions_us
    ]
    gap = ((2000, Kind.SUSPEND, 0), (2000 + pass_us, Kind.RESUME, 0))
    runs = task("server1_0", [0], (0, Kind.START, 0), *gap, (9000, Kind.END, 0))
    return [*switching, trace(runs, task("server0_0", [2000]))]


def test_a_decision_costs_what_both_scenes_take_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = traces_of((20, 15), 12)
    runs: list[str] = []

    def run_in_guest(jobs: Sequence[Job], _: Guest) -> Iterator[Outcome]:
        runs.extend(job.what for job in jobs)
        yield from (Outcome(each, None) for each in found)

    kept = Kept(tmp_path / "kept", [b"plans"])
    monkeypatch.setattr(server_costs, "kept_of_guest", lambda *_: kept)
    monkeypatch.setattr(server_costs, "run_in_guest", run_in_guest)
    expected = ServerCosts(decision_ns=35 * US + 2 * LOOK, pass_ns=12 * US + LOOK)
    assert servers_in_guest(system(2, 1), Guest()) == expected
    assert servers_in_guest(system(2, 1), Guest()) == expected
    assert [what.rsplit(" ", 1)[1] for what in runs] == ["awake", "asleep", "passing"]


def test_scenes_without_a_decision_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = [trace(), trace(), traces_of((1, 1), 1)[2]]
    monkeypatch.setattr(
        server_costs, "run_here", lambda *_: iter([Outcome(each, None) for each in empty])
    )
    with pytest.raises(PlafondError, match="no decision"):
        server_costs.servers_here(system(1, 1))


def test_a_disturbed_time_of_a_machine_does_not_count_beside_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The longest up to 100 us counts or, if there is none, the shortest."""
    both = trace(
        task("server0_0", [900], (1020, Kind.START, 0), (1500, Kind.END, 0)),
        task("server0_1", [1900], (2600, Kind.START, 0), (2650, Kind.END, 0)),
        servers=(server("server0", 1000, 1700, 2000, 2700),),
    )
    _, asleep_trace, passed = traces_of((20, 15), 12)
    found = [Outcome(each, None) for each in (both, asleep_trace, passed)]
    monkeypatch.setattr(server_costs, "run_here", lambda *_: iter(found))
    expected = ServerCosts(decision_ns=35 * US + 2 * LOOK, pass_ns=12 * US + LOOK)
    assert server_costs.servers_here(system(1, 1)) == expected
