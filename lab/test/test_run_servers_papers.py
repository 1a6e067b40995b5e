# SPDX-License-Identifier: MIT
"""What OSPERT 2010, 3, 8 and 5, have of servers that share no resources, on Plafond's own kernel.

In virtual time each instant is met exactly. On the board everything comes in the same order, and
later by no more than the kernel's own instructions.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from kernel_runs import EXAMPLES, MS
from server_model import Stretch, stretches_of
from server_runs import holds, ran, trace_of

from plafond.describe import System, load
from plafond.describe.server import Server
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.trace.activations import activations
from plafond.trace.model import Trace

pytestmark = pytest.mark.board


def stretches(text: str) -> list[Stretch]:
    """Turn lines such as `8 t2 8.5` into stretches, times in ms."""
    lines = (line.split() for line in text.strip().splitlines())
    return [(task, int(float(begin) * MS), int(float(end) * MS)) for begin, task, end in lines]


def until(end_ns: int, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(begin, end) for begin, end in found if begin < end_ns]


def late(system: System, trace: Trace) -> set[tuple[str, int]]:
    """Each activation that ended after its deadline: its task, and when that came."""
    return {
        (task.name, each.arrival_ns)
        for task, recorded in zip(system.tasks, trace.tasks, strict=True)
        for each in activations(recorded)
        if each.response_ns is None or each.response_ns > (task.deadline_ns or 0)
    }


def in_order(system: System, *names: str) -> System:
    """Slots in another order, one after the other from the begin of the period."""
    start_ns, slots = 0, []
    for name in names:
        slot = next(server for server in system.servers if server.name == name)
        slots.append(replace(slot, start_ns=start_ns))
        start_ns += slot.budget_ns
    return replace(system, servers=tuple(slots))


def with_period(system: System, period_ns: int) -> System:
    """Two slots that have half of a period each."""

    def slot(server: Server, number: int) -> Server:
        half_ns = period_ns // 2
        return replace(server, period_ns=period_ns, budget_ns=half_ns, start_ns=number * half_ns)

    servers = (slot(server, number) for number, server in enumerate(system.servers))
    return replace(system, servers=tuple(servers))


# OSPERT 3, Section V: a period of 8, where tasks have 8 and 10. "Task 4, which is executed in VM2,
# will miss its deadline at time t = 10": of its 2.5 it has had 2 in the slot from 4 to 8, and ends
# at 12.5. Once late, the slots never make up for it.
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
# The two systems are alike: in the other order each has what the other one had.
OTHER = {"t1": "t3", "t2": "t4", "t3": "t1", "t4": "t2"}


def figure_3() -> System:
    """In its hyperperiod of 40."""
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
    """Theorem 2: in slots of a period of 2 each system has its half at each deadline."""
    system = with_period(figure_3(), 2 * MS)
    trace = trace_of(system)
    assert ran(trace) == stretches_of(system, draw_arrivals(system, system.seed))
    assert not late(system, trace)


# Figure 5: Comp(t), what a system has had of the processor by t, at each bend of its line; between
# them it has all or nothing. Figure 6 is Comp(t) / t: below 1/2 at 10 is too little for VM2.
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
