# SPDX-License-Identifier: MIT
"""Costs that the manager of servers on Linux, and passes at their gates, add to bounds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

import pytest
from kernel_runs import EXAMPLES

from plafond.analyse.analysis import analyse
from plafond.analyse.managed import decisions_in_period, sure_budget_ns, with_decisions
from plafond.analyse.overheads import Costs, Overheads, ServerCosts
from plafond.analyse.servers import response_of, supply_of, why_none_left
from plafond.describe import System, load
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import Lock, Resource, Run, Sleep, Unlock
from plafond.errors import ArgumentError
from plafond.protocols import Protocol
from plafond.units import UNIT_NS

US, MS = UNIT_NS["us"], UNIT_NS["ms"]
# A wake-up takes 20 us, and so does the longest piece of work. With it a decision takes 50 us.
COSTS = Costs(interrupt_ns=2 * US, activation_ns=10 * US, switch_ns=8 * US)
SERVERS = ServerCosts(decision_ns=30 * US, pass_ns=9 * US)


def table_1() -> System:
    return load(EXAMPLES / "vandenheuvel-2010-table-1.toml")


def overheads(costs: Costs = COSTS, servers: ServerCosts | None = SERVERS) -> Overheads:
    return Overheads({Protocol.CEILING: costs}, servers=servers)


def bounds_ns(system: System, added: Overheads) -> dict[str, int | None]:
    report = analyse(system, [Protocol.CEILING], added)
    return {row.task: row.response_bound_ns for row in report.rows}


def test_decisions_are_replenishments_and_ends_of_more_urgent_budgets() -> None:
    """In a period, s1 has its decision and that of s2. s2 has its own and the ends of three budgets
    of s1."""
    system = table_1()
    s1, s2 = system.servers
    assert decisions_in_period(system, s1) == 2
    assert decisions_in_period(system, s2) == 4
    assert sure_budget_ns(system, s1, 50 * US) == 19_900 * US
    assert sure_budget_ns(system, s2, 50 * US) == 19_800 * US


def test_servers_of_another_cpu_have_decisions_of_their_own() -> None:
    system = table_1()
    s1, s2 = system.servers
    far = s1.changed(name="far", cpu=1, priority=9)
    other = replace(system, cpus=2, servers=(s1, s2, far))
    assert [decisions_in_period(other, each) for each in (s1, s2, far)] == [2, 4, 1]


def test_the_notes_have_the_longest_decision_of_all_protocols() -> None:
    """Under inheritance a piece of work takes 40 us, so a decision takes 70 us."""
    costs = {Protocol.CEILING: COSTS, Protocol.INHERIT: replace(COSTS, switch_ns=28 * US)}
    added = Overheads(costs, servers=SERVERS)
    notes = analyse(table_1(), [Protocol.CEILING, Protocol.INHERIT], added).notes
    said = "s1: up to 2 decisions of the manager in each budget, of 70us each: 19.86ms of 20ms are"
    assert f"{said} sure" in notes


def test_each_decision_is_lost_in_each_period() -> None:
    """t1 has 10 ms, its wake-up with two passes, and a piece. t2 interrupts, and t3 and t4 pass.

    Both tasks of s1 may pass at first, too. s1 is sure of 19.9 ms of 50, so it loses 30.1 ms, and
    then 0.1 ms. s2 is sure of 19.8 ms of 60. It loses 40.2 ms, then 0.2 ms, and 20 ms of s1.
    """
    bounds = bounds_ns(table_1(), overheads())
    assert bounds["t1"] == (30_200 + 10_000 + 38 + 20 + 2 + 9 + 9 + 18) * US
    assert bounds["t3"] == (60_400 + 10_000 + 38 + 20 + 2 + 9 + 9 + 18) * US


def test_a_long_job_loses_decisions_in_each_of_its_periods() -> None:
    """t2 needs two budgets and t4 three. Before each but the last they wait 30.1 and 40.2."""
    bounds = bounds_ns(table_1(), overheads())
    of_t2 = 25_000 + 38 + 20 + 10_000 + 38 + 9 + 9 + 18
    of_t4 = 25_000 + 38 + 20 + 2 * (10_000 + 38) + 2 * 9 + 2 * 9 + 18
    assert bounds["t2"] == (30_200 + 30_100 + of_t2) * US
    assert bounds["t4"] == (60_400 + 2 * 40_200 + of_t4) * US


def test_a_piece_of_work_is_the_longest_of_all_passes_included() -> None:
    long_pass = replace(SERVERS, pass_ns=120 * US)
    bounds = bounds_ns(table_1(), overheads(servers=long_pass))
    assert bounds["t1"] == (30_200 + 10_000 + 260 + 120 + 2 + 120 + 120 + 240) * US


def test_others_count_as_interrupts_where_these_take_more_than_passes() -> None:
    short_pass = replace(SERVERS, pass_ns=1 * US)
    bounds = bounds_ns(table_1(), overheads(servers=short_pass))
    assert bounds["t1"] == (30_200 + 10_000 + 22 + 20 + 2 + 2 + 2 + 2) * US


def test_a_section_may_wait_at_the_gate_before_it_begins() -> None:
    """A section of t1 at its own priority costs a pair of calls, a delay, although no other task
    uses R, and a pass."""
    system = table_1()
    costs = replace(COSTS, pair_ns=3 * US, preempted_ns=5 * US)
    (run,) = system.tasks[0].body
    locking = system.tasks[0].changed(body=(Lock("R"), run, Unlock("R")))
    resource = Resource.made("R", ceiling=locking.priority, users=(locking.name,), servers=("s1",))
    other = replace(system, tasks=(locking, *system.tasks[1:]), resources=(resource,))
    before, after = (bounds_ns(each, overheads(costs))["t1"] or 0 for each in (system, other))
    assert after - before == (3 + 5 + 9) * US


def test_sleeps_of_other_servers_end_in_passes_too() -> None:
    """t4 sleeps once. That sleep, and the sleep of a job before, end in passes."""
    system = table_1()
    sleeping = system.tasks[-1].changed(body=(Run(MS), Sleep(MS), Run(MS)))
    other = replace(system, tasks=(*system.tasks[:-1], sleeping))
    added = overheads()
    before, after = (bounds_ns(each, added)["t1"] or 0 for each in (system, other))
    assert after - before == 2 * 9 * US


def test_each_sleep_of_each_of_them_does() -> None:
    """t3 sleeps twice, and t4 once. These sleeps, and as many of jobs before, end in passes."""
    system = table_1()
    once = (Run(MS), Sleep(MS), Run(MS))
    bodies = {"t3": (*once, Sleep(MS)), "t4": once}
    tasks = (task.changed(body=bodies.get(task.name, task.body)) for task in system.tasks)
    other = replace(system, tasks=tuple(tasks))
    before, after = (bounds_ns(each, overheads())["t1"] or 0 for each in (system, other))
    assert after - before == 2 * (2 + 1) * 9 * US


def test_a_budget_that_decisions_can_use_up_gives_no_bound() -> None:
    greedy = replace(SERVERS, decision_ns=5 * MS)
    report = analyse(table_1(), [Protocol.CEILING], overheads(servers=greedy))
    found = {row.task: row.response_bound_ns for row in report.rows}
    assert found["t3"] is None
    assert found["t1"] is not None
    assert (
        "ceiling: no bound for t3, t4: 4 decisions of the manager, of 5.02ms each, can take all of "
        "the 20ms of s2"
    ) in report.notes


def test_a_task_of_a_cpu_without_servers_passes_no_gate() -> None:
    """The bound has the run step, a pair, a wake-up, and a piece of work, which is as long."""
    system = table_1()
    costs = replace(COSTS, pair_ns=3 * US)
    body = (Lock("R"), Run(MS), Unlock("R"))
    far = system.tasks[0].changed(name="far", cpu=1, server=None, body=body)
    resource = Resource.made("R", ceiling=far.priority, users=("far",), cpus=(1,))
    other = replace(system, cpus=2, tasks=(*system.tasks, far), resources=(resource,))
    assert bounds_ns(other, overheads(costs))["far"] == (1_000 + 3 + 20 + 20) * US
    long_pass = replace(SERVERS, pass_ns=120 * US)
    assert bounds_ns(other, overheads(costs, long_pass))["far"] == (1_000 + 3 + 20 + 20) * US


def test_a_budget_that_ends_with_the_last_decision_leaves_nothing() -> None:
    """Four decisions take all of this budget of s2. A nanosecond more gives a bound."""
    system = table_1()
    s1, s2 = system.servers
    for more_ns in (0, 1):
        other = s2.changed(budget_ns=4 * 50 * US + more_ns)
        changed = replace(system, servers=(s1, other))
        assert sure_budget_ns(changed, other, 50 * US) == more_ns
        assert (why_none_left(changed, other, 50 * US) is None) == bool(more_ns)


def test_without_costs_bounds_are_those_of_the_theory() -> None:
    free = overheads(Costs(), ServerCosts(decision_ns=0, pass_ns=0))
    theory = {
        row.task: row.response_bound_ns for row in analyse(table_1(), [Protocol.CEILING]).rows
    }
    assert bounds_ns(table_1(), free) == theory


def test_unknown_costs_of_servers_are_refused() -> None:
    with pytest.raises(ArgumentError, match="found the servers s1, s2"):
        analyse(table_1(), [Protocol.CEILING], overheads(servers=None))


def test_sections_of_several_servers_are_refused() -> None:
    shared = load(EXAMPLES / "vandenheuvel-2010-figure-5.toml")
    with pytest.raises(ArgumentError, match="found R1, which has users in the servers s1 and s2"):
        analyse(shared, [Protocol.CEILING], overheads())


# ---- The count, against plans computed unit by unit -------------------------------------------


@dataclass
class Planned:
    """A server of a plan, the budget that it has left, and the begin of its periods."""

    server: Server
    phase: int
    left: int = 0


def plan_of(planned: list[Planned], units: int) -> Iterator[tuple[Planned | None, bool]]:
    """Yield, for each unit, the server that has the CPU, and whether a decision is due."""
    current: Planned | None = None
    for now in range(units):
        is_due = False
        for each in planned:
            if now % each.server.period_ns == each.phase:
                each.left = each.server.budget_ns
                is_due = True
        chosen = next((each for each in planned if each.left > 0), None)
        is_due |= chosen is not current
        current = chosen
        yield current, is_due
        if current:
            current.left -= 1


def had(planned: list[Planned], units: int, decision: int) -> dict[str, list[int]]:
    """Return, for each server and unit, whether its tasks could run. Each decision takes some
    units."""
    found: dict[str, list[int]] = {each.server.name: [] for each in planned}
    taken_until = 0
    for now, (current, is_due) in enumerate(plan_of(planned, units)):
        if is_due:
            taken_until = now + decision
        for name, unit in found.items():
            unit.append(int(current is not None and current.server.name == name
                            and now >= taken_until))  # fmt: skip
    return found


def idling(name: str, priority: int, period_ns: int, budget_ns: int) -> Server:
    values = {"priority": priority, "period_ns": period_ns, "budget_ns": budget_ns}
    return Server.made(name, kind=ServerKind.IDLING, **values)


def drawn(dice: Random) -> list[Planned]:
    """Return two or three servers, the most urgent first."""
    count = dice.choice((2, 3))
    servers: list[Planned] = []
    for place in range(count):
        period = dice.randint(12, 40)
        budget = dice.randint(4, max(4, period // count))
        server = idling(f"s{place}", count - place, period, budget)
        servers.append(Planned(server, dice.randrange(period)))
    return servers


def least(unit: list[int], window: int, since: int) -> int:
    sums = [0, *accumulate(unit)]
    return min(sums[begin + window] - sums[begin] for begin in range(since, len(unit) - window))


@pytest.mark.parametrize("seed", range(20))
def test_no_window_of_a_plan_has_less_than_the_supply(seed: int) -> None:
    dice = Random(seed)
    for _ in range(5):
        planned = drawn(dice)
        system = replace(table_1(), servers=tuple(each.server for each in planned), tasks=())
        units = had(planned, 600, 1)
        for each in planned:
            server = each.server
            if response_of(system, server) is None or not sure_budget_ns(system, server, 1):
                continue
            supply = with_decisions(system, server, supply_of(system, server), 1)
            for window in range(1, 150, 7):
                assert least(units[server.name], window, 80) >= supply.provided_ns(window)


def test_some_period_of_a_plan_has_as_many_decisions_as_the_count() -> None:
    """A plan has one decision less for the less urgent server: budgets of the other end P_j
    apart."""
    urgent = idling("s0", 2, 10, 2)
    other = idling("s1", 1, 34, 26)
    system = replace(table_1(), servers=(urgent, other), tasks=())
    most = {"s0": 0, "s1": 0}
    for phase in range(34):
        planned = [Planned(urgent, 0), Planned(other, phase)]
        counts = {"s0": [0] * 600, "s1": [0] * 600}
        for now, (current, is_due) in enumerate(plan_of(planned, 600)):
            if current and is_due:
                counts[current.server.name][now] = 1
        for each in planned:
            period, name = each.server.period_ns, each.server.name
            starts = range(each.phase + 2 * period, 600 - period, period)
            most[name] = max(
                most[name], *(sum(counts[name][start : start + period]) for start in starts)
            )
    assert most == {"s0": 2, "s1": 5}
    assert decisions_in_period(system, urgent) == 2
    assert decisions_in_period(system, other) == 6
