# SPDX-License-Identifier: MIT
"""The bounds of a run, and the overheads that they can include."""

from dataclasses import replace
from math import ceil

import pytest
from report_fakes import carminati, system_of
from server_traces import trace

from plafond.analyse.analysis import analyse
from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.locks import make_report
from plafond.bench.overheads import (
    MeasuredOverheads,
    costs_of,
    global_mutex_of,
    longest_own_ns,
    worst_of,
)
from plafond.bench.samples import Output, collect
from plafond.describe.kernel import Scheduler
from plafond.errors import PlafondError
from plafond.protocols import Protocol, analysed
from plafond.run.bounds import bounds_of, level_of
from plafond.trace.model import CpuConditions
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.witness import Speed

MS = 1_000_000


def test_a_bound_looks_at_the_busy_period_of_its_level_or_of_the_cpu() -> None:
    system = carminati().system
    assert level_of(system, system.tasks[1], "none") is None
    assert level_of(system, system.tasks[1], "inherit") == 65
    assert level_of(system, system.tasks[1], "plafond") == 65
    assert level_of(replace(system, scheduler=Scheduler.EDF), system.tasks[1], "lazy-floor") is None


NO_COSTS = {
    name: Overheads({analysed(name): Costs()}) for name in ("none", "inherit", "protect", "plafond")
}


def test_a_cpu_that_is_away_lengthens_the_bound_by_at_least_as_much() -> None:
    execution = carminati()
    for bound in bounds_of(execution.system, execution.traces, NO_COSTS).of.values():
        assert bound.theory_ns
        if bound.response_ns is None:
            continue
        assert (bound.when_away_ns(0, 1) or 0) == bound.response_ns
        assert (bound.when_away_ns(MS, 1) or 0) >= bound.response_ns + MS


def test_both_bounds_stand_side_by_side_and_differ_by_the_overheads() -> None:
    execution = carminati()
    costs = {"plafond": Overheads({Protocol.CEILING: Costs(pair_ns=MS)})}
    bounds = bounds_of(execution.system, execution.traces, costs).of
    bound = bounds["T0", "plafond"]
    steps = 51 * MS + 10 * 100  # the fakes' run steps may be a turn longer
    assert bound.theory_ns == 51 * MS
    assert bound.response_ns
    assert 53 * MS < bound.response_ns < steps + 5 * MS
    assert bounds["T0", "inherit"].response_ns is None  # its overheads are unknown
    assert bounds["T0", "inherit"].theory_ns == 68 * MS


def test_work_that_arrives_while_the_cpu_is_away_is_in_the_bound() -> None:
    rows = analyse(carminati().system, [Protocol.CEILING], away_ns=80 * MS).rows
    bounds = {row.task: row.response_bound_ns for row in rows}
    assert bounds["T0"] == (51 + 80) * MS
    # A second job of T1 arrives in the time that is lost: 80 + 17 + 2 * 34 + 17.
    assert bounds["T2"] == 182 * MS


def test_costs_are_the_largest_of_each_row(output: Output) -> None:
    """Each row takes 0.9, 1 and 1.1 times the time of the fixture."""
    costs = costs_of(collect(output.benchmarks), wake_up_ns=0)
    assert costs["plafond"].wake_up_ns == 2200
    assert costs["plafond"].preempted_ns == 5500 - 2200
    assert costs["protect"].preempted_ns == 4400 - 2200
    assert costs["protect"].pair_ns == 1320
    assert costs["none"].pair_ns == 22


def test_a_wake_up_costs_what_its_timer_does_beside_the_switches(output: Output) -> None:
    samples = collect(output.benchmarks)
    semaphore_ns = costs_of(samples, wake_up_ns=0)["plafond"].wake_up_ns
    costs = costs_of(samples, wake_up_ns=semaphore_ns + 1000)
    assert {each.wake_up_ns for each in costs.values()} == {semaphore_ns + 1000}
    assert costs["plafond"].preempted_ns == costs_of(samples, wake_up_ns=0)["plafond"].preempted_ns


def test_of_wake_ups_the_longest_counts_that_no_host_disturbed() -> None:
    assert longest_own_ns([30_000, LONGEST_OWN_NS, 40_000, LONGEST_OWN_NS + 1]) == LONGEST_OWN_NS
    assert longest_own_ns([900_000, 300_000]) == 300_000
    with pytest.raises(PlafondError, match="no thread woke up"):
        longest_own_ns([])


def test_the_bounds_of_a_run_contain_noise_without_the_host() -> None:
    execution = carminati()
    costs = {Protocol.CEILING: Costs()}
    noise, short = ((10 * MS, 9 * MS), (200 * MS, 20 * MS)), ((10 * MS, MS), (200 * MS, 2 * MS))
    both = {"plafond": Overheads(costs, noise, short_noise=short)}
    alone = {"plafond": Overheads(costs, short)}
    bound = bounds_of(execution.system, execution.traces, both).of["T0", "plafond"]
    expected = bounds_of(execution.system, execution.traces, alone).of["T0", "plafond"]
    assert bound.response_ns == expected.response_ns
    assert bound.noise_ns(MS) == MS
    assert (bound.when_away_ns(MS, 1) or 0) >= (bound.response_ns or 0) + MS


def test_the_worst_of_several_cpus_counts() -> None:
    assert worst_of([((10, 1), (20, 5)), ((10, 2), (20, 3))]) == ((10, 2), (20, 5))


def test_a_hand_over_across_cpus_costs_the_longest_beyond_its_section(output: Output) -> None:
    report = make_report(output, repetitions=3, quick=True)
    samples = collect(output.benchmarks)
    pair = next(row for row in samples if (row.group, row.lock) == ("pair", "inherit"))
    mutex = global_mutex_of([*samples, replace(pair, lock="plafond-global")])
    handovers = [row.ns_max for row in report.handover if row.lock == "plafond-global"]
    assert mutex.handover_ns == ceil(max(handovers))
    assert mutex.pair_ns == ceil(pair.ns_max)
    overheads = MeasuredOverheads({"plafond": Costs()}, (), (), mutex)
    assert overheads.of("plafond").global_mutex == mutex


def test_each_protocol_of_a_run_has_its_own_costs(output: Output) -> None:
    costs = costs_of(collect(output.benchmarks), wake_up_ns=0)
    overheads = MeasuredOverheads(costs, ((10, 1),), ((10, 0),))
    assert overheads.of("protect").costs == {Protocol.CEILING: costs["protect"]}
    assert overheads.of("protect").noise == ((10, 1),)
    assert overheads.of("protect").without_host().noise == ((10, 0),)


def test_a_run_step_may_last_the_longest_turn_longer_or_the_step_of_the_target() -> None:
    """The turn of each CPU counts, and a CPU without a measured turn has none."""
    system = system_of(TWO)
    speed = Speed(median=1, slowest=1)

    def bound_ns(step_ns: int, *turns: int | None) -> int | None:
        cpus = [
            CpuConditions(cpu=cpu, turn_ns=turn_ns, turns_per_us=speed, steal_ns=None)
            for cpu, turn_ns in enumerate(turns)
        ]
        known = Overheads({Protocol.CEILING: Costs(pair_ns=1)}, step_ns=step_ns)
        found = trace().model_copy(update={"cpus": cpus})
        return (
            bounds_of(system, {"plafond": found}, {"plafond": known}).of["a", "plafond"].response_ns
        )

    expected = bound_ns(50)
    assert bound_ns(0) != expected
    for step_ns, turns in ((0, (50, 7)), (0, (7, 50)), (50, (7, None)), (3, (None, 50))):
        assert bound_ns(step_ns, *turns) == expected


def test_with_slower_locks_and_the_cpu_away_the_bound_has_both() -> None:
    system = system_of(TWO)
    known = Overheads({Protocol.CEILING: Costs(pair_ns=1, switch_ns=1000)})
    bound = bounds_of(system, {"plafond": trace()}, {"plafond": known}).of["a", "plafond"]
    expected = analyse(system, [Protocol.CEILING], known.slowed(3), 5000).rows[0]
    assert bound.when_away_ns(5000, 3) == expected.response_bound_ns
    assert bound.when_away_ns(5000, 3) != bound.when_away_ns(5000, 1)


TWO = "".join(
    f'[task.{name}]\npriority = {priority}\narrival = "periodic 50ms"\n'
    f'body = ["run {run}ms", "sleep 1ms"]\nworking_set = "64KiB"\n'
    for name, priority, run in (("a", 9, 1), ("b", 5, 3), ("c", 5, 5))
)


def test_all_tasks_have_bounds_with_overheads_and_all_notes_are_kept() -> None:
    system = system_of(TWO)
    known = Overheads({Protocol.CEILING: Costs(pair_ns=1)}, caches_ns={"a": 1000, "c": 2000})
    bounds = bounds_of(system, {"plafond": trace(), "protect": trace()}, {"plafond": known})
    assert [bounds.of[name, "plafond"].response_ns for name in "abc"] == [
        row.response_bound_ns for row in analyse(system, [Protocol.CEILING], known).rows
    ]
    assert [bounds.of[name, "protect"].response_ns for name in "abc"] == [None] * 3
    assert bounds.notes == [
        "tasks of equal priority count as more urgent than each other",
        "after each sleep of a task a section may block once more",
        "a: a preemption costs it at most 1us for its 64KiB, as measured",
        "c: a preemption costs it at most 2us for its 64KiB, as measured",
    ]
