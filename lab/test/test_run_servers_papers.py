# SPDX-License-Identifier: MIT
"""OSPERT 2010, 3, 8 and 5: servers that share no resources, on Plafond's own kernel.

In virtual time each instant is met exactly. On the board the order is the same, and events are
later only by the kernel's own instructions.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from kernel_runs import EXAMPLES, MS, described
from server_model import Stretch, stretches_of
from server_runs import holds, ran, trace_of

from plafond.analyse.analysis import analyse
from plafond.analyse.servers import server_rows
from plafond.describe import System, load
from plafond.describe.server import Server
from plafond.describe.system import Run, Task
from plafond.protocols import Protocol
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.trace.activations import activations
from plafond.trace.model import Trace

pytestmark = pytest.mark.board


def stretches(text: str) -> list[Stretch]:
    """Turn lines such as `8 t2 8.5` into stretches. The times are in ms."""
    lines = (line.split() for line in text.strip().splitlines())
    return [(task, int(float(begin) * MS), int(float(end) * MS)) for begin, task, end in lines]


def until(end_ns: int, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(begin, end) for begin, end in found if begin < end_ns]


def late(system: System, trace: Trace) -> set[tuple[str, int]]:
    """Return the task and the arrival of each activation that ended after its deadline."""
    return {
        (task.name, each.arrival_ns)
        for task, recorded in zip(system.tasks, trace.tasks, strict=True)
        for each in activations(recorded)
        if each.response_ns is None or each.response_ns > (task.deadline_ns or 0)
    }


def in_order(system: System, *names: str) -> System:
    """Return the slots in another order, one after the other from the begin of the period."""
    start_ns, slots = 0, []
    for name in names:
        slot = next(server for server in system.servers if server.name == name)
        slots.append(slot.changed(start_ns=start_ns))
        start_ns += slot.budget_ns
    return replace(system, servers=tuple(slots))


def with_period(system: System, period_ns: int) -> System:
    def slot(server: Server, number: int) -> Server:
        half_ns = period_ns // 2
        return server.changed(period_ns=period_ns, budget_ns=half_ns, start_ns=number * half_ns)

    servers = (slot(server, number) for number, server in enumerate(system.servers))
    return replace(system, servers=tuple(servers))


# OSPERT 3, Section V: a period of 8, although tasks have 8 and 10. "Task 4, which is executed in
# VM2, will miss its deadline at time t = 10". Of its 2.5 it has had 2 in the slot from 4 to 8, and
# it ends at 12.5. The slots never make up for the delay.
FIGURE_3 = """
    0    t1 2
    2    t2 4
    4    t3 6
    6    t4 8
    8    t2 8.5
    8.5  t1 10.5
    10.5 t2 12
    12   t4 12.5
    12.5 t3 14.5
    14.5 t4 16
    16   t2 17
    17   t1 19
    20   t4 21
    21   t3 23
    23   t4 24
    24   t2 26.5
    26.5 t1 28
    28   t4 29.5
    29.5 t3 31.5
    31.5 t4 32
    32   t1 32.5
    32.5 t2 35
    35   t1 36
    36   t4 38
    38   t3 40
    40   t1 41
"""
LATE_IN_FIGURE_3 = {("t4", 0), ("t4", 10 * MS), ("t1", 24 * MS), ("t1", 32 * MS)}
# The two systems are alike, so in the other order their tasks change places.
OTHER = {"t1": "t3", "t2": "t4", "t3": "t1", "t4": "t2"}


def figure_3() -> System:
    return with_activations(load(EXAMPLES / "kerstan-2010-figure-3.toml"), 5)


def test_with_a_wrong_period_a_task_is_late() -> None:
    trace = trace_of(figure_3())
    assert ran(trace) == stretches(FIGURE_3)
    assert late(figure_3(), trace) == LATE_IN_FIGURE_3


def test_in_the_other_order_the_other_system_is_late() -> None:
    """Figure 4: "exchange of the activation order has no effect"."""
    system = in_order(figure_3(), "two", "one")
    trace = trace_of(system)
    assert ran(trace) == [(OTHER[name], *times) for name, *times in stretches(FIGURE_3)]
    assert late(system, trace) == {(OTHER[name], at_ns) for name, at_ns in LATE_IN_FIGURE_3}


def test_with_the_greatest_common_divisor_none_is_late() -> None:
    """Theorem 2: in slots of a period of 2 each system has had its half at each deadline."""
    system = with_period(figure_3(), 2 * MS)
    trace = trace_of(system)
    assert ran(trace) == stretches_of(system, draw_arrivals(system, system.seed))
    assert not late(system, trace)


# Figure 5: Comp(t), the processor time of a system up to t, at each bend of its line. Between bends
# it has all or nothing. Figure 6 is Comp(t) / t: below 1/2 at 10 is too little for VM2.
FIGURE_5 = {
    "one": {0: 0, 4: 4, 8: 4, 10: 6, 12: 8, 16: 8},
    "two": {0: 0, 4: 0, 8: 4, 10: 4, 12: 4, 16: 8},
}
FIGURE_6_AT_10 = {"one": Fraction(6, 10), "two": Fraction(4, 10)}


@pytest.mark.parametrize("server", FIGURE_5)
def test_a_slot_gives_what_the_figure_has(server: str) -> None:
    slots = holds(trace_of(figure_3()), server)

    def comp_ns(by_ns: int) -> int:
        return sum(max(min(end, by_ns) - begin, 0) for begin, end in slots)

    assert {at: comp_ns(at * MS) // MS for at in FIGURE_5[server]} == FIGURE_5[server]
    assert Fraction(comp_ns(10 * MS), 10 * MS) == FIGURE_6_AT_10[server]


# "Only the first 400ms are shown, since the schedule repeats afterwards."
SHOWN_NS = 400 * MS
# For each figure its description and the period of its slots. Each system has half of a period.
FIGURES = {
    "Figure 7": ("kerstan-2010-edf", 20 * MS),
    "Figure 8": ("kerstan-2010-rm", 20 * MS),
    "Figure 10": ("kerstan-2010-figure-10", 25 * MS),
}
# Upper bound of the kernel's time from the end of a slot until the other server has the core.
A_CHANGE = 200
# The task that had the core runs at most this long before the kernel handles other events.
A_GLIMPSE = 1_000
# Upper bound of it while a system always has work, because delays are never made up then.
KERNELS_OWN = 20_000


def figure(name: str) -> System:
    """Return the part that a figure shows. The first task also arrives at its end."""
    system = load(EXAMPLES / f"{FIGURES[name][0]}.toml")
    interval = system.tasks[0].interval
    assert interval
    return with_activations(system, SHOWN_NS // interval.least_ns + 1)


def faster(system: System, speed_up: Fraction) -> System:
    def task(each: Task) -> Task:
        return each.changed(body=(Run(int(each.run_ns / speed_up)),))

    return replace(system, tasks=tuple(map(task, system.tasks)))


def slots(system: System, number: int) -> list[tuple[int, int]]:
    """Return the slots of a system: half of each period."""
    (period_ns,) = {server.period_ns for server in system.servers}
    half_ns = period_ns // 2
    begins = range(number * half_ns, SHOWN_NS, period_ns)
    return [(begin_ns, begin_ns + half_ns) for begin_ns in begins]


@pytest.mark.papers
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_on_the_simulated_processor(name: str) -> None:
    """Each stretch of each task agrees with the definitions, and no task is late."""
    system = figure(name)
    assert {server.period_ns for server in system.servers} == {FIGURES[name][1]}
    trace = trace_of(system)
    assert ran(trace) == stretches_of(system, draw_arrivals(system, system.seed))
    assert not late(system, trace)
    for number, server in enumerate(system.servers):
        expected = slots(system, number)
        assert until(SHOWN_NS, holds(trace, server.name)) == expected


# Figure 9 is Figure 7 on a real processor, on which "the time needed for switching the context" is
# "to be included in the task's execution times". Under EDF the slots are used completely, so a
# processor that is faster by a thousandth makes room for the kernel. With fixed priorities there is
# room.
A_THOUSANDTH = Fraction(1001, 1000)
SPEED_UPS = {"Figure 7": A_THOUSANDTH, "Figure 8": Fraction(1), "Figure 10": A_THOUSANDTH}


@pytest.mark.papers
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_on_the_board(name: str) -> None:
    """Slots change in time, and tasks in them are late only by the kernel's own time."""
    system = faster(figure(name), SPEED_UPS[name])
    trace = trace_of(system, "a53")
    assert not late(system, trace)
    for number, server in enumerate(system.servers):
        found = until(SHOWN_NS, holds(trace, server.name))
        for (begin, end), (begin_ns, end_ns) in zip(found, slots(system, number), strict=True):
            assert 0 < begin - begin_ns < A_CHANGE
            assert 0 < end - end_ns < A_CHANGE
    keeps_the_order(system, trace)


def keeps_the_order(system: System, trace: Trace) -> None:
    """Each stretch is as in the definitions, or later by the kernel's own time."""
    expected = stretches_of(system, draw_arrivals(system, system.seed))
    found = [each for each in ran(trace) if each[2] - each[1] > A_GLIMPSE]
    for (task, begin, end), (planned, begin_ns, end_ns) in zip(found, expected, strict=True):
        assert task == planned
        assert 0 <= begin - begin_ns < KERNELS_OWN
        assert 0 <= end - end_ns < KERNELS_OWN


@pytest.mark.papers
@pytest.mark.parametrize("name", ["Figure 7", "Figure 10"])
def test_slots_that_are_used_whole_have_no_time_for_the_kernel(name: str) -> None:
    system = figure(name)
    assert min(late(system, trace_of(system, "a53"))) == ("t1", 160 * MS)


# Section VII: "The bigger P gets the worse the interrupt latency gets". Within this time a core has
# changed slots and started the task. Four cores take turns, so each waits for the others.
A_START = 820
KERNELS_OF_FOUR = 4 * A_START


def latencies(board: str, scale: str) -> Iterator[tuple[Server, list[tuple[int, int]]]]:
    """Yield the second slot of each core, with the phase and the latency of each arrival for it."""
    system = load(EXAMPLES / "kerstan-2010-latency.toml").scaled(Fraction(scale))
    trace = trace_of(system, board)
    for server in system.servers:
        if server.start_ns:
            (task,) = system.tasks_of(server.name)
            recorded = next(each for each in trace.tasks if each.name == task.name)
            found = [
                (each.arrival_ns % server.period_ns, each.latency_ns)
                for each in activations(recorded)
            ]
            assert len(found) == task.activations
            yield server, found


def left_of_gap(server: Server, phase_ns: int) -> int:
    return max((server.start_ns or 0) - phase_ns, 0)


def test_what_comes_for_an_inactive_system_waits_for_its_slot() -> None:
    """This holds at each phase. The longest wait is P - slot, which is the gap of the bounds."""
    system = load(EXAMPLES / "kerstan-2010-latency.toml")
    gaps = {row.server: row.gap_ns for row in server_rows(system)}
    found = dict(latencies("sim", "1"))
    assert [server.period_ns // MS for server in found] == [20, 25, 31, 40]
    for server, waits in found.items():
        assert len({phase for phase, _ in waits}) == 50
        assert waits == [(phase, left_of_gap(server, phase)) for phase, _ in waits]
        worst_ns = max(wait for _, wait in waits)
        assert worst_ns == server.period_ns - server.budget_ns == gaps[server.name]


@pytest.mark.papers
def test_on_the_board_it_waits_for_the_kernel_besides() -> None:
    for server, waits in latencies("a53", "1/20"):
        besides = {phase: wait - left_of_gap(server, phase) for phase, wait in waits}
        assert 0 < min(besides.values()) <= max(besides.values()) < KERNELS_OF_FOUR
        assert min(besides[phase] for phase in besides if left_of_gap(server, phase)) < A_START


# OSPERT 8, Tables I and II. As in its Section IX.B, s2 is depleted at 40, which is 5 after t4 came
# to its section there, and replenished at 60. Idling servers are depleted even if they are empty.
TABLE_1 = """
    0   t2 10
    10  t1 20
    20  t3 30
    30  t4 40
    50  t2 65
    70  t4 85
    110 t1 120
    120 t3 130
    150 t2 170
    200 t2 205
    210 t1 220
    240 t3 250
    270 t4 280
"""
TABLE_1_SERVERS = {
    "s1": [(0, 20), (50, 70), (100, 120), (150, 170), (200, 220), (250, 270)],
    "s2": [(20, 40), (70, 90), (120, 140), (180, 200), (240, 250)],
}
TABLE_1_NS = 280 * MS


def table_1() -> System:
    return with_activations(load(EXAMPLES / "vandenheuvel-2010-table-1.toml"), 3)


def test_the_servers_of_table_1() -> None:
    trace = trace_of(table_1())
    assert [each for each in ran(trace) if each[1] < TABLE_1_NS] == stretches(TABLE_1)
    for server, planned in TABLE_1_SERVERS.items():
        expected = [(begin * MS, end * MS) for begin, end in planned]
        assert until(expected[-1][1], holds(trace, server)) == expected


@pytest.mark.papers
def test_the_servers_of_table_1_on_the_board() -> None:
    """Budgets are used completely, so a bit more speed makes room for the kernel, as with the
    slots."""
    system = faster(table_1(), A_THOUSANDTH)
    keeps_the_order(system, trace_of(system, "a53"))


def test_the_bounds_of_table_1() -> None:
    """Each server has its budget within its period, and no task takes longer than its bound."""
    system = table_1()
    within = {row.server: row.response_bound_ns for row in server_rows(system)}
    assert within == {"s1": 20 * MS, "s2": 40 * MS}
    bounds = {row.task: row.response_bound_ns for row in analyse(system, [Protocol.CEILING]).rows}
    for task in trace_of(system).tasks:
        for activation in activations(task):
            assert activation.response_ns is not None
            assert activation.response_ns <= (bounds[task.name] or 0)


# OSPERT 5, Section IV: 8 systems of 5 servers with 8 tasks each, under fixed priorities. Tasks have
# periods of 40 to 100, and servers of 5 to 20. Tasks ask for 15 %, and are watched for 600. The
# budgets are not given, so they are drawn here. The resources are left out.
TIME_UNIT_US = 100


def of_that_size(seed: int) -> str:
    source = random.Random(seed)
    lines = []
    for server in range(5):
        period = source.randint(5, 20) * TIME_UNIT_US
        lines += [f"[server.s{server}]", 'kind = "idling"', f"priority = {5 - server}"]
        budget = period * source.randint(10, 19) // 100
        lines += [f'period = "{period}us"', f'budget = "{budget}us"']
    for task in range(40):
        period = source.randint(40, 100) * TIME_UNIT_US
        run_ns = period * 1_000 * 15 // 100 // 40
        lines += [f"[task.t{task}]", f'server = "s{task % 5}"', f"priority = {task // 5 + 1}"]
        lines += [f'arrival = "periodic {period}us"', f'body = ["run {run_ns}ns"]']
        lines += [f"activations = {600 * TIME_UNIT_US // period}"]
    return "\n".join(lines) + "\n"


@pytest.mark.papers
@pytest.mark.parametrize("seed", range(8))
def test_systems_of_that_size(seed: int) -> None:
    """The schedules agree with the definitions to the nanosecond."""
    system = described(f"servers-of-asberg-{seed}", of_that_size(seed))
    expected = stretches_of(system, draw_arrivals(system, system.seed))
    assert len(expected) > 240
    assert ran(trace_of(system)) == expected
