# SPDX-License-Identifier: MIT
"""Studies of drawn sets in servers that share resources."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.draw import loads_study
from plafond.describe.problems import DescriptionError
from plafond.describe.server import ServerKind, Sharing
from plafond.describe.study import Study
from plafond.describe.system import Run, System
from plafond.protocols import Protocol
from plafond.studies import count as counting
from plafond.studies.count import Chunk, count
from plafond.studies.draw import draw_periods_ns, draw_set, draw_uses, stream
from plafond.studies.measure import measure_schedulability
from plafond.studies.serving import have_time_to_hold, served
from plafond.studies.sharing import system_of

STUDY = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 10
utilisation = [0.2, 0.6, 0.2]
task_utilisation = "uniform 0.02 0.15"
interval = "log-uniform 10ms 200ms"
sections = { resources = 3, length = "uniform 10us 200us", share = 0.3 }
servers = { count = 3, period = "uniform 1ms 5ms", budget = 0.8 }
compare = ["overrun", "overrun-payback", "skip"]
deadlines = "hard"
"""
VARIED = STUDY.replace(", budget = 0.8 }", ' }\nvary = "budget 0.4 1 0.3"')
TOP = Fraction(3, 5)


def drawn_system(study: Study, number: int, sharing: Sharing) -> System:
    random = stream(study, TOP, number)
    tasks = draw_set(study, TOP, random)
    assert study.sections
    assert study.servers
    uses = draw_uses(len(tasks), study.sections.resources, random)
    periods_ns = draw_periods_ns(study.servers, random)
    system = system_of(study, tasks, uses, study.cases[0])
    return served(system, periods_ns, Fraction(4, 5), sharing)


def described(system: System) -> str:
    lines = [f'name = "{system.name}"']
    resources = [
        f"[resource.{each.name}]"
        + (f"\nceiling = {each.given_ceiling}" if each.given_ceiling else "")
        for each in system.resources
    ]
    for server in system.servers:
        lines += [f"[server.{server.name}]", 'kind = "idling"', f"priority = {server.priority}"]
        lines += [f'period = "{server.period_ns}ns"', f'budget = "{server.budget_ns}ns"']
        lines += [f'global = "{server.sharing}"'] if server.sharing else []
    for task in system.tasks:
        body = [
            f"run {step.duration_ns}ns"
            if isinstance(step, Run)
            else f"{type(step).__name__.lower()} {step.resource}"  # type: ignore[union-attr]
            for step in task.body
        ]
        lines += [f"[task.{task.name}]", f'arrival = "periodic {task.least_interval_ns}ns"']
        lines += [f'server = "{task.server}"', f"priority = {task.priority}"]
        lines += [f'deadline = "{task.deadline_ns}ns"', f"body = {json.dumps(body)}"]
    return "\n".join([*lines, *resources])


@pytest.mark.parametrize("sharing", Sharing)
def test_a_drawn_system_is_as_a_described_one(sharing: Sharing, tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    shared = 0
    for number in range(10):
        drawn = drawn_system(loads_study(STUDY), number, sharing)
        file.write_text(described(drawn))
        if not have_time_to_hold(drawn):
            with pytest.raises(DescriptionError, match=r"budget: found .*; expected more than"):
                load(file)
            continue
        loaded = load(file)
        shared += bool(drawn.resources_of_servers)
        assert drawn.tasks == loaded.tasks
        assert drawn.servers == loaded.servers
        assert [(each.servers, each.ceiling, each.given_ceiling) for each in drawn.resources] == [
            (each.servers, each.ceiling, each.given_ceiling) for each in loaded.resources
        ]
    assert shared > 5


def test_budgets_are_parts_of_all_by_what_tasks_ask_for() -> None:
    system = drawn_system(loads_study(STUDY), 0, Sharing.SKIP)
    asked = system.utilisation(0)

    periods = [server.period_ns for server in system.servers]
    assert periods == sorted(periods)
    assert [server.priority for server in system.servers] == [3, 2, 1]
    for server in system.servers:
        tasks = system.tasks_of(server.name)
        own = sum((task.utilisation for task in tasks), Fraction(0))
        exact = server.period_ns * Fraction(4, 5) * own / asked
        assert server.kind is ServerKind.IDLING
        assert exact - 1 < server.budget_ns <= exact


def test_a_server_without_tasks_is_left_out() -> None:
    study = loads_study(STUDY.replace("count = 3", "count = 32"))
    system = drawn_system(study, 0, Sharing.SKIP)

    assert len(system.servers) == len(system.tasks) < 32


def test_all_ways_are_asked_about_the_same_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[System] = []

    def noted(system: System, protocol: Protocol) -> bool:
        assert protocol is Protocol.CEILING
        asked.append(system)
        return False

    monkeypatch.setattr(counting, "keeps_deadlines", noted)
    count(Chunk(loads_study(VARIED), TOP, range(2)))

    assert len(asked) == 2 * 3 * 3  # all are asked, because each budget is above X
    for place in range(0, 18, 9):
        of_set = asked[place : place + 9]
        assert len({each.tasks for each in of_set}) == 1
        assert len({tuple(s.period_ns for s in each.servers) for each in of_set}) == 1
        budgets = [sum(s.budget_ns for s in each.servers) for each in of_set]
        assert budgets == sorted(budgets)
        ways = [{s.sharing for s in each.servers} - {None} for each in of_set[:3]]
        assert all(len(each) <= 1 for each in ways)


def test_budgets_matter_and_are_reported() -> None:
    report = measure_schedulability(loads_study(VARIED), 1, None).report
    w = {(row.compared, row.budget): row.weighted.value for row in report.weighted}

    assert report.conditions.servers == 3
    assert any("idling servers" in note for note in report.conditions.notes)
    assert w["skip", 0.4] < w["skip", 0.7]
    assert 0 < w["overrun", 0.7] <= w["overrun-payback", 0.7]


def test_a_budget_that_is_not_above_the_longest_section_is_too_little(tmp_path: Path) -> None:
    study = loads_study(STUDY.replace("uniform 10us 200us", "uniform 50ms 60ms"))
    drawn = drawn_system(study, 0, Sharing.OVERRUN)
    assert drawn.resources_of_servers
    assert not have_time_to_hold(drawn)
    (tmp_path / "system.toml").write_text(described(drawn))

    with pytest.raises(DescriptionError, match=r"budget: found .*; expected more than"):
        load(tmp_path / "system.toml")
    assert count(Chunk(study, TOP, range(1))).schedulable == ((0, 0, 0),)
