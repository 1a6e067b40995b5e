# SPDX-License-Identifier: MIT
"""Studies in which an overhead, or the cost of preemptions in caches, varies."""

import io
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from drawn_systems import drawn_system
from rich.console import Console

from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe.draw import loads_study
from plafond.describe.problems import DescriptionError
from plafond.describe.study import Case, Variable
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Step,
    System,
    Task,
    Unlock,
)
from plafond.protocols import Protocol
from plafond.report.schedulability import draw_schedulability
from plafond.studies.costs import with_case
from plafond.studies.count import Chunk, count
from plafond.studies.measure import measure_schedulability
from plafond.studies.placing import spread
from plafond.studies.table import csv_text, print_report

CLUSTERS = """\
cpus = 4
scheduler = "edf"
[draw]
sets = 20
utilisation = [1, 4, 1]
task_utilisation = "uniform 0.2 0.8"
interval = "uniform 3ms 33ms"
vary = "overhead 0us 600us 300us"
compare = ["partitioned", "clustered 2", "global"]
deadlines = "soft"
"""
SHARING = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 20
utilisation = [0.5, 1, 0.25]
task_utilisation = "uniform 0.1 0.3"
interval = "log-uniform 1ms 20ms"
sections = { resources = 3, length = "uniform 10us 500us", share = 0.5 }
vary = "overhead 0us 100us 50us"
compare = ["ceiling", "inherit", "none"]
deadlines = "hard"
"""
TOP = Fraction(9, 10)
SECTION = (Lock("R"), Run(10), Unlock("R"))


def task(name: str, priority: int, interval_ns: int, *body: Step, due_ns: int = 0) -> Task:
    interval = Interval(interval_ns, interval_ns)
    due_ns = due_ns or interval_ns
    return Task.made(name, priority=priority, interval=interval, deadline_ns=due_ns, body=body)


def keeps(system: System, protocol: Protocol, case: Case, known: Overheads | None = None) -> bool:
    return keeps_deadlines(system, protocol, with_case(system, protocol, known, case))


# ---- Descriptions --------------------------------------------------------------------------------


def test_hard_deadlines_of_clusters_have_no_overhead() -> None:
    with pytest.raises(
        DescriptionError, match=r"draw.vary: found an overhead; expected none with h"
    ):
        loads_study(CLUSTERS.replace('"soft"', '"hard"'))


def test_a_factor_needs_a_time_to_begin_with() -> None:
    with pytest.raises(DescriptionError, match=r'draw.vary: found "overhead 0us 8us x2"; expected'):
        loads_study(CLUSTERS.replace("0us 600us 300us", "0us 8us x2"))
    study = loads_study(CLUSTERS.replace("0us 600us 300us", "2us 8us x2"))
    assert [case.overhead_ns for case in study.cases] == [2000, 4000, 8000]


# ---- Verdicts ------------------------------------------------------------------------------------


def test_on_clusters_each_job_takes_longer() -> None:
    study, cached = loads_study(CLUSTERS), loads_study(CLUSTERS.replace("overhead", "cache"))
    both = CLUSTERS.replace(
        '"overhead 0us 600us 300us"', '["overhead 300us 300us 1us", "cache 0us 300us 300us"]'
    )
    found, of_cache = (count(Chunk(each, Fraction(4), range(20))) for each in (study, cached))

    assert found == of_cache
    assert found.schedulable[0] != found.schedulable[2]
    assert (
        count(Chunk(loads_study(both), Fraction(4), range(20))).schedulable == found.schedulable[1:]
    )


def test_an_overhead_is_a_switch_to_the_nanosecond() -> None:
    # A job of `low` waits for the kernel, x, runs for 30 + x, and waits for each job of `high`, 10
    # + x. This is 40 + 3*x if it is at most 50, and 50 + 4*x with a second job of `high`.
    high = task("high", 2, 50, Run(10))
    for overhead_ns, response_ns in ((3, 49), (4, 66), (12, 98), (13, 125)):
        low = task("low", 1, 200, Run(30), due_ns=response_ns)
        late = low.changed(deadline_ns=response_ns - 1)
        case = Case(overhead_ns=overhead_ns)
        assert keeps(System("s", 1, 1, (high, low), ()), Protocol.CEILING, case)
        assert not keeps(System("s", 1, 1, (high, late), ()), Protocol.CEILING, case)


def test_an_overhead_is_added_to_the_costs_of_a_protocol() -> None:
    known = Overheads({Protocol.INHERIT: Costs(5, 1, 2, 3)}, step_ns=1)
    system = System("s", 1, 1, (task("one", 1, 50, Run(10)),), ())

    found = with_case(system, Protocol.INHERIT, known, Case(overhead_ns=7))
    assert found == replace(
        known, costs={Protocol.INHERIT: Costs(5, 1, 2 + 7, 3, 0 + 7)}, caches_ns={"one": 0}
    )
    assert with_case(system, Protocol.INHERIT, known, Case(overhead_ns=0)) is known
    assert with_case(system, Protocol.INHERIT, None, Case()) is None


def test_a_task_that_waits_for_a_section_is_switched_away_and_back() -> None:
    overhead_ns = 4
    high, low = task("high", 2, 1000, *SECTION), task("low", 1, 1000, *SECTION)
    resource = Resource.made("R", ceiling=2, users=("high", "low"), cpus=(0,))
    # A section of `low` in which `high` waits, the work that has begun, and the section of `high`.
    bounds_ns = {
        Protocol.CEILING: 10 + overhead_ns + (overhead_ns + 10),
        Protocol.INHERIT: (10 + overhead_ns) + overhead_ns + (overhead_ns + 10 + overhead_ns),
    }
    for protocol, bound_ns in bounds_ns.items():
        for due_ns, is_kept in ((bound_ns, True), (bound_ns - 1, False)):
            system = System("s", 1, 1, (high.changed(deadline_ns=due_ns), low), (resource,))
            assert keeps(system, protocol, Case(overhead_ns=overhead_ns)) == is_kept, protocol


@pytest.mark.parametrize("protocol", [Protocol.CEILING, Protocol.INHERIT, Protocol.NONE])
@pytest.mark.parametrize("variable", [Variable.OVERHEAD, Variable.CACHE])
def test_the_verdict_is_that_of_the_bounds_and_falls(
    protocol: Protocol, variable: Variable
) -> None:
    study = loads_study(SHARING.replace("overhead 0us 100us 50us", f"{variable} 0us 400us 200us"))
    at = Fraction(1, 2) if protocol is Protocol.NONE else TOP
    accepted = []
    for case in study.cases:
        verdicts = []
        for number in range(25):
            system = drawn_system(study, number, at)
            added = with_case(system, protocol, None, case)
            rows = analyse(system, [protocol], added).rows
            verdicts.append(keeps(system, protocol, case))
            assert verdicts[-1] == all(row.schedulable for row in rows)
        accepted.append(verdicts)
    for before, after in pairwise(accepted):
        assert all(one or not other for one, other in zip(before, after, strict=True))
    assert sum(accepted[0]) > sum(accepted[2])


def test_a_cache_delay_is_paid_by_wake_ups_and_by_what_may_wait() -> None:
    # Under inheritance `high` can wait for `low`. At the end of the section both load their sets
    # again: 2 delays a section. Under ceilings the section of `low`, which keeps `high` out, has
    # both, too.
    delay_ns = 7
    high = task("high", 2, 1000, *SECTION)
    low = task("low", 1, 1000, *SECTION)
    resource = Resource.made("R", ceiling=2, users=("high", "low"), cpus=(0,))
    for protocol in (Protocol.CEILING, Protocol.INHERIT):
        section_ns = 10 + 2 * delay_ns if protocol is Protocol.INHERIT else 10
        # `high` has its wake-up, which preempts `low`, its section, and a wait for the section of
        # `low`.
        bound_ns = delay_ns + section_ns + 10 + 2 * delay_ns
        for due_ns, is_kept in ((bound_ns, True), (bound_ns - 1, False)):
            system = System("s", 1, 1, (high.changed(deadline_ns=due_ns), low), (resource,))
            assert keeps(system, protocol, Case(cache_ns=delay_ns)) == is_kept, protocol
    alone = System("s", 1, 1, (high.changed(deadline_ns=10),), (resource.changed(users=("high",)),))
    assert keeps(alone, Protocol.INHERIT, Case(cache_ns=delay_ns))


def test_across_cpus_a_section_of_mpcp_contains_an_overhead() -> None:
    text = SHARING.replace("cpus = 1", "cpus = 2").replace('"ceiling", "inherit", "none"', '"mpcp"')
    study = loads_study(text)
    found = [count(Chunk(study, TOP, range(20))).schedulable]
    systems = [spread(drawn_system(study, number, TOP)) for number in range(20)]
    expected = []
    for case in study.cases:
        costs = Costs(switch_ns=case.overhead_ns or 0)
        added = Overheads({Protocol.CEILING: costs})
        asked = [Protocol.MPCP if each.global_resources else Protocol.CEILING for each in systems]
        rows = [analyse(s, [p], added).rows for s, p in zip(systems, asked, strict=True)]
        expected.append((sum(all(row.schedulable for row in each) for each in rows),))

    assert found == [tuple(expected)]
    assert expected[0] > expected[2]


# ---- Reports -------------------------------------------------------------------------------------


def test_the_report_has_the_overhead() -> None:
    report = measure_schedulability(loads_study(CLUSTERS), 1, None).report

    printed = io.StringIO()
    print_report(report, Console(file=printed))
    assert "Acceptance ratio with an overhead of 0ns" in printed.getvalue()
    assert csv_text(report).startswith("compared,cache_ns,overhead_ns,section_ns,share,budget,")
    assert [row.overhead_ns for row in report.weighted[:3]] == [0, 300_000, 600_000]
    assert any(
        note.startswith("The overhead is put on each job") for note in report.conditions.notes
    )
    assert "overhead of a job" in draw_schedulability(report)


def test_without_costs_it_says_what_is_free() -> None:
    report = measure_schedulability(loads_study(SHARING), 1, None).report

    assert "Locks and interrupts cost nothing." in report.conditions.notes
