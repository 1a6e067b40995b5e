# SPDX-License-Identifier: MIT
"""Servers on a stock kernel, in the virtual machine, against the model of the kernel's servers.

The clock decides which server has the CPU, so these instants agree to the nanosecond. Threads begin
and end later by Linux's own time.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from descriptions import described
from kernel_runs import EXAMPLES, MS
from server_model import Stretch, stretches_of
from server_runs import holds, ran, trace_of
from test_run_servers_papers import of_that_size

from plafond.describe import System, load
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.job import Job
from plafond.run.plan import limit_ns, plan_text
from plafond.run.vm import run_in_guest
from plafond.trace.activations import activations
from plafond.trace.model import Kind, Trace
from plafond.vm.guest import Guest

pytestmark = pytest.mark.guest

# Upper bounds of the time of Linux, and of the manager, when a thread or a server gets the CPU.
LINUXS_OWN = 150_000
A_DECISION = 30_000
# When each server has the CPU in Tables I and II of OSPERT 2010, 8. At other times no server has
# it.
TABLE_1_SERVERS = {
    "s1": [(0, 20), (50, 70), (100, 120), (150, 170), (200, 220), (250, 270)],
    "s2": [(20, 40), (70, 90), (120, 140), (180, 200), (240, 250)],
}
# Servers use the whole CPU. A task of each server needs several budgets, and a section is
# suspended.
WHOLE = """
[server.quick]
kind = "idling"
priority = 20
period = "10ms"
budget = "4ms"

[server.slow]
kind = "idling"
priority = 10
period = "15ms"
budget = "9ms"

[task.often]
server = "quick"
priority = 2
arrival = "periodic 20ms"
offset = "1ms"
activations = 6
body = ["run 500us", "lock state", "run 1ms", "unlock state"]

[task.long]
server = "quick"
priority = 1
arrival = "periodic 60ms"
body = ["run 2ms", "lock state", "run 5ms", "unlock state", "run 3ms"]

[task.part]
server = "slow"
priority = 3
arrival = "periodic 30ms"
offset = "6ms"
body = ["run 4ms"]

[task.rest]
server = "slow"
priority = 1
arrival = "periodic 60ms"
offset = "2ms"
body = ["run 15ms"]

[resource.state]
"""
# `often` ends its first activation in time of no server, of which ordinary threads leave it some,
# and sleeps until the second activation.
LEFT_OVER = """
[server.only]
kind = "idling"
priority = 10
period = "20ms"
budget = "4ms"
"""
LEFT_OVER_TASKS = """
[task.often_{turn}]
server = "only"
priority = 2
arrival = "periodic 22ms"
offset = "{begin}ms"
activations = 2
body = ["run 4.1ms"]

[task.long_{turn}]
server = "only"
priority = 1
arrival = "periodic 60ms"
offset = "{later}ms"
activations = 1
body = ["run 8ms"]
"""
TURNS = 4


def table_1() -> System:
    return with_activations(load(EXAMPLES / "vandenheuvel-2010-table-1.toml"), 3)


def figure(number: int, folder: Path) -> System:
    """Return a figure with a millisecond a unit. Sections are a unit shorter, because Linux adds
    time."""
    text = (EXAMPLES / f"vandenheuvel-2010-figure-{number}.toml").read_text(encoding="utf-8")
    system = described(folder, text.replace('"run 15us"', '"run 14us"'))
    return with_activations(system, 1).scaled(Fraction(1_000))


def job(system: System) -> Job:
    arrivals = draw_arrivals(system, system.seed)
    limit = limit_ns(system, arrivals)
    return Job(system.name, plan_text(system, "plafond", arrivals), limit, limit)


@cache
def traces(*systems: System) -> list[Trace]:
    """Run all systems in one virtual machine."""
    found = [each.trace for each in run_in_guest(map(job, systems), Guest())]
    assert [trace.cut for trace in found] == [None] * len(systems)
    return found


@pytest.fixture(name="whole", scope="module")
def whole_system(tmp_path_factory: pytest.TempPathFactory) -> System:
    return described(tmp_path_factory.mktemp("whole"), WHOLE)


@pytest.fixture(name="large", scope="module")
def large_system(tmp_path_factory: pytest.TempPathFactory) -> System:
    """Draw 5 servers of 8 tasks, as in OSPERT 2010, 5, in units of 100 us."""
    return described(tmp_path_factory.mktemp("large"), of_that_size(0))


@pytest.fixture(name="figures", scope="module")
def systems_of_figures(tmp_path_factory: pytest.TempPathFactory) -> list[System]:
    """Return systems of OSPERT 2010, 8: overrun with payback, skipping, and both side by side."""
    return [figure(number, tmp_path_factory.mktemp("figure")) for number in (4, 5, 6)]


@pytest.fixture(name="left_over", scope="module")
def system_with_work_left_over(tmp_path_factory: pytest.TempPathFactory) -> System:
    """Two new tasks come every 100 ms."""
    tasks = (
        LEFT_OVER_TASKS.format(turn=turn, begin=100 * turn, later=100 * turn + 20.5)
        for turn in range(1, TURNS + 1)
    )
    return described(tmp_path_factory.mktemp("left_over"), "".join([LEFT_OVER, *tasks]))


@pytest.fixture(name="found")
def found_traces(
    whole: System, large: System, figures: list[System], left_over: System
) -> list[Trace]:
    return traces(table_1(), whole, large, *figures, left_over)


def long_enough(stretches: list[Stretch]) -> list[Stretch]:
    """Leave out stretches in which a thread only finds that there is nothing to do."""
    return [each for each in stretches if each[2] - each[1] > LINUXS_OWN]


def over_decisions(stretches: list[Stretch]) -> list[Stretch]:
    """Join stretches of a task around a decision of the manager that changes nothing."""
    found: list[Stretch] = []
    for task, begin, end in stretches:
        last = found[-1] if found else None
        if last and last[0] == task and begin - last[2] < A_DECISION:
            found[-1] = (task, last[1], end)
        else:
            found.append((task, begin, end))
    return found


def is_within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1] + LINUXS_OWN


def test_each_server_has_the_cpu_at_the_instants_of_the_paper(found: list[Trace]) -> None:
    trace = found[0]
    for server, planned in TABLE_1_SERVERS.items():
        expected = [(begin * MS, end * MS) for begin, end in planned]
        assert holds(trace, server)[: len(expected)] == expected


def test_its_tasks_run_then_and_in_a_twentieth_of_what_is_no_servers(found: list[Trace]) -> None:
    system, trace = table_1(), found[0]
    windows = {server.name: holds(trace, server.name) for server in system.servers}
    used = sorted(window for each in windows.values() for window in each)
    free = [(end, begin) for (_, end), (begin, _) in pairwise(used)]
    last = [(begin - (begin - end) // 20, begin) for end, begin in free if begin > end]
    servers = {task.name: task.server for task in system.tasks}
    stretches = long_enough(ran(trace))
    assert any(is_within((begin, end), each) for _, begin, end in stretches for each in last)
    for task, begin, end in stretches:
        of_server = windows[servers[task] or ""]
        assert any(is_within((begin, end), each) for each in (*of_server, *last)), (task, begin)


def test_where_servers_have_all_of_the_cpu_each_task_runs_as_in_the_model(
    whole: System, found: list[Trace]
) -> None:
    expected = stretches_of(whole, draw_arrivals(whole, whole.seed))
    stretches = over_decisions(long_enough(ran(found[1])))
    assert [task for task, *_ in stretches] == [task for task, *_ in expected]
    for (_, begin, end), (task, planned_begin, planned_end) in zip(
        stretches, expected, strict=True
    ):
        assert 0 <= begin - planned_begin < LINUXS_OWN, task
        assert abs(end - planned_end) < 2 * LINUXS_OWN, task


def test_a_thread_that_went_to_sleep_without_a_budget_wakes_up_in_time(found: list[Trace]) -> None:
    """Otherwise a timer is set in SCHED_IDLE. Under PREEMPT_RT a kernel thread below all servers
    handles it."""
    often = [activations(task) for task in found[6].tasks if task.name.startswith("often")]
    left_over = [
        (first, second)
        for first, second in often
        if 0 < first.arrival_ns + 20 * MS - (first.end_ns or 0) < A_TWENTIETH
    ]
    assert left_over
    assert all(0 <= second.latency_ns < LINUXS_OWN for _, second in left_over)


def test_the_manager_runs_once_for_each_instant_and_is_in_time(found: list[Trace]) -> None:
    for trace in found[:3]:
        instants = {event.time_ns for server in trace.servers for event in server.events}
        for server in trace.servers:
            assert server.manager is not None
            # The first decision is the begin. Of two instants within a decision, the second is
            # handled at once.
            assert len(instants) * 0.9 < server.manager.decisions <= len(instants) + 1
            assert server.manager.busy_ns < server.manager.decisions * A_DECISION
            assert 0 < server.manager.latest_ns < A_DECISION


def test_forty_tasks_of_five_servers_end_when_the_model_says(
    large: System, found: list[Trace]
) -> None:
    """The system has the size of OSPERT 2010, 5. The manager takes less than 5 % of the
    processor."""
    *_, (_, _, planned_end) = stretches_of(large, draw_arrivals(large, large.seed))
    end_ns = max(task.events[-1].time_ns for task in found[2].tasks)
    manager = found[2].servers[0].manager
    assert abs(end_ns - planned_end) < LINUXS_OWN
    assert manager is not None
    assert manager.decisions > 400
    assert manager.busy_ns < end_ns * 0.05


# The events of a task that are its own steps.
OF_STEPS = {Kind.START, Kind.REQUEST, Kind.AWAIT, Kind.AFFORD, Kind.GRANT, Kind.UNLOCK, Kind.END}
# Upper bound of Linux's time until a task reaches an instant of these figures: several of the
# above.
UNTIL_THERE = 4 * LINUXS_OWN
# The most time that threads without budget have of the 20 ms that no server has.
A_TWENTIETH = 1 * MS


def happened_in(trace: Trace) -> dict[str, list[tuple[str, int]]]:
    """Return kind and time of the events of each task and server, in order."""
    found = {task.name: task.events for task in trace.tasks}
    steps = {
        name: [(str(event.kind), event.time_ns) for event in events if event.kind in OF_STEPS]
        for name, events in found.items()
    }
    servers = {
        server.name: [(str(event.kind), event.time_ns) for event in server.events]
        for server in trace.servers
    }
    return steps | servers


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_papers_sections_overrun_and_skip_as_on_the_kernel(
    figures: list[System], found: list[Trace], place: int
) -> None:
    expected, got = happened_in(trace_of(figures[place])), happened_in(found[3 + place])
    assert {"overrun", "await"} & {kind for events in got.values() for kind, _ in events}
    for name, planned in expected.items():
        events = got[name][: len(planned)]
        assert [kind for kind, _ in events] == [kind for kind, _ in planned], name
        for (kind, time_ns), (_, planned_ns) in zip(events, planned, strict=True):
            late_ns = time_ns - planned_ns
            assert -UNTIL_THERE - A_TWENTIETH < late_ns < UNTIL_THERE, (name, kind)
