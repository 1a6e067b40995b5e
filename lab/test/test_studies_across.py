# SPDX-License-Identifier: MIT
"""Studies of drawn sets that share resources on several CPUs."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest
from drawn_systems import drawn_system

from plafond.analyse import kept_across
from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.on_target import analyse_on
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.bench.model import LocksReport
from plafond.describe.draw import loads_study
from plafond.describe.study import Study
from plafond.describe.system import Lock, Run, Step, System, Unlock
from plafond.errors import ArgumentError
from plafond.protocols import Protocol
from plafond.studies import count as counting
from plafond.studies.costs import costs_of_study
from plafond.studies.count import Chunk, count
from plafond.studies.measure import measure_schedulability
from plafond.studies.placing import apart, spread

ACROSS = """\
cpus = 3
scheduler = "priority"
[draw]
sets = 12
utilisation = [1, 2, 0.5]
task_utilisation = "uniform 0.1 0.4"
interval = "log-uniform 1ms 20ms"
sections = { resources = 4, length = "uniform 10us 500us", share = 0.2 }
compare = ["mpcp", "msrp", "spin-priority", "apart"]
deadlines = "hard"
"""
TOP = Fraction(3, 2)
EXAMPLES = Path(__file__).parents[2] / "examples/studies"
RECORDED = EXAMPLES / "bench-locks.json"


def with_costs(*names: str, file: Path = RECORDED) -> Study:
    compare = ", ".join(f'"{name}"' for name in names)
    text = ACROSS.replace('"mpcp", "msrp", "spin-priority", "apart"', compare)
    return loads_study(f'{text}costs = "{file}"\n')


# ---- Placing -------------------------------------------------------------------------------------


def test_each_task_goes_to_the_cpu_that_is_asked_for_least() -> None:
    placed = spread(drawn_system(loads_study(ACROSS), 1, TOP))
    loads = [Fraction(0)] * 3

    assert len(placed.tasks) > 4
    for task in sorted(placed.tasks, key=lambda task: -task.utilisation):
        assert loads[task.cpu] == min(loads)
        loads[task.cpu] += task.utilisation
    for resource in placed.resources:
        cpus = {task.cpu for task in placed.tasks if task.name in resource.users}
        assert resource.cpus == tuple(sorted(cpus))


def test_apart_no_resource_is_on_two_cpus() -> None:
    study = loads_study(ACROSS)
    on_several = used_cpus = 0
    for number in range(20):
        system = drawn_system(study, number, TOP)
        together = apart(system)
        assert not together.global_resources
        assert [task.changed(cpu=0) for task in together.tasks] == [*system.tasks]
        used_cpus = max(used_cpus, len({task.cpu for task in together.tasks}))
        on_several += bool(spread(system).global_resources)
    assert on_several > 10
    assert used_cpus == 3


def test_tasks_that_share_by_way_of_others_are_together() -> None:
    system = drawn_system(loads_study(ACROSS.replace("share = 0.2", "share = 0.5")), 0, TOP)
    shared = [task for task in system.tasks if task.resources]
    first, last = shared[0], shared[-1]
    chain = [
        first.changed(body=_locking("R1")),
        last.changed(body=_locking("R2")),
        shared[1].changed(body=_locking("R1", "R2")),
    ]

    assert (
        len({task.cpu for task in apart(replace(system, tasks=tuple(chain), resources=())).tasks})
        == 1
    )
    two = apart(replace(system, tasks=tuple(chain[:2]), resources=()))
    assert len({task.cpu for task in two.tasks}) == 2


def _locking(*names: str) -> tuple[Step, ...]:
    return tuple(step for name in names for step in (Lock(name), Run(9), Unlock(name)))


# ---- Verdicts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", kept_across.FOLLOWED)
def test_the_verdict_is_that_of_the_bounds(protocol: Protocol) -> None:
    study = loads_study(ACROSS)
    verdicts = []
    for number in range(40):
        system = spread(drawn_system(study, number, Fraction(2)))
        if system.global_resources:
            verdicts.append(keeps_deadlines(system, protocol))
            rows = analyse(system, [protocol]).rows
            assert verdicts[-1] == all(row.schedulable for row in rows)
    assert 3 < sum(verdicts) < len(verdicts) - 3


@pytest.mark.parametrize("protocol", kept_across.FOLLOWED)
def test_a_nanosecond_less_is_too_little(protocol: Protocol) -> None:
    study = loads_study(ACROSS)
    drawn = (spread(drawn_system(study, number, Fraction(1))) for number in range(20))
    system = next(each for each in drawn if each.global_resources)
    bounds = {row.task: row.response_bound_ns or 0 for row in analyse(system, [protocol]).rows}
    exact = [task.changed(deadline_ns=bounds[task.name]) for task in system.tasks]

    assert keeps_deadlines(replace(system, tasks=tuple(exact)), protocol)
    for place, task in enumerate(exact):
        less = task.changed(deadline_ns=bounds[task.name] - 1)
        tasks = (*exact[:place], less, *exact[place + 1 :])
        assert not keeps_deadlines(replace(system, tasks=tasks), protocol)


@pytest.mark.parametrize("mutex", [None, GlobalMutex(1000, 5000)], ids=["alike", "mutex"])
@pytest.mark.parametrize("protocol", kept_across.FOLLOWED)
def test_with_costs_it_is_that_of_the_bounds_to_the_nanosecond(
    protocol: Protocol, mutex: GlobalMutex | None
) -> None:
    costs = Costs(interrupt_ns=9000, switch_ns=7000, pair_ns=500, preempted_ns=6000)
    added = Overheads({Protocol.CEILING: costs}, step_ns=3, global_mutex=mutex)
    study = loads_study(ACROSS)
    verdicts, exact = [], 0
    for number in range(24):
        system = spread(drawn_system(study, number, TOP))
        if system.global_resources:
            rows = analyse(system, [protocol], added).rows
            verdicts.append(keeps_deadlines(system, protocol, added))
            assert verdicts[-1] == all(row.schedulable for row in rows)
            if exact < 6 and verdicts[-1]:
                exact += 1
                bounds = [row.response_bound_ns or 0 for row in rows]
                assert keeps_deadlines(with_deadlines(system, bounds), protocol, added)
                for place in range(len(bounds)):
                    less = [*bounds[:place], bounds[place] - 1, *bounds[place + 1 :]]
                    assert not keeps_deadlines(with_deadlines(system, less), protocol, added)
    assert 3 < sum(verdicts) < len(verdicts) - 1


def with_deadlines(system: System, deadlines_ns: Sequence[int]) -> System:
    pairs = zip(system.tasks, deadlines_ns, strict=True)
    return replace(system, tasks=tuple(task.changed(deadline_ns=due) for task, due in pairs))


def test_all_are_asked_about_the_same_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[System] = []

    def noted(system: System, *_: object) -> bool:
        asked.append(system)
        return False

    monkeypatch.setattr(counting, "keeps_deadlines", noted)
    count(Chunk(loads_study(ACROSS), TOP, range(3)))

    for place in range(0, 12, 4):
        mpcp, msrp, spinning, together = asked[place : place + 4]
        assert mpcp == msrp == spinning == spread(mpcp)
        assert together == apart(mpcp)
        assert [task.changed(cpu=0) for task in together.tasks] == [
            task.changed(cpu=0) for task in mpcp.tasks
        ]


def test_without_sharing_all_protocols_are_one() -> None:
    text = ACROSS.replace("share = 0.2", "share = 0.0001")
    counts = count(Chunk(loads_study(text), Fraction(2), range(12))).schedulable[0]

    assert len({*counts}) == 1
    assert counts[0] > 0


def test_the_report_says_how_tasks_are_placed() -> None:
    report = measure_schedulability(loads_study(ACROSS), 1, None).report

    assert any("worst fit by decreasing utilisation" in note for note in report.conditions.notes)
    w = {row.compared: row.weighted.value for row in report.weighted}
    assert all(0 < value < 1 for value in w.values())


# ---- Costs ---------------------------------------------------------------------------------------


def test_costs_across_cpus_are_those_of_the_mutex() -> None:
    known = costs_of_study(with_costs("plafond", "plafond-syscall", "apart"))
    report = LocksReport.model_validate_json(RECORDED.read_text())

    assert known
    assert known.said.endswith(
        "without ticks and other threads. What is apart costs what plafond does."
    )
    of_plafond, of_syscall, of_apart = known.overheads.values()
    pair = next(row for row in report.uncontended if row.lock == "plafond-global")
    longest_ns = max(row.ns_max for row in report.handover if row.lock == "plafond-global")
    mutex = GlobalMutex(pair_ns=ceil(pair.ns_max), handover_ns=ceil(longest_ns))
    assert of_plafond.global_mutex == of_syscall.global_mutex == mutex
    assert of_apart == of_plafond
    of_one_cpu = [each.costs[Protocol.CEILING].pair_ns for each in (of_plafond, of_syscall)]
    assert of_one_cpu[0] < 100 < of_one_cpu[1]


def test_what_no_report_has_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(
        ArgumentError, match=r"no costs across CPUs of msrp; .* plafond, plafond-sy"
    ):
        costs_of_study(with_costs("plafond", "msrp"))
    report = LocksReport.model_validate_json(RECORDED.read_text())
    alone = report.model_copy(update={"handover": []})
    (tmp_path / "one-cpu.json").write_text(alone.model_dump_json())
    with pytest.raises(ArgumentError, match=r"no costs across CPUs of plafond, apart; expected th"):
        costs_of_study(with_costs("plafond", "apart", file=tmp_path / "one-cpu.json"))
    board = EXAMPLES / "overheads-a53.json"
    with pytest.raises(
        ArgumentError, match="no costs across CPUs of uprio-nprio, msrp; expected t"
    ):
        costs_of_study(with_costs("uprio-nprio", "msrp", file=board))


def test_a_target_reports_what_its_mutex_costs(tmp_path: Path) -> None:
    added = Overheads({Protocol.CEILING: Costs(5, 4)}, global_mutex=GlobalMutex(7, 80))
    system = spread(drawn_system(loads_study(ACROSS), 0, TOP))
    report = analyse_on("linux", system, {"plafond": added})
    (tmp_path / "linux.json").write_text(report.model_dump_json())

    known = costs_of_study(with_costs("plafond", "apart", file=tmp_path / "linux.json"))
    assert known
    assert known.overheads == {"plafond": added, "apart": added}


def test_costs_matter_across_cpus() -> None:
    free = count(Chunk(loads_study(ACROSS), TOP, range(12))).schedulable[0]
    study = with_costs("plafond", "plafond-syscall", "apart")
    costs = costs_of_study(study)
    mpcp, syscall, together = count(Chunk(study, TOP, range(12), costs)).schedulable[0]

    assert 0 < syscall <= mpcp <= free[0]
    assert 0 < together <= free[3]
    assert costs
    slow = replace(costs.overheads["plafond"], global_mutex=GlobalMutex(0, 5_000_000))
    dear = replace(costs, overheads={**costs.overheads, "plafond": slow})
    assert count(Chunk(study, TOP, range(12), dear)).schedulable[0][0] < mpcp
